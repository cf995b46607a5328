package java

import "tierscope/analysis/trace"

// A Phaser is made for some parties, and others register with it and leave it:
//
//	Phaser p = new Phaser(1); for (…) { p.register(); pool.execute(…) }; p.arriveAndDeregister();
//
// How many meet shows in what arriveAndAwaitAdvance returns, the number of the phase that comes next: of each phase as many
// calls return as threads met.

// parties returns how many threads met most often at each phaser.
func (r *recording) parties(probes []probe) map[uint32]int64 {
	type phase struct {
		of     uint32
		number int32
	}
	met := map[phase]int64{}
	for _, hits := range r.threads {
		for i := range hits {
			h := &hits[i]
			if p := probes[min(int(h.probe), len(probes)-1)]; h.end && h.arg > 0 && p.kind == "phaser" && p.op == trace.OpBarrier {
				met[phase{h.object, h.arg}]++
			}
		}
	}
	times := map[uint32]map[int64]int{}
	for p, n := range met {
		if times[p.of] == nil {
			times[p.of] = map[int64]int{}
		}
		times[p.of][n]++
	}
	most := map[uint32]int64{}
	for of, by := range times {
		for n, k := range by {
			if b := most[of]; b == 0 || k > by[b] || k == by[b] && n > b {
				most[of] = n
			}
		}
	}
	return most
}
