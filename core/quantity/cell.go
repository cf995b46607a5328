package quantity

import (
	"strconv"
	"strings"
)

// formula are the characters with which a spreadsheet takes a cell for a formula, which it
// computes when a file from a stranger is opened (OWASP, CSV injection).
const formula = "=+-@\t\r"

// Cells are texts and numbers as fields of a CSV file: a text that a spreadsheet would
// compute gets an apostrophe before it, as people write it there themselves.
func Cells(fields []string) []string {
	out := make([]string, len(fields))
	for i, text := range fields {
		out[i] = text
		if text != "" && strings.IndexByte(formula, text[0]) >= 0 && !isQuantity(text) {
			out[i] = "'" + text
		}
	}
	return out
}

// isQuantity reports whether a text is a number, or one with a unit, such as "+3.0 %": after
// the sign comes a digit, and then nothing that operates.
func isQuantity(text string) bool {
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return true
	}
	return len(text) > 1 && text[1] >= '0' && text[1] <= '9' && !strings.ContainsAny(text[1:], "=+-@*^&|!();\"'\t\r")
}

// Uncell is the text of a field that Cells wrote.
func Uncell(field string) string {
	if rest, ok := strings.CutPrefix(field, "'"); ok && rest != "" && strings.IndexByte(formula, rest[0]) >= 0 {
		return rest
	}
	return field
}
