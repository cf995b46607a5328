package experiments

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tierscope/core/quantity"
	"tierscope/gui/recipe"
	own "tierscope/gui/widget"
	"tierscope/simulation/experiment"
)

// showPoints fills a table with the points of a plan: parameters, how
// far it is, and the metrics with their intervals. outside says why the
// time of a point cannot be predicted, "" if it can.
func showPoints(table *own.DataTable, plan *experiment.Plan, outside func(map[string]float64) string) {
	parameters, metrics := plan.Parameters(), plan.Metrics()
	var columns []own.Column
	for _, name := range parameters {
		columns = append(columns, own.Column{Title: name, Right: true})
	}
	columns = append(columns, own.Column{Title: "State"})
	for _, key := range metrics {
		columns = append(columns, own.Column{Title: recipe.Label(key), Right: true})
	}
	var rows [][]own.Cell
	for _, point := range plan.Points {
		var row []own.Cell
		for _, name := range parameters {
			v := point.Settings[name]
			row = append(row, own.NumberCell(strconv.FormatFloat(v, 'g', 6, 64), v))
		}
		row = append(row, stateCell(point, outside(point.Settings)))
		for _, key := range metrics {
			row = append(row, metricCell(point, key))
		}
		rows = append(rows, row)
	}
	if !slices.Equal(columns, table.Columns()) { // else the analyst's order stays
		table.SetColumns(columns...)
	}
	table.SetRows(rows)
}

func metricCell(point experiment.Point, key string) own.Cell {
	if point.Result == nil {
		return own.TextCell("")
	}
	m, ok := point.Result.Find(key)
	if !ok || m.Estimate.N == 0 {
		return own.TextCell("–")
	}
	if math.IsInf(m.Estimate.Lo, -1) && math.IsInf(m.Estimate.Hi, 1) { // one replication tells no interval
		return own.NumberCell(fmt.Sprintf("%s, n = %d", quantity.Format(m.Estimate.Mean, m.Unit), m.Estimate.N), m.Estimate.Mean)
	}
	return own.NumberCell(quantity.Amount(m.Estimate.Mean, m.Estimate.Lo, m.Estimate.Hi, m.Unit), m.Estimate.Mean)
}

func stateCell(point experiment.Point, outside string) own.Cell {
	switch r := point.Result; {
	case outside != "":
		return own.Cell{Text: "! not predictable: " + outside, Tone: own.FairTone}
	case r == nil:
		return own.Cell{Text: "not run yet", Tone: own.Quiet}
	case r.Interrupted:
		return own.Cell{Text: "stopped after " + quantity.Plural(r.Replications, "replication") + "; Run completes it", Tone: own.FairTone}
	case len(r.Warnings) > 0:
		return own.Cell{Text: "! " + strings.Join(r.Warnings, "; "), Tone: own.FairTone}
	case point.Known:
		return own.Cell{Text: "from the ledger", Tone: own.Quiet}
	}
	return own.Cell{Text: "done", Tone: own.GoodTone}
}
