package calibrate

import (
	"maps"
	"math"
	"slices"

	"tierscope/analysis/trust"
	"tierscope/core"
)

// seen is what others than the program at hand show of how far its runs err, as
// standard deviations of the logarithm of a time; of models, core.Errors knows more.
type seen struct {
	// Runs of one program differ by this much, told with so many degrees of freedom (see package
	// demand): it stands beside the few plain runs of a program.
	run, freedom float64
}

func elsewhere() seen { return seen{run: 0.031, freedom: 2} }

// Hold notes in a model what an analysis with this evidence does not know of it, and what runs of the
// program said that it was held against.
func Hold(m *core.Model, e trust.Evidence, checks []trust.Check) {
	m.Checked = nil
	law := m.Errors()
	if len(m.Sources) == 0 {
		m.Checked = m.Alike(checkedTimes(checks))
	} else {
		m.Checked = m.Alike(checkedDemands(checks))
	}
	field, corrected := known(m, checks)
	mean, model := field.Model(m.CheckedAt())
	if !corrected {
		model = min(model+math.Abs(mean)/core.Normal95, core.MostDeviation)
	}
	m.Uncertain = slices.Concat([]core.Uncertain{day(e, law.Day)}, e.Sampling)
	if model >= core.LeastDeviation {
		m.Uncertain = append(m.Uncertain, core.Uncertain{Name: "how well models predict", Key: core.ModelKey, Deviation: model, Targets: []core.Loading{{Path: core.EveryScale}}})
	}
}

// day is the factor of what the program costs on another day than that of its few plain runs.
func day(e trust.Evidence, another float64) core.Uncertain {
	known, costs := elsewhere(), e.CPU
	if len(costs) == 0 {
		costs = e.Plain
	}
	runs := max(len(costs), 1)
	squares, freedom := known.freedom*known.run*known.run, known.freedom+float64(runs-1)
	mean := 0.0
	for _, c := range costs {
		mean += math.Log(c) / float64(runs)
	}
	for _, c := range costs {
		squares += (math.Log(c) - mean) * (math.Log(c) - mean)
	}
	own := math.Sqrt(squares / freedom / float64(runs)) // of their mean
	return core.Uncertain{Name: "what the program costs on another day", Deviation: math.Hypot(another, own),
		Rest: another, Runs: runs, Targets: []core.Loading{{Path: "cpu/speed", Power: -1}}}
}

// checkedTimes are the checks of run times.
func checkedTimes(checks []trust.Check) (out []core.Checked) {
	for _, c := range checks {
		if c.Metric == "T" {
			out = append(out, checked(c, 1)...)
		}
	}
	return out
}

// checked is a check of what follows so strongly what its model is off by; none, if it says nothing of that.
func checked(c trust.Check, follows float64) []core.Checked {
	e, noise, ok := c.Off()
	if !ok || len(c.At) == 0 {
		return nil
	}
	return []core.Checked{{At: c.At, Off: min(max(-e/follows, -core.MostOff), core.MostOff), Runs: max(c.Runs, 1), Noise: min(noise/math.Abs(follows), core.MostOff)}}
}

// checkedDemands are by how much the demands of a server are off, by what its checks say of metrics that follow them.
func checkedDemands(checks []trust.Check) (out []core.Checked) {
	for _, c := range checks {
		if c.Follows != nil {
			out = append(out, checked(c, *c.Follows)...)
		}
	}
	return out
}

// checkedResponses are what checks of response times are off by, which none of them follows demands in.
func checkedResponses(checks []trust.Check) (out []core.Checked) {
	for _, c := range checks {
		if c.Metric == "R" {
			out = append(out, checked(c, 1)...)
		}
	}
	return out
}

// known is what checks tell of the errors of a model, and whether the model is corrected by it: what a server's response times
// that do not follow demands are off by shows how large its errors are, but not what to change.
func known(m *core.Model, checks []trust.Check) (f *core.Field, corrected bool) {
	if len(m.Sources) > 0 && len(m.Checked) == 0 {
		return m.Errors().Field(m.Alike(checkedResponses(checks))), false
	}
	return m.Errors().Field(m.Checked), true
}

// strongest is how much the response times of checks follow demands at most; 1 if there are none.
func strongest(checks []trust.Check) float64 {
	most := 1.0
	for _, c := range checks {
		if c.Metric == "R" && c.Follows != nil {
			most = max(most, *c.Follows)
		}
	}
	return most
}

// Within is what the relative error of 95 % of the predictions within the range of evidence does not
// exceed: over all of it, and where R follows demands most.
func Within(m *core.Model, checks []trust.Check) float64 {
	field, corrected := known(m, checks)
	asked := supported(m)
	within := field.Within(asked)
	if !corrected {
		farthest := 0.0
		for _, at := range asked {
			mean, _ := field.At(at)
			farthest = max(farthest, math.Abs(mean))
		}
		within += farthest
	}
	return math.Expm1(within * strongest(checks))
}

// supported are configurations all over the range of evidence of what checks vary: the settings that a pool or the
// cores have there, each twice the last.
func supported(m *core.Model) []map[string]float64 {
	all := []map[string]float64{m.CheckedAt()}
	for _, p := range m.Parameters {
		i := slices.IndexFunc(p.Targets, func(t core.Target) bool {
			k, err := m.Lookup(t.Path)
			_, varied := all[0][k.Path]
			return err == nil && varied
		})
		if i < 0 || p.SupportedMax <= p.SupportedMin {
			continue
		}
		k, _ := m.Lookup(p.Targets[i].Path)
		for _, at := range slices.Clone(all) {
			for v := p.SupportedMin; ; v = min(2*v, p.SupportedMax) {
				other := maps.Clone(at)
				if other[k.Path] = p.Targets[i].Apply(v); p.Targets[i].Multiplies {
					other[k.Path] *= k.Value
				}
				all = append(all, other)
				if v >= p.SupportedMax || v <= 0 {
					break
				}
			}
		}
	}
	return all
}
