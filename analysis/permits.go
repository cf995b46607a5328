package analysis

import (
	"fmt"

	"tierscope/core"
)

// permits is how many permits of a semaphore each execution of an operation takes
// or gives back; 0: now more, now fewer.
func (v *vertex) permits() int {
	for _, n := range v.args {
		if n != v.args[0] {
			return 0
		}
	}
	return max(1, int(v.args[0]))
}

// weighSemaphores finds the semaphores of which one place takes or gives back now
// more, now fewer permits. In a graph of probabilities what a thread gives back
// would not be what it took, and in time all permits would be lost or new ones come
// up; so the simulation has to remember.
func (b *build) weighSemaphores() {
	for _, g := range b.modelled {
		for _, v := range b.graphs[g].vertices {
			if v.isCPU() || v.lock == nil || v.lock.kind != core.Semaphore || len(v.args) == 0 {
				continue
			}
			switch v.key.from.op {
			case OpAcquire, OpTryAcquire, OpRelease:
				v.lock.weighted = v.lock.weighted || v.permits() == 0
			}
		}
	}
}

// permitsParameter returns the size of a semaphore. Who takes all permits where
// others take fewer waits for the others, and does so with any size:
//
//	sem.Acquire(ctx, 1); go func() { defer sem.Release(1); … }()
//	…
//	sem.Acquire(ctx, size)
//
// Who asks for more than there are waits for ever.
func (b *build) permitsParameter(m *core.Model, l *core.Lock) core.Parameter {
	p := sizeParameter("locks/"+l.ID+"/permits", l.ID, l.Permits, "permits")
	all, least := []core.Target{}, 0.0
	for _, g := range m.Graphs {
		for i := range g.Fragments {
			f := &g.Fragments[i]
			switch s := f.Sync; {
			case s == nil || s.Lock != l.ID || s.Op != core.Enter:
			case s.N == l.Permits:
				all = append(all, core.Target{Path: "graphs/" + g.ID + "/fragments/" + f.ID + "/permits"})
			case s.N > 0:
				least = max(least, float64(s.N))
			default:
				least = max(least, s.Permits.Quantile(1))
			}
		}
	}
	if least == 0 {
		return p // all ask for as many, whatever the size
	}
	if len(all) > 0 {
		p.Targets = append(p.Targets, all...)
		b.assume(fmt.Sprintf("who takes all %d permits of %s would take all of another number too", l.Permits, l.ID))
	}
	p.Min, p.SupportedMin = least, least
	return p
}
