package native

import (
	"strings"
	"testing"

	"tierscope/analysis/trace"
)

// at is a wait or a wake-up at a number in memory, ended after 10 ns.
func at(time int64, op trace.Op, object uint64, arg int64) []trace.Record {
	end := arg
	if op == trace.OpPark {
		end = 1
	}
	return []trace.Record{{Time: time, Op: op, Object: object, Arg: arg}, {Time: time + 10, Op: op, Object: object, Arg: end, End: true}}
}

// Who waited at a lock wakes one when it leaves it; what is waited for at a condition somebody else says, or it is said to all, or the
// number is another one each time.
func TestOnlyTheWaitsOfALockAreLeftOut(t *testing.T) {
	t.Parallel()
	join := func(all ...[]trace.Record) (rs []trace.Record) {
		for _, r := range all {
			rs = append(rs, r...)
		}
		return rs
	}
	for name, x := range map[string]struct {
		one, other []trace.Record
		left       int
	}{
		"a lock":              {join(at(10, trace.OpPark, 1, 2), at(30, trace.OpUnpark, 1, 1)), join(at(5, trace.OpUnpark, 1, 1), at(40, trace.OpPark, 1, 2), at(50, trace.OpPark, 1, 2), at(70, trace.OpUnpark, 1, 1)), 0},
		"a condition":         {join(at(10, trace.OpPark, 1, 2)), join(at(30, trace.OpUnpark, 1, 1)), 4},
		"a latch":             {join(at(10, trace.OpPark, 1, 2), at(30, trace.OpUnpark, 1, 1<<31-1)), nil, 4},
		"a counter":           {join(at(10, trace.OpPark, 1, 7), at(30, trace.OpUnpark, 1, 1)), nil, 4},
		"nobody waited":       {join(at(10, trace.OpUnpark, 1, 1)), nil, 2},
		"a lock and a thread": {join(at(10, trace.OpPark, 1, 2), at(30, trace.OpUnpark, 1, 1), at(50, trace.OpPark, 2, 0)), join(at(60, trace.OpUnpark, 2, 1)), 4},
	} {
		tr := &trace.Trace{Threads: []trace.Thread{{Records: x.one}, {Records: x.other}}}
		hiddenLocks(tr)
		if left := tr.Records(); left != x.left {
			t.Errorf("%s: %d records are left, want %d", name, left, x.left)
		}
		if said := len(tr.Warnings) > 0; said != (strings.HasPrefix(name, "a lock")) {
			t.Errorf("%s: it says %q", name, tr.Warnings)
		}
		for _, th := range tr.Threads {
			for _, r := range th.Records {
				if r.Op == trace.OpPark && !r.End && r.Arg != 0 {
					t.Errorf("%s: a wait has the argument %d", name, r.Arg)
				}
			}
		}
	}
}
