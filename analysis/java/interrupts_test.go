package java

import (
	"testing"

	"tierscope/analysis/trace"
)

// Two threads take from a queue until they are interrupted, one while it waits, one while it works: the queue is closed by the
// first interrupt. It is not if somebody takes from it who is not interrupted, or takes more after it; and an interrupt of who
// sleeps closes nothing.
func TestWhoEndsAllTakersOfAQueueByInterruptsClosesIt(t *testing.T) {
	t.Parallel()
	const queue, other = 7, 8
	take := func(begin, end, got int64) []trace.Record {
		return []trace.Record{{Time: begin, Op: trace.OpReceive, Object: queue}, {Time: end, Op: trace.OpReceive, Object: queue, Arg: got, End: true}}
	}
	tell := func(at int64, thread uint64) []trace.Record {
		return []trace.Record{{Time: at, Op: trace.OpClose, Object: interruptOf | thread}, {Time: at + 1, Op: trace.OpClose, Object: interruptOf | thread, End: true}}
	}
	for name, c := range map[string]struct {
		more []trace.Record // of a third thread
		want uint64         // what the first interrupt closes
	}{
		"all are interrupted":               {nil, queue},
		"one ends by what it is sent":       {take(10, 60, 1), 0},
		"one takes more afterwards":         {append(take(10, 120, 0), take(121, 130, 1)...), 0},
		"one sleeps when it is interrupted": {[]trace.Record{{Time: 50, Op: trace.OpSleep}, {Time: 120, Op: trace.OpSleep, End: true}}, queue},
	} {
		tr := &trace.Trace{Threads: []trace.Thread{
			{ID: 1, Records: append(append(append(tell(100, 2), tell(105, 3)...), tell(110, 4)...), trace.Record{Time: 200, Op: trace.OpClose, Object: other})},
			{ID: 2, Records: append(take(10, 50, 1), take(60, 101, 0)...)},
			{ID: 3, Records: append(take(10, 50, 1), take(150, 151, 0)...)},
			{ID: 4, Records: c.more},
		}}
		interrupts(tr)
		var closes []trace.Record
		for _, r := range tr.Threads[0].Records {
			if r.Object != other {
				closes = append(closes, r)
			}
		}
		switch {
		case c.want == 0 && len(closes) > 0:
			t.Errorf("%s: closes are %+v, want none", name, closes)
		case c.want != 0 && (len(closes) != 2 || closes[0].Object != c.want || closes[0].Time != 100 || closes[1].Object != c.want || !closes[1].End):
			t.Errorf("%s: closes are %+v, want one of %d at 100", name, closes, c.want)
		}
		if n := len(tr.Threads[0].Records) - len(closes); n != 1 {
			t.Errorf("%s: %d other closes are left, want 1", name, n)
		}
	}
}
