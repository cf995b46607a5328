package simulation

import (
	"slices"
	"testing"

	"tierscope/core"
)

// meetings is three threads that meet in four rounds, of which in each another one swaps before it meets, and the last one also
// reports in the second: 0 work, 1 swap, 2 meet, 3 report.
func meetings() (*core.Model, *core.Walks) {
	m := &core.Model{Locks: []core.Lock{{ID: "barrier", Kind: core.Barrier, Parties: 3}, {ID: "mutex", Kind: core.Mutex}}}
	w := &core.Walks{Graphs: []core.WalkGraph{{ID: "worker", Fragments: []string{"work", "swap", "meet", "report"}}},
		Objects: []core.WalkObject{{Of: "barrier", Monitor: -1}, {Of: "mutex", Monitor: -1}}}
	for i := range 3 {
		t := core.Walk{Pool: "worker", Parent: -1, Ended: true}
		for k := range 4 {
			t.Moves = append(t.Moves, core.Move{Fragment: 0, Object: -1, Amount: int64(10*k + i + 1)})
			if k%3 == i {
				t.Moves = append(t.Moves, core.Move{Fragment: 1, Object: 1})
			}
			if k == 1 && i == 1 {
				t.Moves = append(t.Moves, core.Move{Fragment: 3, Object: -1})
			}
			t.Moves = append(t.Moves, core.Move{Fragment: 2, Object: 0})
		}
		w.Threads = append(w.Threads, t)
	}
	return m, w
}

// does counts the moves of threads at a fragment, by thread.
func does(threads []core.Walk, fragment int32) (n []int) {
	for _, t := range threads {
		n = append(n, 0)
		for _, x := range t.Moves {
			if x.Fragment == fragment {
				n[len(n)-1]++
			}
		}
	}
	return n
}

// What one of three threads does in each round is done in each round by those that are there, and by nobody twice; all else is what
// it was, and so it is where threads do not meet.
func TestWhatOneThreadDoesForAllIsDoneOnce(t *testing.T) {
	t.Parallel()
	m, w := meetings()
	team := []int32{0, 1, 2}
	if got, want := roundedOf(m, w, team).leads(), []int{0, 1, 2, 0, -1}; !slices.Equal(got, want) {
		t.Fatalf("the leads are %v, want %v", got, want)
	}
	for n, want := range map[int][]int{1: {4}, 2: {3, 1}} {
		kept := keepLeads(m, w, "worker", 3, n).Threads
		if got := does(kept[:n], 1); !slices.Equal(got, want) {
			t.Errorf("%d threads swap %v times, want %v", n, got, want)
		}
		if got := does(kept, 2); !slices.Equal(got, []int{4, 4, 4}) {
			t.Errorf("with %d they meet %v times, want 4 each", n, got)
		}
		if got := does(kept[:n], 3); got[0]+got[len(got)-1] == 0 {
			t.Errorf("with %d nobody reports", n)
		}
	}
	if keepLeads(m, w, "worker", 3, 4) != w {
		t.Error("the walks of more threads are others")
	}
	for at, moves := range withoutLeads(m, w, team) {
		if does([]core.Walk{{Moves: moves}}, 1)[0]+does([]core.Walk{{Moves: moves}}, 3)[0] != 0 || does([]core.Walk{{Moves: moves}}, 2)[0] != 4 {
			t.Errorf("a thread that follows walk %d does %v", at, moves)
		}
	}
	w.Threads[2].Moves = w.Threads[2].Moves[:len(w.Threads[2].Moves)-1]
	if roundedOf(m, w, team) != nil {
		t.Error("threads of which one meets less often do so in rounds")
	}
}
