package java

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"tierscope/analysis/trace"
	"tierscope/core"
)

// What a recording may cost before probes are taken out: a share of the CPU
// time of the program. A hit costs 41 ns on Java 17 in a loop, 228 ns more where the
// CPU clock is read (measured on 2 vCPUs). In a server hits are seldom and find the
// caches cold: 0.5 to 1.8 µs were measured by turns.
const (
	hitCost       = 300.0 // ns
	serverHitCost = 1000.0
	costShare     = 0.03
	waitShare     = 0.005 // of the threads' elapsed time: a lock for which nobody waits longer does not matter
	serverShare   = 0.03  // of a server's CPU time: most of the elapsed time nobody does anything
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
	writes bool  // it has writes to connections, which tell when an answer left
}

func (f *family) root() *family {
	for f.parent != nil {
		f = f.parent
	}
	return f
}

// extent is what of a recording counts: the work phase of a server, or all.
func (r *recording) extent(o outcome) (from, to, cpu int64) {
	if o.Work[1] > 0 {
		return o.Work[0] - r.zero, o.Work[1] - r.zero, o.WorkCPU.Nanoseconds()
	}
	return math.MinInt64, math.MaxInt64, o.CPU.Nanoseconds()
}

// allowed is how many hits a recording may have, by what the hits of this one
// cost.
func (r *recording) allowed(o outcome, hits int64) int64 {
	_, _, cpu := r.extent(o)
	cost := hitCost
	if o.Work[1] > 0 {
		cost = serverHitCost
	}
	if o.more > 0 && hits > 0 {
		cost = max(cost, float64(cpu)*o.more/(1+o.more)/float64(hits))
	}
	return int64(costShare * float64(cpu) / cost)
}

// tooMuch reports whether the hits of a recording disturb the program: they
// did not find room, or cost more than their share of its CPU time.
func (r *recording) tooMuch(o outcome) bool {
	from, to, _ := r.extent(o)
	hits := int64(0)
	for _, hs := range r.threads {
		for i := range hs {
			if hs[i].time >= from && hs[i].time < to {
				hits++
			}
		}
	}
	return r.full || hits > r.allowed(o, hits)
}

// mutable returns the probes without which the next recording does, so that it
// disturbs the program as little as is allowed, or not much more: of locks for
// which nobody waits, of files and connections that nobody waits for, and of counters,
// those that are hit most first, and writes to connections last; all probes of a lock together.
// Their CPU time stays in the computation around them.
func (r *recording) mutable(in *instrumented, j *journal, o outcome) map[int]bool {
	fs, all, elapsed := r.families(in, o)
	bearable := waitShare * float64(elapsed)
	if o.Work[1] > 0 {
		bearable = serverShare * float64(o.WorkCPU.Nanoseconds())
	}
	harmless := map[*family]bool{}
	var roots []*family
	for _, f := range fs {
		if f != nil && f.parent == nil && !f.keep && float64(f.waited) < bearable {
			harmless[f] = true
			if f.hits > smallestHabit {
				roots = append(roots, f)
			}
		}
	}
	slices.SortStableFunc(roots, func(a, b *family) int {
		switch {
		case a.writes && !b.writes:
			return 1
		case b.writes && !a.writes:
			return -1
		}
		return cmp.Compare(b.hits, a.hits)
	})
	chosen := map[*family]bool{}
	for allowed := r.allowed(o, all); len(roots) > 0 && all > allowed; roots = roots[1:] {
		chosen[roots[0]] = true
		all -= roots[0].hits
	}
	muted := r.muteMade(in, j, o, fs, harmless, chosen)
	for p, f := range fs {
		if f != nil && chosen[f.root()] {
			muted[p] = true
		}
	}
	return muted
}

// kindMade is the kind of the probes in constructors that tell what was made.
const kindMade = "made"

