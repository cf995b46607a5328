package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"tierscope/analysis/predictability"
	"tierscope/gui/chart"
)

// Predictability is the figure of the CPU time over the problem size, both on
// logarithmic axes: what was measured, the cost that was fitted to the
// calibrations, and the zones below the PoP and above the PoU of a heap in which
// it says nothing. pou may be nil.
func Predictability(s *predictability.Study, pou *predictability.PoU) chart.Lines {
	f := chart.Lines{Title: "CPU time in an ample heap", X: chart.Axis{Label: "Problem size", Log: true}, Y: chart.Axis{Label: "CPU time", Unit: "s", Log: true}}
	roles := []struct {
		of   predictability.Role
		name string
	}{{predictability.Search, "search for the PoP"}, {predictability.Calibration, "calibration"}, {predictability.Check, "measured to check"}}
	lo, hi := math.Inf(1), 0.0
	for i, role := range roles {
		series := chart.Series{Name: role.name, Role: chart.Measured, Colour: i}
		for _, p := range s.Points {
			n := float64(p.Size)
			lo, hi = math.Min(lo, n), math.Max(hi, n)
			if p.Role == role.of {
				series.Points = append(series.Points, chart.Point{X: n, Y: p.CPU, Lo: cmp.Or(p.Least, p.CPU), Hi: p.Most, Note: fmt.Sprintf("%d runs", p.Runs)})
			}
		}
		if len(series.Points) > 0 {
			byX(series.Points)
			f.Series = append(f.Series, series)
		}
	}
	if pou != nil {
		hi = math.Max(hi, pou.Size*1.2)
	}
	fit := chart.Series{Name: "predicted: " + s.Formula(), Role: chart.Predicted}
	const steps = 60
	for k := range steps + 1 {
		n := lo * math.Pow(hi/lo, float64(k)/steps)
		fit.Points = append(fit.Points, chart.Point{X: n, Y: s.At(n)})
	}
	f.Series = append([]chart.Series{fit}, f.Series...)
	if s.PoP != nil {
		f.Marks = append(f.Marks, chart.Mark{X: s.PoP.Size, Label: fmt.Sprintf("PoP %.4g", s.PoP.Size)})
		f.Zones = append(f.Zones, chart.Zone{From: 0, To: s.PoP.Size})
	}
	if pou != nil && !math.IsInf(pou.Size, 0) {
		f.Marks = append(f.Marks, chart.Mark{X: pou.Size, Label: fmt.Sprintf("PoU %.4g", pou.Size)})
		f.Zones = append(f.Zones, chart.Zone{From: pou.Size, To: math.Inf(1)})
		if m, ok := pou.Measured(); ok {
			f.Marks = append(f.Marks, chart.Mark{X: m, Label: fmt.Sprintf("measured PoU %.4g", m), Measured: true})
		}
	}
	return f
}

// Slowdown is the figure of the slow-down over the size in a heap.
func Slowdown(s *predictability.Study, heap int64) chart.Lines {
	f := chart.Lines{Title: "Slow-down in " + predictability.Megabytes(heap), X: chart.Axis{Label: "Problem size", Log: true}, Y: chart.Axis{Label: "Slow-down"}}
	if s.Surface == nil {
		return f
	}
	p := s.PoUOf(heap)
	line := chart.Series{Name: "predicted", Role: chart.Predicted}
	threshold := chart.Series{Name: fmt.Sprintf("too small a heap: %.3g", s.Slowdown), Role: chart.Bound}
	const steps = 60
	for k := range steps + 1 {
		n := p.Size * math.Pow(4, float64(k)/steps-0.8)
		if slow := s.SlowdownAt(n, heap); slow < 3*s.Slowdown {
			line.Points = append(line.Points, chart.Point{X: n, Y: slow})
			threshold.Points = append(threshold.Points, chart.Point{X: n, Y: s.Slowdown})
		}
	}
	f.Series = []chart.Series{line, threshold}
	measured := chart.Series{Name: "measured", Role: chart.Measured}
	for _, t := range s.Tight {
		if t.Heap == heap && t.Slowdown < 3*s.Slowdown {
			measured.Points = append(measured.Points, chart.Point{X: float64(t.Size), Y: t.Slowdown})
		}
	}
	if len(measured.Points) > 0 {
		byX(measured.Points)
		f.Series = append(f.Series, measured)
	}
	return f
}

// Shares is the figure of what compilation and collection take of the CPU time,
// over the size.
func Shares(s *predictability.Study) chart.Lines {
	f := chart.Lines{Title: "Share of CPU time", X: chart.Axis{Label: "Problem size", Log: true}, Y: chart.Axis{Label: "Share", Unit: "1"}}
	compile := chart.Series{Name: "compilation, less start-up", Role: chart.Measured}
	collect := chart.Series{Name: "collection", Role: chart.Measured, Colour: 1}
	for _, p := range s.Points {
		compile.Points = append(compile.Points, chart.Point{X: float64(p.Size), Y: p.Share})
		collect.Points = append(collect.Points, chart.Point{X: float64(p.Size), Y: p.Collect / p.CPU})
	}
	byX(compile.Points)
	byX(collect.Points)
	f.Series = []chart.Series{collect}
	if s.PoP != nil {
		f.Series = append(f.Series, compile)
		f.Marks = []chart.Mark{{X: s.PoP.Size, Label: fmt.Sprintf("PoP: below %.0f %%", 100*s.PoP.Threshold)}}
	}
	return f
}

func byX(points []chart.Point) {
	slices.SortFunc(points, func(p, q chart.Point) int {
		if p.X < q.X {
			return -1
		}
		return 1
	})
}
