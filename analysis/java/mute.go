package java

import "tierscope/analysis"

// What a recording may cost before probes are taken out: a share of the CPU
// time of the program. A hit costs 41 ns on Java 17, and 228 ns more where the
// CPU clock is read, which is not at every hit (measured on 2 vCPUs).
const (
	hitCost       = 150 // ns
	costShare     = 0.03
	waitShare     = 0.005 // of the threads' elapsed time: a lock for which nobody waits longer does not matter
	hotShare      = 0.02  // of all hits
	smallestHabit = 1000  // hits
)

// pilotHits is how many hits of one probe the first recording has at most: it
// shows which probes are hit too often, without being slowed down by them for
// long. If there is one the next recording is not limited.
const pilotHits = 200_000

// overrun reports whether a probe used up what a pilot recording has for it.
func (r *recording) overrun() bool {
	hits := map[uint16]int{}
	for _, hs := range r.threads {
		for i := range hs {
			hits[hs[i].probe]++
		}
	}
	for _, n := range hits {
		if n >= pilotHits {
			return true
		}
	}
	return false
}

// family is a set of probes that work on the same objects.
type family struct {
	parent *family
	hits   int64
	waited int64 // ns off the core inside the operations
	keep   bool  // it has operations that a model cannot do without
}

func (f *family) root() *family {
	for f.parent != nil {
		f = f.parent
	}
	return f
}

// tooMuch reports whether the hits of a recording disturb the program: they
// did not find room, or cost more than their share.
func (r *recording) tooMuch(cpu int64) bool {
	hits := int64(0)
	for _, hs := range r.threads {
		hits += int64(len(hs))
	}
	return r.full || float64(hits*hitCost) > costShare*float64(cpu)
}

// mutable returns the probes without which the next recording does: those of
// locks that are entered very often and for which nobody waits, all probes of
// such a lock together. Their CPU time stays in the computation around them.
func (r *recording) mutable(in *instrumented) map[int]bool {
	byProbe := make([]*family, len(in.probes))
	byObject := map[uint32]*family{}
	var all, elapsed int64
	for _, id := range r.order {
		hs := r.threads[id]
		if len(hs) > 0 {
			elapsed += hs[len(hs)-1].time - hs[0].time
		}
		for i := range hs {
			h := &hs[i]
			all++
			if int(h.probe) >= len(in.probes) || h.probe == 0 {
				continue
			}
			f := byProbe[h.probe]
			if f == nil {
				f = &family{}
				byProbe[h.probe] = f
			}
			f = f.root()
			f.hits++
			switch op := in.probes[h.probe].op; op {
			case analysis.OpLock, analysis.OpUnlock, analysis.OpTryLock:
				if o := byObject[h.object]; o == nil {
					byObject[h.object] = f
				} else if o = o.root(); o != f {
					o.hits, o.waited, o.keep = o.hits+f.hits, o.waited+f.waited, o.keep || f.keep
					f.parent, f = o, o
				}
			case analysis.OpCount, analysis.OpNone:
			default:
				f.keep = true
				if o := byObject[h.object]; h.object != 0 && o != nil {
					o.root().keep = true // waits and signals need their lock
				}
			}
			if h.end && i > 0 && hs[i-1].probe == h.probe && !hs[i-1].end {
				f.waited += max(h.time-hs[i-1].time-(h.cpu-hs[i-1].cpu)-(h.ready-hs[i-1].ready), 0)
			}
		}
	}
	muted := map[int]bool{}
	for p, f := range byProbe {
		if f == nil {
			continue
		}
		f = f.root()
		if !f.keep && f.hits > smallestHabit && float64(f.hits) > hotShare*float64(all) && float64(f.waited) < waitShare*float64(elapsed) {
			muted[p] = true
		}
	}
	return muted
}
