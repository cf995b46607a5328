package native

import (
	"testing"

	"tierscope/analysis/trace"
)

// sleepers are threads that sleep for ms with one of two permits of which only waits and those who end them are seen. free: nobody
// ever has to wait.
func sleepers(threads, times int, free bool) *trace.Trace {
	const object, ms = 7, 1_000_000
	t := &trace.Trace{Threads: make([]trace.Thread, threads)}
	now := make([]int64, threads)
	freed := []int64{0, 0}
	waits := 0
	for range times {
		for i := range t.Threads {
			t.Threads[i].ID = int64(i + 1)
			rs := &t.Threads[i].Records
			k := 0
			if freed[1] < freed[0] {
				k = 1
			}
			now[i] += 1000
			if free {
				freed[k] = min(freed[k], now[i])
			}
			if freed[k] > now[i] {
				waits++
				*rs = append(*rs, trace.Record{Time: now[i], Op: trace.OpYield, Site: 1}, trace.Record{Time: now[i] + 1, Op: trace.OpYield, Site: 1, End: true},
					trace.Record{Time: now[i] + 2, Op: trace.OpPark, Object: object, Site: 1}, trace.Record{Time: freed[k] + 1, Op: trace.OpPark, Object: object, Site: 1, End: true, Arg: 1})
				now[i] = freed[k] + 2
			}
			*rs = append(*rs, trace.Record{Time: now[i], Op: trace.OpSleep, Site: 2, Arg: ms}, trace.Record{Time: now[i] + ms, Op: trace.OpSleep, Site: 2, End: true})
			now[i] += ms
			freed[k] = now[i]
			if !free {
				*rs = append(*rs, trace.Record{Time: now[i], Op: trace.OpUnpark, Object: object, Site: 3, Arg: 1<<31 - 1}, trace.Record{Time: now[i], Op: trace.OpUnpark, Object: object, Site: 3, Arg: 1<<31 - 1, End: true})
			}
		}
	}
	return t
}

// Permits are seen where threads wait for them, and who has them between; without a wait nothing tells of any, and what a thread
// waits for that gives nothing back is none.
func TestAStockOfPermitsShowsInTheWaitsForIt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		threads int
		free    bool
		change  func(*trace.Trace)
		permits int64
	}{
		"four threads, two permits": {threads: 4, permits: 2},
		"nobody waits":              {threads: 4, free: true},
		"one is told late once": {threads: 4, permits: 2, change: func(t *trace.Trace) {
			rs := t.Threads[0].Records
			for k := len(rs) / 2; ; k++ {
				if r := &rs[k]; r.Op == trace.OpSleep && r.End {
					r.Time += 10
					return
				}
			}
		}},
		"a number of another kind": {threads: 4, change: func(t *trace.Trace) {
			for i := range t.Threads {
				for k := range t.Threads[i].Records {
					if r := &t.Threads[i].Records[k]; r.Op == trace.OpPark && !r.End {
						r.Arg = 3
					}
				}
			}
		}},
	} {
		tr := sleepers(c.threads, 20, c.free)
		if c.change != nil {
			c.change(tr)
		}
		hiddenStocks(tr)
		if (len(tr.Objects) > 0) != (c.permits > 0) || len(tr.Objects) > 0 && tr.Objects[0].Capacity != c.permits {
			t.Errorf("%s: objects are %+v, want %d permits", name, tr.Objects, c.permits)
			continue
		}
		for i := range tr.Threads {
			n := map[trace.Op]int{}
			for _, r := range tr.Threads[i].Records {
				if r.End {
					n[r.Op]++
				}
			}
			if c.permits > 0 && (n[trace.OpAcquire] != 20 || n[trace.OpRelease] != 20 || n[trace.OpPark]+n[trace.OpUnpark]+n[trace.OpYield] > 0) {
				t.Errorf("%s: thread %d does %v", name, i, n)
			}
		}
	}
}
