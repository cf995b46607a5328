package recipe

import (
	"fmt"
	"maps"
	"slices"

	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/simulation"
	"tierscope/simulation/experiment"
)

// Observation is one value of one metric in one configuration, predicted or
// measured.
type Observation struct {
	// Configuration holds the value of every parameter, also of those that
	// have their default value.
	Configuration map[string]float64
	Metric        string // key, as simulation.Metric.Key returns
	Unit          string
	Value         float64
	Lo, Hi        float64 // both 0: no interval
	N             int     // runs or replications behind it
	Measured      bool
	ID            string // of the run
	Beyond        bool   // the measuring run is no evidence of it
	Warnings      []string
}

// FromResult returns the observations of a simulated configuration. defaults
// are the parameters of the model with their default values; settings of the
// result that are no parameters (paths) are kept as they are.
func FromResult(r *simulation.Result, defaults map[string]float64, id string) []Observation {
	configuration := make(map[string]float64, len(defaults)+len(r.Configuration))
	for name, v := range defaults {
		configuration[name] = v
	}
	for name, v := range r.Configuration {
		configuration[name] = v
	}
	observations := make([]Observation, 0, len(r.Metrics))
	for _, m := range r.Metrics {
		observations = append(observations, Observation{
			Configuration: configuration, Metric: m.Key(), Unit: m.Unit,
			Value: m.Estimate.Mean, Lo: quantity.AtLeastZero(m.Estimate.Lo, m.Estimate.Mean), Hi: m.Estimate.Hi, N: m.Estimate.N,
			ID: id, Warnings: slices.Concat(r.Warnings, m.Estimate.Warnings),
		})
	}
	return observations
}

// Extrapolated marks what is predicted beyond what the measuring run of a model supports.
func Extrapolated(observations []Observation, m *core.Model) []Observation {
	beyond := map[string]bool{} // by run
	for i := range observations {
		o := &observations[i]
		if _, known := beyond[o.ID]; !known && !o.Measured {
			beyond[o.ID] = len(m.Extrapolations(o.Configuration)) > 0
		}
		o.Beyond = !o.Measured && beyond[o.ID]
	}
	return observations
}

// FromRuns returns the observations of the runs of a model in its present
// revision. Of several runs of one configuration the latest of those with the
// most replications counts; interrupted ones do not, nor do those that nobody asked for. A setting that is no
// parameter has its value in the model where a run does not change it; a
// parameter that follows one that the run changes is left out.
func FromRuns(runs []experiment.Run, m *core.Model) []Observation {
	hash, paths := core.Hash(*m), map[string]float64{}
	var chosen []experiment.Run
	for _, r := range runs {
		if r.Result.ModelHash != hash || r.Result.Interrupted || !r.Asked(m) {
			continue
		}
		if named := m.Named(r.Result.Configuration); !maps.Equal(named, r.Result.Configuration) {
			result := *r.Result
			result.Configuration, r.Result = named, &result
		}
		chosen = append(chosen, r)
		for path := range r.Result.Configuration {
			if k, err := m.Lookup(path); err == nil {
				paths[path] = k.Value
			}
		}
	}
	beside := func(settings map[string]float64) map[string]float64 {
		defaults := m.Beside(settings)
		maps.Copy(defaults, paths)
		return defaults
	}
	best := map[string]int{} // configuration → index of sharpest
	var sharpest []experiment.Run
	for _, r := range chosen {
		configuration := beside(r.Result.Configuration)
		maps.Copy(configuration, r.Result.Configuration)
		id := fmt.Sprint(configuration) // prints a map in the order of its keys
		i, known := best[id]
		switch {
		case !known:
			best[id] = len(sharpest)
			sharpest = append(sharpest, r)
		case r.Result.Replications >= sharpest[i].Result.Replications:
			sharpest[i] = r
		}
	}
	var all []Observation
	for _, r := range sharpest {
		all = append(all, FromResult(r.Result, beside(r.Result.Configuration), r.ID)...)
	}
	return Extrapolated(all, m)
}

// Metrics returns the keys of all metrics, in order of first appearance, with
// R, X and U of whole classes and resources before details of fragments.
func Metrics(observations []Observation) []string {
	var keys []string
	seen := map[string]bool{}
	for _, o := range observations {
		if !seen[o.Metric] {
			seen[o.Metric] = true
			keys = append(keys, o.Metric)
		}
	}
	slices.SortStableFunc(keys, func(a, b string) int { return rank(a) - rank(b) })
	return keys
}

// rank orders metrics by what analysts ask for first: of a batch program, which
// alone has a makespan T, that.
func rank(key string) int {
	for i, name := range []string{"T ", "R ", "X class", "U ", "D ", "Q ", "W ", "N ", "S ", "B ", "X ", "E ", "V "} {
		if len(key) >= len(name) && key[:len(name)] == name {
			return i
		}
	}
	return 99
}

// Varied returns the parameters that have more than one value among the
// observations, with their values ascending.
func Varied(observations []Observation) map[string][]float64 {
	values := map[string][]float64{}
	for _, o := range observations {
		for name, v := range o.Configuration {
			if !slices.Contains(values[name], v) {
				values[name] = append(values[name], v)
			}
		}
	}
	for name, v := range values {
		if len(v) < 2 {
			delete(values, name)
			continue
		}
		slices.Sort(v)
	}
	return values
}

// Units returns the unit of every parameter of a model.
func Units(m *core.Model) map[string]string {
	units := make(map[string]string, len(m.Parameters))
	for _, p := range m.Parameters {
		units[p.Name] = p.Unit
	}
	return units
}
