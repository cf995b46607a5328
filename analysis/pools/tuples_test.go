package pools_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
	"tierscope/analysis/pools"
	"tierscope/analysis/trace"
)

func trie(nodes ...trace.TrieNode) *trace.Samples { return &trace.Samples{Trie: nodes} }

// "If 𝕋 does not contain the tuple Ti, the pair ⟨Ti, Ci⟩ is inserted into 𝕋.
// Otherwise the number of executions for the existing tuple is increased by
// Ci" with Ci = Σ(c₁, …, c_k) (§4.1).
func TestEqualTuplesOfLeavesAddUp(t *testing.T) {
	t.Parallel()
	s := trie(
		trace.TrieNode{Parent: -1},
		trace.TrieNode{Parent: 0, Counts: map[int64]int64{1: 2, 2: 3}},
		trace.TrieNode{Parent: 0, Counts: map[int64]int64{2: 4, 1: 1}},
		trace.TrieNode{Parent: 0, Counts: map[int64]int64{3: 7}},
	)
	got := fmt.Sprint(pools.Tuples(s))
	if want := "[{[1 2] 10} {[3] 7}]"; got != want {
		t.Errorf("tuples of three leaves: got %s, want %s", got, want)
	}
}

// "The tuple ⟨T1, C1⟩ can be merged with ⟨T2, C2⟩ if and only if all threads
// in T2 also present in T1 and C1 ≫ C2. The resulting tuple is formed as
// ⟨T1, C1 + C2⟩" (§4.1).
func TestTuplesMergeIfContainedAndMuchRarer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		in   []pools.Tuple
		want string
	}{
		{"a worker seen alone at a rare place", []pools.Tuple{{Threads: []int64{1, 2, 3}, Count: 1000}, {Threads: []int64{2}, Count: 5}}, "[{[1 2 3] 1005}]"},
		{"not contained", []pools.Tuple{{Threads: []int64{1, 2}, Count: 1000}, {Threads: []int64{2, 3}, Count: 5}}, "[{[1 2] 1000} {[2 3] 5}]"},
		{"contained, but as frequent", []pools.Tuple{{Threads: []int64{1, 2}, Count: 20}, {Threads: []int64{1}, Count: 15}}, "[{[1 2] 20} {[1] 15}]"},
	} {
		if got := fmt.Sprint(pools.MergeTuples(c.in)); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// Merging moves samples between tuples but neither loses nor invents any.
func TestMergingKeepsTheNumberOfSamples(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) pools.Tuple {
			set := rapid.SliceOfNDistinct(rapid.Int64Range(1, 5), 1, 5, rapid.ID).Draw(t, "threads")
			s := &trace.Samples{Trie: []trace.TrieNode{{Parent: -1}, {Parent: 0, Counts: map[int64]int64{}}}}
			for _, id := range set {
				s.Trie[1].Counts[id] = rapid.Int64Range(1, 200).Draw(t, "count")
			}
			return pools.Tuples(s)[0]
		}), 0, 12).Draw(t, "tuples")
		before, after := int64(0), int64(0)
		for _, x := range in {
			before += x.Count
		}
		for _, x := range pools.MergeTuples(in) {
			after += x.Count
		}
		if before != after {
			t.Fatalf("%d samples before merging, %d after", before, after)
		}
	})
}

// "For every function f the framework generates the set of functions that
// called f. If the number n > 1, f is added to the set of library functions"
// (§4.1).
func TestLibraryFunctionsHaveMoreThanOneCaller(t *testing.T) {
	t.Parallel()
	fn := func(parent int32, name string) trace.TrieNode {
		return trace.TrieNode{Parent: parent, Frame: trace.Frame{Function: name}}
	}
	s := trie(trace.TrieNode{Parent: -1}, fn(0, "main"), fn(1, "parse"), fn(1, "render"),
		fn(2, "read"), fn(3, "read"), fn(2, "lex"), fn(2, "lex"))
	if got := fmt.Sprint(pools.LibraryFunctions(s)); got != "[read]" {
		t.Errorf("library functions: got %s, want [read], which parse and render call; lex is called twice by parse alone", got)
	}
}
