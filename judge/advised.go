package judge

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"tierscope/analysis/trace"
	"tierscope/core"
	"tierscope/measure"
	"tierscope/measure/advise"
	"tierscope/measure/table"
)

// Runs after the first ones, where they tell most.
const (
	mostAdvised = 2   // Measured: half of all configurations of 59 programs are known to ±10.1 % with two, to ±11.3 % without (docs/accuracy-method.md)
	wellKnown   = 0.1 // from where on no more are made. Theory: what grade A promises
)

// further runs the program in the configuration that tells most beside the checks that the model holds, and keeps
// that as the i-th; nil: there is none that is worth it.
func further(ctx context.Context, dir string, w trace.Workload, m *core.Model, i int, report func(fact string)) (*table.Table, error) {
	axes, err := mostTelling(m)
	if err != nil || axes == nil {
		return nil, err
	}
	c := measure.Campaign{Workload: w, Axes: axes, Timeout: patience}
	if err := c.Check(); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, folder, fmt.Sprintf("advised-%d.csv", i+1))
	if err := rounds(ctx, c, 1, patience, path, report); err != nil {
		return nil, err
	}
	return measure.Open(path)
}

// mostTelling are the axes of the first checks, at the one configuration that tells most beside all checks; nil if
// there is none, or if all is well known. A server has been run under the loads that its analysis tries.
func mostTelling(m *core.Model) ([]measure.Axis, error) {
	tried := sets(m)
	if len(m.Sources) > 0 || len(m.Checked) == 0 || len(tried) == 0 {
		return nil, nil
	}
	grid := neighbours(m, tried[0].axes)
	var asked []map[string]float64
	var candidates []advise.Candidate
	for _, settings := range grid {
		at, err := m.Paths(settings)
		if err != nil {
			return nil, err
		}
		asked = append(asked, at)
		candidates = append(candidates, advise.Candidate{Settings: at, Cost: 1})
	}
	field := core.ErrorsOfModels().Field(m.Checked)
	next, _ := advise.Next(field, asked, candidates)
	if next < 0 || advise.Known(field, asked, wellKnown) {
		return nil, nil
	}
	var axes []measure.Axis
	for _, a := range tried[0].axes {
		a.Values, a.Base = []float64{grid[next][a.Name]}, nil
		axes = append(axes, a)
	}
	return axes, nil
}

// neighbours are the configurations with half, twice and as many threads as were recorded, and with one, on the cores
// of the checks.
func neighbours(m *core.Model, axes []measure.Axis) []map[string]float64 {
	all := []map[string]float64{{}}
	for _, a := range axes {
		values := a.Values
		if p, ok := m.Parameter(a.Name); ok && !strings.HasPrefix(p.Targets[0].Path, "cpu/") {
			values = nil
			least, most := evidence(p)
			for _, v := range []float64{1, float64(int(p.Default / 2)), p.Default, 2 * p.Default} {
				if v >= least && v <= most && (len(values) == 0 || v > values[len(values)-1]) {
					values = append(values, v)
				}
			}
		}
		all = advise.Times(all, a.Name, values)
	}
	return all
}
