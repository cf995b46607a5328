package accuracy

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tierscope/core/quantity"
)

// errorsTable has a line for every quantity of every subject of an area whose error is
// known, and where the numbers come from if that is asked for.
func (b *Book) errorsTable(area string, provenance bool) string {
	columns := []string{"subject", "quantity", ">configurations", ">mean |ε|", ">at equal CPU", ">worst", "where", "grade"}
	if provenance {
		columns = append(columns, runColumns...)
	}
	t := newTable(columns...)
	var above []string
	for _, r := range b.area(area) {
		title := r.Title
		for _, q := range r.quantities() {
			rows := r.rows(q, nil)
			f := figuresOf(rows)
			if math.IsNaN(f.mean) && math.IsNaN(f.equalCPU) {
				continue // measured only
			}
			points := rows[0].inPoints()
			worst, where := unknown, unknown
			if f.worst != nil && f.configurations > 1 {
				worst, where = signed(*f.worst.Error, points), f.worst.Configuration
			}
			cells := []string{title, q, strconv.Itoa(f.configurations), size(f.mean, points), size(f.equalCPU, points), worst, where, text(r.Grade)}
			if provenance {
				cells = append(cells, dittos(r.run(), above)...)
				above = r.run()
			}
			t.row(cells...)
			title = ditto
		}
	}
	return t.compact().String()
}

// valuesTable has a line for every row of an area.
func (b *Book) valuesTable(area string) string {
	t := newTable("subject", "quantity", "configuration", ">predicted", ">measured", ">ε", ">papers", ">goal")
	for _, r := range b.area(area) {
		title := r.Title
		for _, row := range r.Rows {
			e := unknown
			switch {
			case row.Error != nil && row.Of > 0:
				e = size(*row.Error, row.inPoints())
			case row.Error != nil:
				e = signed(*row.Error, row.inPoints())
			}
			t.row(title, row.Quantity, row.Configuration, value(row.Predicted, row.Unit), value(row.Measured, row.Unit), e, row.Paper, row.Goal)
			title = ditto
		}
	}
	return t.compact().String()
}

// sizesTable has a line for every model of an area whose size is known.
func (b *Book) sizesTable(area string) string {
	t := newTable("subject", ">code fragments seen", ">in the model", ">edges seen", ">in the model", ">change by leaving out", ">simulated, times real time", ">overhead", ">CPU time explained")
	for _, r := range b.area(area) {
		s := r.Size
		if s == nil {
			continue
		}
		change, overhead := unknown, unknown
		if s.Change != nil {
			change = fmt.Sprintf("%s %s ± %s %%", s.Metric, quantity.Change(*s.Change), quantity.Digits(100*s.Half, 2))
		}
		if s.Overhead != nil {
			overhead = quantity.Change(*s.Overhead)
		}
		t.row(r.Title, strconv.Itoa(s.Seen), strconv.Itoa(s.Fragments), strconv.Itoa(s.SeenEdges), strconv.Itoa(s.Edges),
			change, quantity.Digits(s.SpeedUp, 2), overhead, quantity.Share(s.Explained))
	}
	return t.String()
}

// measured begins most commands; a page says so once.
const measured = "tierctl measure -q --model P.tier "

// runColumns say where numbers come from.
var runColumns = []string{"machine", "load", "commit", "command", "date", ">repeats"}

// run is their cells.
func (r *Result) run() []string {
	repeats, command := unknown, unknown
	if r.Repeats != nil {
		repeats = strconv.Itoa(*r.Repeats)
	}
	if r.Command != nil {
		command = "`" + strings.TrimPrefix(*r.Command, measured) + "`"
	}
	return []string{text(r.Machine), text(r.Load), text(r.Commit), command, text(r.Date), repeats}
}

// dittos is a line in which what the line above has as well is ″.
func dittos(cells, above []string) []string {
	shown := slices.Clone(cells)
	for i := range above {
		if cells[i] == above[i] && cells[i] != unknown {
			shown[i] = ditto
		}
	}
	return shown
}

// runsTable says where the numbers of an area come from. A column of which nothing is
// known in the whole area is left out.
func (b *Book) runsTable(area string) string {
	t := newTable(append([]string{"subject"}, runColumns...)...)
	var above []string
	for _, r := range b.area(area) {
		t.row(append([]string{r.Title}, dittos(r.run(), above)...)...)
		above = r.run()
	}
	return t.compact().String()
}

// summaryTable has a line for every measure: ours, the papers', the goal. A measure
// without a row is an error: it would be a promise that nobody checks.
func (b *Book) summaryTable() (string, error) {
	t := newTable("subject area", ">ours", ">papers", ">goal", "over")
	for _, m := range b.Summary.Measures {
		x, subjects, configurations, points := b.ours(m)
		if subjects == 0 {
			return "", fmt.Errorf("measure %q: no row of area %q has quantity %q with what is asked for", m.What, m.Area, m.Quantity)
		}
		figure := size(x, points)
		if m.Figure == Measured {
			figure = value(&Value{Mean: x}, b.unit(m))
		}
		over := count(configurations, "configuration")
		switch {
		case configurations == 0:
			over = count(subjects, "subject")
		case subjects > 1:
			over = count(subjects, "subject") + ", " + over
		}
		t.row(fmt.Sprintf("[%s](%s)", m.What, m.Page), "**"+figure+"**", m.Paper, m.Goal, over)
	}
	return t.String(), nil
}

// unit is that of the first row of a measure.
func (b *Book) unit(m Measure) string {
	for _, r := range b.area(m.Area) {
		if rows := r.rows(m.Quantity, m.Saturated); len(rows) > 0 {
			return rows[0].Unit
		}
	}
	return ""
}
