package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tierscope/analysis/factor"
	"tierscope/gui/chart"
)

// Sensitivities is the figure of how much longer each module (column) takes for
// each second put into another (row).
func Sensitivities(title string, a *factor.Analysis) chart.Matrix {
	f := chart.Matrix{Title: title, Rows: short(a.Experiment.Modules), Columns: short(a.Experiment.Modules), Unit: "ms per ms"}
	for _, row := range a.Sensitivities {
		var values []float64
		var marked []bool
		for _, s := range row {
			values, marked = append(values, s.Slope), append(marked, s.Significant)
		}
		f.Values, f.Marked = append(f.Values, values), append(f.Marked, marked)
	}
	return f
}

// Difference is the figure of simulated less measured sensitivities of the
// modules that both show.
func Difference(simulated, measured *factor.Analysis) chart.Matrix {
	f := chart.Matrix{Title: "Simulated − measured", Unit: "ms per ms"}
	var at [][2]int
	for i, name := range simulated.Experiment.Modules {
		if j := slices.Index(measured.Experiment.Modules, name); j >= 0 {
			at = append(at, [2]int{i, j})
			f.Rows = append(f.Rows, name)
		}
	}
	f.Rows = short(f.Rows)
	f.Columns = f.Rows
	for _, a := range at {
		var values []float64
		for _, b := range at {
			values = append(values, simulated.Sensitivities[a[0]][b[0]].Slope-measured.Sensitivities[a[1]][b[1]].Slope)
		}
		f.Values = append(f.Values, values)
	}
	return f
}

// Scree is the figure of the eigenvalues against those of unrelated modules.
func Scree(a *factor.Analysis) chart.Lines {
	f := chart.Lines{Title: exceeding(a.Scree.Factors), X: chart.Axis{Label: "Factor"}, Y: chart.Axis{Label: "Eigenvalue"}}
	for k, s := range []struct {
		name   string
		values []float64
	}{{"modules", a.Scree.Eigenvalues}, {"unrelated, 95th percentile", a.Scree.Random}} {
		line := chart.Series{Name: s.name, Role: chart.Predicted, Colour: k}
		for i, v := range s.values {
			line.Points = append(line.Points, chart.Point{X: float64(i + 1), Y: v})
		}
		f.Series = append(f.Series, line)
	}
	return f
}

// leastLoading is the loading below which a cell of the table is left grey.
const leastLoading = 0.3

// Loadings is the figure of the rotated loadings, modules × factors.
func Loadings(a *factor.Analysis) chart.Matrix {
	f := chart.Matrix{Title: "Rotated loadings", Rows: short(a.Experiment.Modules), Unit: "loading"}
	for k, share := range a.Explained {
		f.Columns = append(f.Columns, fmt.Sprintf("F%d (%.0f %%)", k+1, 100*share))
	}
	if len(f.Columns) == 0 {
		f.Rows = nil
		return f
	}
	for _, row := range a.Loadings {
		values := slices.Clone(row)
		for k, v := range values {
			if math.Abs(v) < leastLoading {
				values[k] = math.NaN()
			}
		}
		f.Values = append(f.Values, values)
	}
	return f
}

// short drops the package main from names.
func short(names []string) []string {
	var out []string
	for _, n := range names {
		out = append(out, strings.TrimPrefix(n, "main."))
	}
	return out
}

// exceeding says how many factors are not chance.
func exceeding(n int) string {
	if n == 1 {
		return "1 factor exceeds unrelated modules"
	}
	return fmt.Sprintf("%d factors exceed unrelated modules", n)
}
