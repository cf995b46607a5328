package java

import (
	"slices"
	"testing"

	"tierscope/analysis/trace"
)

// BlockingQueue.drainTo returns how many it took. As many takes, and a look in vain, but where it came to its limit.
func TestADrainIsAsManyTakesAsItReturns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		limit int64 // 0: none
		got   int32
		looks []int64 // results
	}{{0, 2, []int64{1, 1, 0}}, {5, 2, []int64{1, 1, 0}}, {2, 2, []int64{1, 1}}, {0, 0, []int64{0}}} {
		var th jthread
		(&decoder{}).drain(&th, trace.Record{Time: 10, Op: trace.OpTryReceive, Object: 7, Arg: c.limit}, &hit24{time: 20, cpu: 3, arg: c.got})
		var looks []int64
		for i, r := range th.Records {
			if r.Op != trace.OpTryReceive || r.Object != 7 || r.End != (i%2 == 1) {
				t.Errorf("record %d: %+v", i, r)
			}
			if r.End {
				looks = append(looks, r.Arg)
			} else if r.Arg != 0 {
				t.Errorf("record %d has the limit for an argument: %+v", i, r)
			}
		}
		if !slices.Equal(looks, c.looks) {
			t.Errorf("limit %d, %d taken: looks %v, want %v", c.limit, c.got, looks, c.looks)
		}
	}
}
