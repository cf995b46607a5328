// Package chart draws every figure of Tierscope from plain data, with
// gonum/plot, for the window (an image in device pixels, with the places one
// can point at) and for files (SVG, PDF, EPS and PNG, with the provenance
// footer). It knows nothing of Fyne.
//
// A Figure is a value; nothing in it depends on colours or sizes:
//
//	figure := chart.Lines{Title: "Response time", X: …, Y: …, Series: …}
//	picture, err := chart.Render(figure, chart.Light, 800, 600, 96)
//	err = chart.Export(w, figure, chart.Options{Format: chart.PDF, Footer: "model shop@1f3c · seed 42"})
//
// Two rules hold on every figure: measured is a neutral marker, predicted is a
// coloured line; and what has an interval shows it.
//
// The figures are Lines (with bands, bounds and knee markers), Scatter
// (predicted against measured with corridors), HeatMap (signed residuals),
// Bars (where a task's time goes), Ranking (gain with interval) and Steps
// (distribution functions). Table gives the numbers of each as its twin, and
// Summary one sentence about it.
package chart
