package accuracy

import (
	"fmt"
	"slices"
	"strconv"

	"tierscope/core/quantity"
	"tierscope/core/robust"
)

// Fresh is the area of programs that were analysed, and then run in configurations of which their models knew nothing: their
// rows have the intervals that the models gave.
const Fresh = "fresh"

// Told is how what a model said of a quantity is: how often the measured value was inside of the interval.
type Told struct {
	Inside, Of int
	Halves     []float64 // relative
}

// Told counts the configurations of a result; R where the server keeps up.
func (r *Result) Told(metric string) (t Told) {
	for _, row := range r.Rows {
		p, m := row.Predicted, row.Measured
		if row.Quantity != metric || row.Of != 0 || metric == "R" && row.Saturated || m == nil {
			continue
		}
		t.Of++
		if p == nil || p.Low == nil { // no answer is none that is right
			continue
		}
		t.Halves = append(t.Halves, (*p.High-*p.Low)/2/p.Mean)
		if *p.Low <= m.Mean && m.Mean <= *p.High {
			t.Inside++
		}
	}
	return t
}

// add counts what another one counts.
func (t *Told) add(o Told) {
	t.Inside += o.Inside
	t.Of += o.Of
	t.Halves = append(t.Halves, o.Halves...)
}

// cells are how many are inside, and the median half-width.
func (t Told) cells() []string {
	if len(t.Halves) == 0 {
		return []string{unknown, unknown}
	}
	return []string{strconv.Itoa(t.Inside) + "/" + strconv.Itoa(t.Of), quantity.Share(robust.Median(slices.Clone(t.Halves)))}
}

// freshTable has a line for every fresh program, and one for all.
func (b *Book) freshTable() string {
	metrics := []string{"T", "X", "R"}
	columns := []string{"program", "grade"}
	for _, m := range metrics {
		columns = append(columns, ">"+m+" inside", ">±")
	}
	t := newTable(columns...)
	all := make([]Told, len(metrics))
	results := b.area(Fresh)
	for _, r := range results {
		cells := []string{r.Title, text(r.Grade)}
		for i, m := range metrics {
			told := r.Told(m)
			all[i].add(told)
			cells = append(cells, told.cells()...)
		}
		t.row(cells...)
	}
	cells := []string{fmt.Sprintf("all %d", len(results)), ""}
	for _, told := range all {
		cells = append(cells, told.cells()...)
	}
	t.row(cells...)
	return t.String()
}
