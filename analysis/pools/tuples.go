package pools

import (
	"cmp"
	"fmt"
	"slices"

	"tierscope/analysis/trace"
)

// Tuple is a set of threads that were seen executing the same code, with the
// number of samples: ⟨T, C⟩ of Tarvo & Reiss 2014, §4.1.
type Tuple struct {
	Threads []int64 // ascending
	Count   int64
}

// muchGreater is C1 ≫ C2 of Tarvo & Reiss 2014, §4.1, which does not quantify it: an
// order of magnitude. Convention, sensitivity none.
const muchGreater = 10

// Tuples returns the map 𝕋 of §4.1 as a list: for every leaf of the call trie
// the threads that executed it, equal tuples added up. The order is by
// falling count.
func Tuples(s *trace.Samples) []Tuple {
	at := map[string]int{}
	var ts []Tuple
	for _, n := range s.Trie {
		if len(n.Counts) == 0 {
			continue
		}
		var t Tuple
		for id, c := range n.Counts {
			t.Threads = append(t.Threads, id)
			t.Count += c
		}
		slices.Sort(t.Threads)
		key := fmt.Sprint(t.Threads)
		if i, ok := at[key]; ok {
			ts[i].Count += t.Count
			continue
		}
		at[key] = len(ts)
		ts = append(ts, t)
	}
	sortTuples(ts)
	return ts
}

// MergeTuples merges ⟨T2, C2⟩ into ⟨T1, C1⟩ if all threads of T2 are in T1 and
// C1 ≫ C2, which gives ⟨T1, C1+C2⟩, until nothing can be merged. What is left
// are the thread pools that sampling detects.
func MergeTuples(ts []Tuple) []Tuple {
	ts = slices.Clone(ts)
	for {
		sortTuples(ts)
		i, j := mergeable(ts)
		if i < 0 {
			return ts
		}
		ts[i].Count += ts[j].Count
		ts = slices.Delete(ts, j, j+1)
	}
}

func mergeable(ts []Tuple) (into, from int) {
	for j := len(ts) - 1; j >= 0; j-- {
		for i := range ts {
			if i != j && ts[i].Count >= muchGreater*ts[j].Count && contains(ts[i].Threads, ts[j].Threads) {
				return i, j
			}
		}
	}
	return -1, -1
}

// contains reports whether all of b are in a; both are ascending.
func contains(a, b []int64) bool {
	for _, x := range b {
		if _, ok := slices.BinarySearch(a, x); !ok {
			return false
		}
	}
	return true
}

func sortTuples(ts []Tuple) {
	slices.SortStableFunc(ts, func(a, b Tuple) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), slices.Compare(a.Threads, b.Threads))
	})
}

// LibraryFunctions returns the functions of the call trie that have more than
// one caller, in order of their names (§4.1). The root is not a caller.
func LibraryFunctions(s *trace.Samples) []string {
	callers := map[string]map[string]bool{}
	for _, n := range s.Trie {
		if n.Parent <= 0 {
			continue
		}
		f := n.Frame.Function
		if callers[f] == nil {
			callers[f] = map[string]bool{}
		}
		callers[f][s.Trie[n.Parent].Frame.Function] = true
	}
	var library []string
	for f, c := range callers {
		if len(c) > 1 {
			library = append(library, f)
		}
	}
	slices.Sort(library)
	return library
}
