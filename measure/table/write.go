package table

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"tierscope/core/quantity"
)

// Write writes the table in the long format that Read takes without a
// mapping.
func (t *Table) Write(w io.Writer) error {
	var b bytes.Buffer
	for _, n := range t.Provenance {
		fmt.Fprintf(&b, "# %s: %s\n", n.Key, n.Text)
	}
	c := csv.NewWriter(&b)
	header := slices.Concat([]string{"run", "scenario"}, t.Parameters,
		[]string{"metric", "of", "stat", "value", "lo", "hi", "n", "unit", "flags"})
	c.Write(quantity.Cells(header)) // a bytes.Buffer does not fail
	for _, r := range t.Rows {
		fields := []string{r.Run, r.Scenario}
		for _, s := range r.Settings {
			fields = append(fields, number(s))
		}
		count := ""
		if r.N > 0 {
			count = strconv.Itoa(r.N)
		}
		fields = append(fields, r.Metric, r.Of, r.Stat, number(r.Value), number(r.Lo), number(r.Hi), count, r.Unit, strings.Join(r.Flags, ";"))
		c.Write(quantity.Cells(fields))
	}
	c.Flush()
	_, err := w.Write(b.Bytes())
	return err
}

// number writes with the digits that tell the value from its neighbours; NaN
// is an empty field.
func number(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
