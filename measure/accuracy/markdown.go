package accuracy

import (
	"fmt"
	"math"
	"slices"
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
		return fmt.Sprintf("%s [%s, %s]", number(v.Mean), number(*v.Low), number(*v.High))
	case unit == "number":
		return number(v.Mean)
	case v.Low != nil:
		return quantity.Interval(v.Mean, *v.Low, *v.High, unit)
	default:
		return quantity.Format(v.Mean, unit)
	}
}

// number writes a pure number, a count without decimals.
func number(v float64) string {
	if v == math.Trunc(v) {
		return quantity.Fixed(v, 0)
	}
	return quantity.Digits(v, 3)
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

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
