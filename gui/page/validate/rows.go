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
	return append(columns, own.Column{Title: "ε", Right: true}, own.Column{Title: "measured", Right: true},
		own.Column{Title: "predicted", Right: true}, own.Column{Title: "remarks"})
}

// comparisonRow shows a comparison; one that is in doubt is neither good nor bad.
func comparisonRow(c validate.Comparison, parameters, doubts []string) []own.Cell {
	var row []own.Cell
	for _, name := range parameters {
		v := c.Settings[name]
		row = append(row, own.NumberCell(strconv.FormatFloat(v, 'g', 6, 64), v))
	}
	remarks := slices.Clone(doubts)
	if c.Outside {
		remarks = append(remarks, "outside both intervals")
	}
	if c.Saturated {
		remarks = append(remarks, "saturated")
	}
	remarks = append(remarks, c.Warnings...)
	e := errorCell(c.Metric, c.Error)
	if len(doubts) > 0 {
		e.Tone = own.Quiet
	}
	return append(row, e,
		own.NumberCell(c.MeasuredText(), c.Measured.Median),
		own.NumberCell(quantity.Amount(c.Predicted.Mean, c.Predicted.Lo, c.Predicted.Hi, c.Unit), c.Predicted.Mean),
		own.TextCell(strings.Join(remarks, "; ")))
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

func summaryRow(a validate.Accuracy) []own.Cell {
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
	saturated := own.TextCell("–")
	if a.Saturated.N > 0 {
		saturated = size(a.Saturated.MeanAbs, a.Saturated.HalfWidth)
	}
	return []own.Cell{
		own.TextCell(a.Metric), own.NumberCell(strconv.Itoa(a.N), float64(a.N)), size(a.MeanAbs, a.HalfWidth), saturated,
		own.NumberCell(validate.ErrorText(a.Metric, a.Bias), a.Bias), own.NumberCell(strings.TrimPrefix(validate.ErrorText(a.Metric, a.MaxAbs), "+"), a.MaxAbs),
		own.NumberCell(strconv.Itoa(a.Outside), float64(a.Outside)),
	}
}
