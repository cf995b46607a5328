package settings

import (
	"fmt"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// WeighSemaphores finds the semaphores of which one place takes or gives back now
// more, now fewer permits. In a graph of probabilities what a thread gives back
// would not be what it took, and in time all permits would be lost or new ones come
// up; so the simulation has to remember.
func WeighSemaphores(tr *trail.Trail) {
	for _, g := range tr.Modelled {
		for _, v := range tr.Graphs[g].Vertices {
			if v.IsCPU() || v.Lock == nil || v.Lock.Kind != core.Semaphore || len(v.Args) == 0 {
				continue
			}
			switch v.Key.From.Op {
			case trace.OpAcquire, trace.OpTryAcquire, trace.OpRelease:
				v.Lock.Weighted = v.Lock.Weighted || v.Permits() == 0
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
func permitsParameter(tr *trail.Trail, m *core.Model, l *core.Lock) core.Parameter {
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
		tr.Assume(fmt.Sprintf("who takes all %d permits of %s would take all of another number too", l.Permits, l.ID))
	}
	p.Min = min(least, p.Default)
	p.SupportedMin = p.Min
	return p
}
