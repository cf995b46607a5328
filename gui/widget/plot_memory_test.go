package widget

import (
	"runtime"
	"testing"

	"fyne.io/fyne/v2"

	"tierscope/gui/background"
	"tierscope/gui/chart"
)

// The live heap before and after 500 different figures in one plot.
func BenchmarkMemoryOfReplots(b *testing.B) {
	app(b)
	r := background.NewLocal()
	p := NewPlot(r)
	p.Resize(fyne.NewSize(600, 400))
	live := func() float64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc) / 1024
	}
	round := 0.0
	replot := func(n int) {
		for range n {
			round++
			s := chart.Series{Name: "predicted"}
			for x := range 50 {
				s.Points = append(s.Points, chart.Point{X: float64(x), Y: round + float64(x), Lo: round, Hi: round + 2*float64(x)})
			}
			p.SetFigure(chart.Lines{X: chart.Axis{Label: "rate", Unit: "1/s"}, Y: chart.Axis{Label: "R", Unit: "s"}, Series: []chart.Series{s}})
			p.paint(600, 400)
			r.Settle()
		}
	}
	replot(20)
	before := live()
	for b.Loop() {
		replot(500)
	}
	b.ReportMetric(live()-before, "KiB-grown")
}
