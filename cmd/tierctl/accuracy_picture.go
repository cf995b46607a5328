package main

import (
	"bytes"
	"path/filepath"
	"slices"

	"gonum.org/v1/plot/vg"

	"tierscope/gui/chart"
	"tierscope/measure/accuracy"
	"tierscope/project"
)

// pictured are the programs of the figure of advice: a lock, a barrier, queues, and one in Java.
var pictured = []string{"cache", "galaxy", "pipeline", "java-index"}

// mostPictured runs are drawn: the grids are larger, the lines flat.
const mostPictured = 14

// drawAdvice writes the figure of how fast advised runs make a program known.
func drawAdvice(b *accuracy.Book, dir string) error {
	const smallest, width = 8, .15
	f := chart.Lines{Title: "How well the whole grid is known after some runs of it: advised (lines), and in order (dashed)",
		X: chart.Axis{Label: "runs", Linear: true}, Y: chart.Axis{Label: "widest interval ±", Unit: "1", Log: true}}
	for _, a := range b.Advice(smallest, width) {
		colour := slices.Index(pictured, a.Subject)
		if colour < 0 {
			continue
		}
		f.Series = append(f.Series,
			chart.Series{Name: a.Subject, Role: chart.Curve, Colour: colour, Points: after(a.Advised)},
			chart.Series{Name: a.Subject + ", in order", Role: chart.Analytic, Colour: colour, Points: after(a.InOrder)})
	}
	var file bytes.Buffer
	if err := chart.Export(&file, f, chart.Options{Format: chart.SVG, Width: 180 * vg.Millimeter, Height: 100 * vg.Millimeter}); err != nil {
		return err
	}
	return project.WriteFile(filepath.Join(dir, "advice.svg"), file.Bytes())
}

// after are the widths after one run, two, …
func after(widths []float64) (points []chart.Point) {
	for i, w := range widths[:min(len(widths), mostPictured)] {
		points = append(points, chart.Point{X: float64(i + 1), Y: w})
	}
	return points
}
