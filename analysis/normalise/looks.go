package normalise

import (
	"cmp"
	"math"

	"tierscope/analysis/trace"
)

// spun is how long a thread may compute between two looks, ns of CPU. Measured: 1 to 2 µs with std::barrier of libstdc++ 12; phases
// that are shorter than ten times that are nothing but waiting.
const spun = 20_000

// look is a wait of a thread: yields, and sleeps, that follow each other.
type look struct {
	thread      int
	first, past int   // records
	begin, end  int64 // ns
	worked      int64 // ns of CPU since the record before
	object      uint64
}

// looks lists the waits by what is waited for: the object at which threads sleep, or else the place where they
// ask; and the records with which others wake all that sleep there.
func looks(t *trace.Trace) (by map[uint64][]look, wakes map[uint64]map[int][]int) {
	by, wakes = map[uint64][]look{}, map[uint64]map[int][]int{}
	slept := map[int32]uint64{}
	var all []look
	for i := range t.Threads {
		rs := t.Threads[i].Records
		for k := range rs {
			r := &rs[k]
			switch {
			case r.Op == trace.OpUnpark && r.End && r.Arg == math.MaxInt32 && k > 0 && rs[k-1].Op == trace.OpUnpark && !rs[k-1].End:
				if wakes[r.Object] == nil {
					wakes[r.Object] = map[int][]int{}
				}
				wakes[r.Object][i] = append(wakes[r.Object][i], k)
			case r.Op == trace.OpYield || r.Op == trace.OpPark:
				if n := len(all) - 1; k == 0 || n < 0 || all[n].thread != i || all[n].past != k || !r.End && r.CPU-rs[k-1].CPU > spun && (r.Op == trace.OpYield || rs[k-1].Op == trace.OpPark) { // who sleeps has looked before
					all = append(all, look{thread: i, first: k, begin: r.Time, worked: r.CPU - rs[max(k-1, 0)].CPU})
				}
				l := &all[len(all)-1]
				l.past, l.end = k+1, r.Time
				if r.Op == trace.OpPark {
					l.object, slept[rs[l.first].Site] = r.Object, r.Object
				}
			}
		}
	}
	for _, l := range all {
		site := t.Threads[l.thread].Records[l.first].Site
		key := cmp.Or(l.object, slept[site])
		if key == 0 {
			key = math.MaxUint64 - uint64(site)
		}
		by[key] = append(by[key], l)
	}
	return by, wakes
}
