package validate

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"tierscope/core/quantity"
	own "tierscope/gui/widget"
	"tierscope/measure/validate"
)

func comparisonColumns(parameters []string) []own.Column {
	var columns []own.Column
	for _, name := range parameters {
		columns = append(columns, own.Column{Title: name, Right: true})
	}
	return append(columns, own.Column{Title: "ε", Right: true}, own.Column{Title: "see"},
		own.Column{Title: "measured", Right: true}, own.Column{Title: "predicted", Right: true})
}

// remarks are what is to be said of comparisons, each once: a row has their numbers, and they stand below the table.
type remarks []string

// numbers of what is said of a row, "2, 5".
func (r *remarks) numbers(said []string) string {
	var out []string
	for _, text := range said {
		i := slices.Index(*r, text)
		if i < 0 {
			i, *r = len(*r), append(*r, text)
		}
		out = append(out, strconv.Itoa(i+1))
	}
	return strings.Join(out, ", ")
}

// String is what stands below the table.
func (r remarks) String() string {
	var lines []string
	for i, text := range r {
		lines = append(lines, strconv.Itoa(i+1)+"  "+text)
	}
	return strings.Join(lines, "\n")
}

// comparisonRow shows a comparison; one that is in doubt is neither good nor bad.
func comparisonRow(c validate.Comparison, parameters, doubts []string, all *remarks) []own.Cell {
	var row []own.Cell
	for _, name := range parameters {
		v := c.Settings[name]
		row = append(row, own.NumberCell(strconv.FormatFloat(v, 'g', 6, 64), v))
	}
	said := slices.Clone(doubts)
	if c.Outside {
		said = append(said, "outside both intervals")
	}
	if c.Saturated {
		said = append(said, "saturated")
	}
	said = append(said, c.Warnings...)
	e := errorCell(c.Metric, c.Error)
	if len(doubts) > 0 {
		e.Tone = own.Quiet
	}
	return append(row, e, own.TextCell(all.numbers(said)),
		own.NumberCell(c.MeasuredText(), c.Measured.Median),
		own.NumberCell(quantity.Amount(c.Predicted.Mean, c.Predicted.Lo, c.Predicted.Hi, c.Unit), c.Predicted.Mean))
}

// goodError and fairError are the corridors of the scatter plot.
const (
	goodError = 0.10
	fairError = 0.20
)

func errorCell(metric string, e float64) own.Cell {
	cell := own.Cell{Text: validate.ErrorText(metric, e), Key: e, Tone: own.BadTone}
	switch a := math.Abs(e); {
	case a <= goodError:
		cell.Tone = own.GoodTone
	case a <= fairError:
		cell.Tone = own.FairTone
	}
	return cell
}

// summaryColumns are those of summaryRow; of the saturated configurations only where there are some.
func summaryColumns(saturated bool) []own.Column {
	columns := []own.Column{{Title: "Metric"}, {Title: "n", Right: true}, {Title: "mean |ε|", Right: true}}
	if saturated {
		columns = append(columns, own.Column{Title: "saturated", Right: true})
	}
	return append(columns, own.Column{Title: "bias", Right: true}, own.Column{Title: "max |ε|", Right: true}, own.Column{Title: "outside", Right: true})
}

func summaryRow(a validate.Accuracy, saturated bool) []own.Cell {
	size := func(v, half float64) own.Cell {
		if math.IsNaN(v) {
			return own.TextCell("–")
		}
		text := quantity.Fixed(100*v, 1) + " ± " + quantity.Fixed(100*half, 1) + " %" // as ε in the table above
		if a.Metric == "U" {
			text = strings.TrimSuffix(text, "%") + "pp"
		}
		return own.NumberCell(text, v)
	}
	row := []own.Cell{own.TextCell(a.Metric), own.NumberCell(strconv.Itoa(a.N), float64(a.N)), size(a.MeanAbs, a.HalfWidth)}
	switch {
	case saturated && a.Saturated.N > 0:
		row = append(row, size(a.Saturated.MeanAbs, a.Saturated.HalfWidth))
	case saturated:
		row = append(row, own.TextCell("–"))
	}
	return append(row,
		own.NumberCell(validate.ErrorText(a.Metric, a.Bias), a.Bias), own.NumberCell(strings.TrimPrefix(validate.ErrorText(a.Metric, a.MaxAbs), "+"), a.MaxAbs),
		own.NumberCell(strconv.Itoa(a.Outside), float64(a.Outside)))
}
