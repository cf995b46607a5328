package experiment

import (
	"encoding/csv"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	units "tierscope/core/quantity"
	"tierscope/simulation"
	"tierscope/simulation/output"
)

// Parameters are those of the experiment.
func (p *Plan) Parameters() []string { return p.Experiment.Parameters() }

// Parameters returns the names of all settings of the points: the axes in
// their order, then the others sorted.
func (e *Experiment) Parameters() []string {
	var names []string
	for _, a := range e.Axes {
		names = append(names, a.Parameter)
	}
	var others []string
	for name := range e.Settings {
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

// CSV writes results in long form, one row per run × metric:
//
//	run,scenario,‹one column per parameter›,metric,of,stat,value,lo,hi,n,unit
//
// in seconds and per second, with a decimal point. What is not known is empty.
type CSV struct {
	out        *csv.Writer
	scenario   string
	parameters []string
}

// NewCSV writes the names of the columns.
func NewCSV(w io.Writer, scenario string, parameters []string) (*CSV, error) {
	c := &CSV{csv.NewWriter(w), scenario, parameters}
	header := append([]string{"run", "scenario"}, parameters...)
	return c, c.out.Write(units.Cells(append(header, "metric", "of", "stat", "value", "lo", "hi", "n", "unit")))
}

// Write writes the rows of a point; of one without a result there are none.
func (c *CSV) Write(point Point) error {
	if point.Result == nil {
		return nil
	}
	left := []string{point.ID, c.scenario}
	for _, name := range c.parameters {
		cell := ""
		if v, ok := point.Settings[name]; ok {
			cell = number(v)
		}
		left = append(left, cell)
	}
	for _, m := range point.Result.Metrics {
		row := append(slices.Clone(left), m.Name, m.Of, m.Stat,
			number(m.Estimate.Mean), number(m.Estimate.Lo), number(m.Estimate.Hi), strconv.Itoa(m.Estimate.N), m.Unit)
		if err := c.out.Write(units.Cells(row)); err != nil {
			return err
		}
	}
	return nil
}

// Flush writes what is not written yet.
func (c *CSV) Flush() error {
	c.out.Flush()
	return c.out.Error()
}

// WriteCSV writes the results of points.
func WriteCSV(w io.Writer, scenario string, parameters []string, points []Point) error {
	c, err := NewCSV(w, scenario, parameters)
	for i := 0; err == nil && i < len(points); i++ {
		err = c.Write(points[i])
	}
	return errors.Join(err, c.Flush())
}

// number is the shortest decimal form of a finite number, and empty otherwise.
func number(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Cell is a formatted number of a table with the doubts about it.
type Cell struct {
	Text     string
	Warnings []string
}

// Table is the results of an experiment for people: one row per point, one
// unit per column.
type Table struct {
	Header []string
	Rows   [][]Cell
}

// Table formats the points: the parameters, the metrics with the half-width of
// their interval, and the busiest resource.
func (p *Plan) Table() Table {
	parameters, metrics := p.Parameters(), p.Metrics()
	t := Table{Header: slices.Clone(parameters)}
	scales := make([]units.Scale, len(metrics))
	for i, key := range metrics {
		largest, unit := 0.0, ""
		for _, point := range p.Points {
			if m, ok := find(point, key); ok && !math.IsNaN(m.Estimate.Mean) {
				largest, unit = max(largest, math.Abs(m.Estimate.Mean)), m.Unit
			}
		}
		scales[i] = units.For(unit, largest)
		t.Header = append(t.Header, title(key, scales[i].Unit, metrics))
	}
	t.Header = append(t.Header, "busiest", "")
	for _, point := range p.Points {
		var row []Cell
		for _, name := range parameters {
			cell := Cell{}
			if v, ok := point.Settings[name]; ok {
				cell.Text = number(v)
			}
			row = append(row, cell)
		}
		for i, key := range metrics {
			m, ok := find(point, key)
			if !ok {
				row = append(row, Cell{Text: "–"})
				continue
			}
			row = append(row, Cell{Text: withHalfWidth(m.Estimate, scales[i]), Warnings: m.Estimate.Warnings})
		}
		row = append(row, busiest(point)...)
		t.Rows = append(t.Rows, row)
	}
	return t
}

func find(point Point, key string) (simulation.Metric, bool) {
	if point.Result == nil {
		return simulation.Metric{}, false
	}
	return point.Result.Find(key)
}

// title shortens a key where it stays unique: "R p95 ms" when there is one class.
func title(key, unit string, all []string) string {
	parts := strings.Fields(key)
	short := parts[0] + " " + parts[len(parts)-1]
	same := 0
	for _, other := range all {
		o := strings.Fields(other)
		if o[0] == parts[0] && o[len(o)-1] == parts[len(parts)-1] {
			same++
		}
	}
	if same > 1 {
		short = key
	}
	return strings.TrimSpace(short + " " + unit)
}

// withHalfWidth writes a mean and the half-width of its interval.
func withHalfWidth(e output.Estimate, s units.Scale) string {
	mean := e.Mean / s.Divisor
	if math.IsNaN(mean) {
		return "–"
	}
	decimals := units.Decimals(mean, 3)
	switch h := e.HalfWidth() / s.Divisor; {
	case math.IsInf(h, 0) || math.IsNaN(h):
		return units.Fixed(mean, decimals) + " ± ?"
	case h > 0:
		decimals = min(max(decimals, units.Decimals(h, 1)), decimals+2) // so that the interval shows
		return units.Fixed(mean, decimals) + " ± " + units.Fixed(h, decimals)
	}
	return units.Fixed(mean, decimals)
}

// busiest names the busiest resource, and the doubts about the point.
func busiest(point Point) []Cell {
	if point.Result == nil {
		return []Cell{{Text: "not run"}, {}}
	}
	busy := Cell{}
	if of, u := point.Result.Busiest(); of != "" {
		busy.Text = of + " " + units.Share(u)
	}
	doubt := Cell{Warnings: point.Result.Warnings}
	switch {
	case point.Result.Unstable:
		doubt.Text = "unstable"
	case point.Result.Interrupted:
		doubt.Text = "interrupted"
	case len(point.Result.Warnings) > 0:
		doubt.Text = "!"
	}
	return []Cell{busy, doubt}
}
