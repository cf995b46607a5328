package pools

import (
	"fmt"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// Modelled decides which pools get a graph: those that do something in
// the phase that is modelled. What a helper computes is charged to the thread
// that started it.
func Modelled(tr *trail.Trail) {
	of := trail.ThreadsOf(tr.Pools)
	helper := map[int64]int64{}
	for _, g := range tr.Pools {
		if g.Kind != trail.PoolHelper {
			continue
		}
		for _, q := range g.Sequences {
			for j := range q.Steps {
				helper[q.Thread.ID] += q.Steps[j].Gap
				tr.PhaseCPU += q.Steps[j].Gap
			}
		}
	}
	for _, g := range tr.Pools {
		switch g.Kind {
		case trail.PoolRuntime, trail.PoolHelper:
			continue
		}
		cpu, steps := int64(0), 0
		for _, q := range g.Sequences {
			for i := range q.Steps {
				s := &q.Steps[i]
				if s.Node.Op == trace.OpSpawn && of[int64(s.Value)] != nil && of[int64(s.Value)].Kind == trail.PoolHelper && i+1 < len(q.Steps) {
					q.Steps[i+1].Gap += helper[int64(s.Value)]
				}
				cpu += s.Gap
				tr.PhaseCPU += s.Gap
				if !s.Open && s.Node.Virtual == "" {
					steps++
				}
			}
		}
		switch {
		case g.Kind == trail.PoolTimer:
		case tr.Server && g.Kind == trail.PoolPerConnection && len(g.Sequences) == 0:
		case tr.Server && tr.HasConnections() && acceptsInPhase(g): // requests enter by themselves
		case tr.Server && steps == 0:
		case len(g.Sequences) == 0 || cpu == 0 && steps == 0:
		default:
			tr.Modelled = append(tr.Modelled, g)
		}
	}
	for _, g := range tr.Modelled {
		tr.ReportOf(g).Modelled = true
	}
	if len(tr.Modelled) == 0 {
		tr.Err = fmt.Errorf("%w: no thread of the program did anything between probes; was it instrumented, and did it run long enough?", trail.ErrNoWork)
	}
}

func acceptsInPhase(g *trail.Pool) bool {
	for _, q := range g.Sequences {
		for i := range q.Steps {
			if q.Steps[i].Node.Op == trace.OpAccept {
				return true
			}
		}
	}
	return false
}
