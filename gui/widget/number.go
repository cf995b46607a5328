package widget

import (
	"math"
	"strconv"
	"strings"
)

// parsedCell makes a cell of a text that may be a number, so that a figure's
// table sorts as one expects.
func parsedCell(s string) Cell {
	clean := strings.NewReplacer("\u2009", "", "\u202f", "", "−", "-", "+", "", "%", "").Replace(s)
	if first, _, ok := strings.Cut(strings.TrimSpace(clean), " "); ok {
		clean = first
	}
	if v, err := strconv.ParseFloat(strings.TrimSpace(clean), 64); err == nil {
		return Cell{Text: s, Key: v}
	}
	return Cell{Text: s, Key: math.NaN()}
}
