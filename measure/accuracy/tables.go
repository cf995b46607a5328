package accuracy

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tierscope/core/quantity"
)

// unknown stands for what a file does not know.
const unknown = "–"

// ditto stands for what the line above has.
const ditto = "″"

// table is a Markdown table in the making.
type table struct {
	columns []string // those whose title begins with ">" are set to the right
	rows    [][]string
}

func newTable(columns ...string) *table { return &table{columns: columns} }

func (t *table) row(cells ...string) {
	for i, c := range cells {
		if c == "" {
			cells[i] = unknown
		}
	}
	t.rows = append(t.rows, cells)
}

// compact leaves out the columns of which nothing is known.
func (t *table) compact() *table {
	out := &table{rows: make([][]string, len(t.rows))}
	for i, title := range t.columns {
		if !slices.ContainsFunc(t.rows, func(r []string) bool { return r[i] != unknown }) {
			continue
		}
		out.columns = append(out.columns, title)
		for k, r := range t.rows {
			out.rows[k] = append(out.rows[k], r[i])
		}
	}
	return out
}

// String is the table as Markdown.
func (t *table) String() string {
	var b strings.Builder
	line := func(cells []string) {
		for _, c := range cells {
			b.WriteString("| " + strings.ReplaceAll(c, "|", "\\|") + " ")
		}
		b.WriteString("|\n")
	}
	titles, rule := make([]string, len(t.columns)), ""
	for i, c := range t.columns {
		title, right := strings.CutPrefix(c, ">")
		titles[i] = title
		if right {
			rule += "|--:"
		} else {
			rule += "|---"
		}
	}
	line(titles)
	b.WriteString(rule + "|\n")
	for _, r := range t.rows {
		line(r)
	}
	return b.String()
}

// errorsTable has a line for every quantity of every subject of an area whose error is
// known.
func (b *Book) errorsTable(area string) string {
	t := newTable("subject", "quantity", ">configurations", ">mean |ε|", ">at equal CPU", ">worst", "where", ">intervals apart", "grade")
	for _, r := range b.area(area) {
		title := r.Title
		for _, q := range r.quantities() {
			rows := r.rows(q, nil)
			f := figuresOf(rows)
			if math.IsNaN(f.mean) && math.IsNaN(f.equalCPU) {
				continue // measured only
			}
			points := rows[0].inPoints()
			worst, where, apart := unknown, unknown, unknown
			if f.worst != nil && f.configurations > 1 {
				worst, where = signed(*f.worst.Error, points), f.worst.Configuration
			}
			if f.both > 0 {
				apart = fmt.Sprintf("%d of %d", f.outside, f.both)
			}
			t.row(title, q, strconv.Itoa(f.configurations), size(f.mean, points), size(f.equalCPU, points), worst, where, apart, text(r.Grade))
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

// runsTable says where the numbers of an area come from. What is the same as in the
// line above is ″.
func (b *Book) runsTable(area string) string {
	t := newTable("subject", "machine", "load", "commit", "command", "date", ">repeats")
	var above []string
	for _, r := range b.area(area) {
		repeats, command := unknown, unknown
		if r.Repeats != nil {
			repeats = strconv.Itoa(*r.Repeats)
		}
		if r.Command != nil {
			command = "`" + *r.Command + "`"
		}
		cells := []string{r.Title, text(r.Machine), text(r.Load), text(r.Commit), command, text(r.Date), repeats}
		shown := slices.Clone(cells)
		for i := range above {
			if cells[i] == above[i] && cells[i] != unknown {
				shown[i] = ditto
			}
		}
		t.row(shown...)
		above = cells
	}
	return t.String()
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

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
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

func text(s *string) string {
	if s == nil {
		return unknown
	}
	return *s
}

// value writes a number with its interval.
func value(v *Value, unit string) string {
	switch {
	case v == nil:
		return unknown
	case unit == "number" && v.Low != nil:
		return fmt.Sprintf("%s [%s, %s]", quantity.Digits(v.Mean, 3), quantity.Digits(*v.Low, 3), quantity.Digits(*v.High, 3))
	case unit == "number":
		return quantity.Digits(v.Mean, 3)
	case v.Low != nil:
		return quantity.Interval(v.Mean, *v.Low, *v.High, unit)
	default:
		return quantity.Format(v.Mean, unit)
	}
}

// signed writes an error: in per cent, or in points.
func signed(e float64, points bool) string {
	if points {
		return strings.TrimSuffix(quantity.Change(e), " %") + " pp"
	}
	return quantity.Change(e)
}

// size writes an |ε|.
func size(e float64, points bool) string {
	switch {
	case math.IsNaN(e):
		return unknown
	case points:
		return fmt.Sprintf("%.1f pp", 100*e)
	default:
		return fmt.Sprintf("%.1f %%", 100*e)
	}
}
