package prolong

import (
	"context"
	"slices"
	"sync"

	"tierscope/core"
	"tierscope/simulation"
)

// SpeedUp is what a module's being faster does to the whole, as relative
// reductions.
type SpeedUp struct {
	Module   string  `json:"module"`
	Gain     float64 `json:"gain"`               // of the makespan, or of the response time where the program has no end
	Response float64 `json:"response,omitempty"` // of the mean response time of tasks; 0 without tasks
}

// Faster returns the model with the own time of the module, computations and
// waits for something outside, cut by a share. Waits for others are left as
// they come out, and so is the time of those of the other modules that it calls.
func (m *Module) Faster(model core.Model, share float64, others []Module) core.Model {
	model.Graphs = slices.Clone(model.Graphs)
	for gi := range model.Graphs {
		g := &model.Graphs[gi]
		g.Fragments = slices.Clone(g.Fragments)
		for fi := range g.Fragments {
			f := &g.Fragments[fi]
			if (f.Class == core.CPUFragment || f.Class == core.DelayFragment) && m.owns(g.ID, f.ID, others) {
				if f.Scale == 0 {
					f.Scale = 1
				}
				f.Scale *= 1 - share
			}
		}
	}
	return model
}

// owns reports whether a fragment is executed in the module and not in another
// that it calls.
func (m *Module) owns(graph, fragment string, others []Module) bool {
	return m.fragments[graph][fragment] && !slices.ContainsFunc(others, func(o Module) bool {
		return m.calls[o.Name] && !o.calls[m.Name] && o.fragments[graph][fragment]
	})
}

// SpeedUps simulates the model with each module faster by a share, on the same
// random numbers, and returns the gains in the order of r.Modules.
func (r *Result) SpeedUps(ctx context.Context, m core.Model, settings map[string]float64, share float64, o Options) ([]SpeedUp, error) {
	m, err := m.With(settings)
	if err != nil {
		return nil, err
	}
	o.Workers = simulation.NewPool(0)
	const replications = 5
	elapsed := make([]float64, len(r.Modules)+1) // the last is the model as it is
	response := make([]float64, len(elapsed))
	errs := make([]error, len(elapsed))
	var wait sync.WaitGroup
	for i := range elapsed {
		wait.Go(func() {
			changed := m
			if i < len(r.Modules) {
				changed = r.Modules[i].Faster(m, share, r.Modules)
			}
			for k := range uint64(replications) {
				seen, err := o.observe(ctx, changed, nil, o.Seed+k)
				if err != nil {
					errs[i] = err
					return
				}
				elapsed[i] += seen.elapsed
				response[i] += seen.response
			}
		})
	}
	wait.Wait()
	var out []SpeedUp
	for i, module := range r.Modules {
		if errs[i] != nil {
			return nil, errs[i]
		}
		u := SpeedUp{Module: module.Name, Gain: 1 - elapsed[i]/elapsed[len(r.Modules)]}
		if base := response[len(r.Modules)]; base > 0 {
			u.Response = 1 - response[i]/base
		}
		out = append(out, u)
	}
	return out, errs[len(r.Modules)]
}