// muteMade returns the constructors of classes of whose objects so many are
// made that it costs, and of which all probes are harmless; those it adds to the
// chosen ones, for without the constructors they mean nothing.
func (r *recording) muteMade(in *instrumented, j *journal, o outcome, fs []*family, harmless, chosen map[*family]bool) map[int]bool {
	users := map[uint32]map[*family]bool{}
	for _, hs := range r.threads {
		for i := range hs {
			h := &hs[i]
			if int(h.probe) >= len(fs) || fs[h.probe] == nil {
				continue // not hit in the extent
			}
			if users[h.object] == nil {
				users[h.object] = map[*family]bool{}
			}
			users[h.object][fs[h.probe].root()] = true
		}
	}
	from, to, _ := r.extent(o)
	often, needed, by := map[string]int{}, map[string]bool{}, map[string]map[*family]bool{}
	for _, m := range j.made {
		c := m.constructor()
		if m.time >= from && m.time < to {
			often[c]++
		}
		if by[c] == nil {
			by[c] = map[*family]bool{}
		}
		for _, id := range []uint32{m.identity, m.part, m.other} {
			if id == 0 {
				continue
			}
			for f := range users[id] {
				by[c][f] = true
				needed[c] = needed[c] || !harmless[f]
			}
		}
	}
	muted := map[int]bool{}
	for i := range in.probes {
		p := &in.probes[i]
		c := p.frame.Function
		if p.kind != kindMade || often[c] <= smallestHabit || needed[c] {
			continue
		}
		muted[i] = true
		for f := range by[c] {
			if harmless[f] {
				chosen[f] = true
			}
		}
	}
	return muted
}

// constructor is the function of the library that made an object.
func (m *made) constructor() string {
	for _, f := range m.stack {
		if strings.HasSuffix(f.Function, ".<init>") && constructed[strings.TrimSuffix(f.Function, ".<init>")] {
			return f.Function
		}
	}
	return ""
}

// selects reports whether a selector tells the program of its requests: then they
// are not told apart by what is read and written.
func (r *recording) selects(in *instrumented) bool {
	for _, hs := range r.threads {
		for i := range hs {
			if p := int(hs[i].probe); p < len(in.probes) && in.probes[p].kind == "selector" {
				return true
			}
		}
	}
	return false
}

// families are the probes, by number, with those that work on the same
// locks or connections, the number of all hits, and the threads' elapsed time, in ns.
func (r *recording) families(in *instrumented, o outcome) (byProbe []*family, all, elapsed int64) {
	byProbe = make([]*family, len(in.probes))
	byObject := map[uint32]*family{}
	from, to, _ := r.extent(o)
	selected := r.selects(in)
	for _, id := range r.order {
		hs := r.threads[id]
		if len(hs) > 0 {
			elapsed += hs[len(hs)-1].time - hs[0].time
		}
		for i := range hs {
			h := &hs[i]
			if h.time < from || h.time >= to {
				continue
			}
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
			f.writes = f.writes || in.probes[h.probe].op == trace.OpNetWrite
			switch op := in.probes[h.probe].op; {
			case op == trace.OpLock || op == trace.OpUnlock || op == trace.OpTryLock, selected && (op == trace.OpNetRead || op == trace.OpNetWrite):
				if o := byObject[h.object]; o == nil {
					byObject[h.object] = f
				} else if o = o.root(); o != f {
					o.hits, o.waited, o.keep, o.writes = o.hits+f.hits, o.waited+f.waited, o.keep || f.keep, o.writes || f.writes
					f.parent, f = o, o
				}
			case op == trace.OpCount || op == trace.OpNone || op.Class() == core.IOFragment:
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
	for p, more := range r.unseen(len(byProbe), from, to) {
		if f := byProbe[p]; f != nil {
			f.root().hits += more
			all += more
		}
	}
	return byProbe, all, elapsed
}

// unseen estimates how many more hits every probe would have had if those that
// used up what a pilot recording has for them had gone on as before.
func (r *recording) unseen(probes int, from, to int64) []int64 {
	begin, end := int64(math.MaxInt64), int64(math.MinInt64)
	hits, seen, last := make([]int64, probes), make([]int64, probes), make([]int64, probes)
	for _, hs := range r.threads {
		for i := range hs {
			h := &hs[i]
			begin, end = min(begin, h.time), max(end, h.time)
			if int(h.probe) >= probes {
				continue
			}
			hits[h.probe]++
			if h.time >= from && h.time < to {
				seen[h.probe]++
				last[h.probe] = max(last[h.probe], h.time)
			}
		}
	}
	from, to = max(from, begin), min(to, end)
	more := make([]int64, probes)
	for p := range more {
		if hits[p] >= pilotHits && last[p] > from {
			more[p] = int64(float64(seen[p]) * float64(max(to-last[p], 0)) / float64(last[p]-from))
		}
	}
	return more
}
