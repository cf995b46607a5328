package experiment

import (
	"encoding/csv"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"tierscope/simulation"
)

// Parameters returns the names of all settings of the points: the axes in
// their order, then the others sorted.
func (p *Plan) Parameters() []string {
	var names []string
	for _, a := range p.Experiment.Axes {
		names = append(names, a.Parameter)
	}
	var others []string
	for name := range p.Experiment.Settings {
		if !slices.Contains(names, name) {
			others = append(others, name)
		}
	}
	slices.Sort(others)
	return append(names, others...)
}

// Metrics returns the keys of the metrics that tables of the experiment show:
// those it names, or R mean, R p95 and X of every class that has completions,
// or T.
func (p *Plan) Metrics() []string {
	if len(p.Experiment.Metrics) > 0 {
		return p.Experiment.Metrics
	}
	var keys []string
	for _, point := range p.Points {
		if point.Result == nil {
			continue
		}
		for _, m := range point.Result.Metrics {
			shown := m.Name == "T" && (m.Stat == "mean" || m.Stat == "p95") ||
				strings.HasPrefix(m.Of, "class/") && m.Estimate.N > 0 && !point.Result.Terminating &&
					(m.Name == "R" && (m.Stat == "mean" || m.Stat == "p95") || m.Name == "X")
			if key := m.Key(); shown && !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// WriteCSV writes the results in long form, one row per run × metric:
//
//	run,scenario,‹one column per parameter›,metric,of,stat,value,lo,hi,n,unit
//
// in seconds and per second, with a decimal point. What is not known is empty.
func WriteCSV(w io.Writer, scenario string, parameters []string, points []Point) error {
	out := csv.NewWriter(w)
	header := append([]string{"run", "scenario"}, parameters...)
	if err := out.Write(append(header, "metric", "of", "stat", "value", "lo", "hi", "n", "unit")); err != nil {
		return err
	}
	for _, point := range points {
		if point.Result == nil {
			continue
		}
		left := []string{point.ID, scenario}
		for _, name := range parameters {
			cell := ""
			if v, ok := point.Settings[name]; ok {
				cell = number(v)
			}
			left = append(left, cell)
		}
		for _, m := range point.Result.Metrics {
			row := append(slices.Clone(left), m.Name, m.Of, m.Stat,
				number(m.Estimate.Mean), number(m.Estimate.Lo), number(m.Estimate.Hi), strconv.Itoa(m.Estimate.N), m.Unit)
			if err := out.Write(row); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}

// number is the shortest decimal form of a finite number, and empty otherwise.
func number(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Busiest returns the resource with the largest utilization of a result.
func Busiest(r *simulation.Result) (of string, utilization float64) {
	for _, m := range r.Metrics {
		if m.Name == "U" && m.Estimate.Mean > utilization {
			of, utilization = m.Of, m.Estimate.Mean
		}
	}
	return of, utilization
}
