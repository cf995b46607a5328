package java

import (
	"testing"

	"tierscope/analysis/trace"
)

// Three threads register with a phaser that was made for one party; they meet in two phases, and one of them leaves before
// the third, in which two meet. Another phaser is used by nobody else than the two threads that it was made for.
func TestAsManyMeetAtAPhaserAsReturnFromAPhase(t *testing.T) {
	t.Parallel()
	const dynamic, fixed = 5, 6
	probes := []probe{{}, {op: trace.OpBarrier, kind: "phaser", meaning: meaning{op: trace.OpBarrier, kind: "phaser"}}}
	returns := func(of uint32, phases ...int32) (hs []hit24) {
		for _, n := range phases {
			hs = append(hs, hit24{probe: 1, object: of}, hit24{probe: 1, object: of, end: true, arg: n})
		}
		return hs
	}
	r := &recording{threads: map[int64][]hit24{
		1: append(returns(dynamic, 1, 2, 3), returns(fixed, 1)...),
		2: append(returns(dynamic, 1, 2, 3), returns(fixed, 1)...),
		3: returns(dynamic, 1, 2),
	}}
	if got := r.parties(probes); got[dynamic] != 3 || got[fixed] != 2 {
		t.Errorf("%d meet at the first and %d at the second, want 3 and 2", got[dynamic], got[fixed])
	}
}
