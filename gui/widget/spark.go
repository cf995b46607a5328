package widget

import (
	"image"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"tierscope/gui/look"
	"tierscope/gui/paint"
	"tierscope/gui/palette"
)

// SparkPoint is the answer at one value of a knob.
type SparkPoint struct {
	At, Y  float64
	Lo, Hi float64 // band; both 0: none
}

// Spark is the answer over the range of a knob: a dashed line for an
// estimate, a solid one with its band and dots for what is simulated.
type Spark struct {
	Line     []SparkPoint // ascending
	Dots     []SparkPoint
	Estimate bool // Line is one
}

// sparkHeight is the height of the strip under a slider.
const sparkHeight = 26

// spark draws a Spark under a slider, each value below the place of the slider
// that stands for it.
type spark struct {
	widget.BaseWidget
	data   Spark
	place  func(float64) (share float64, on bool) // where on its track the slider stands for a value, if it does
	raster *canvas.Raster
}

func newSpark(place func(float64) (float64, bool)) *spark {
	s := &spark{place: place}
	s.raster = canvas.NewRaster(s.paint)
	s.ExtendBaseWidget(s)
	return s
}

func (s *spark) set(d Spark) {
	s.data = d
	s.raster.Refresh()
}

// MinSize keeps the room, whether there is a curve or not yet: nothing jumps.
func (s *spark) MinSize() fyne.Size { return fyne.NewSize(60, sparkHeight) }

// CreateRenderer shows the strip.
func (s *spark) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(s.raster) }

func (s *spark) paint(w, h int) image.Image {
	size := s.raster.Size()
	if size.Width <= 0 || w == 0 {
		return image.NewRGBA(image.Rect(0, 0, w, h))
	}
	r := paint.NewRaster(w, h, float32(w)/size.Width, look.Fonts())
	scheme := look.Scheme()
	line, dots := s.seen(s.data.Line), s.seen(s.data.Dots)
	if len(line)+len(dots) == 0 {
		return r.Image
	}
	lo, hi := reach(line, dots)
	end := trackEnd()
	x := func(v float64) float32 {
		share, _ := s.place(v)
		return end + float32(share)*(size.Width-2*end)
	}
	y := func(v float64) float32 {
		share := 0.5
		if hi > lo {
			share = (min(max(v, lo), hi) - lo) / (hi - lo)
		}
		return size.Height - 4 - float32(share)*(size.Height-8)
	}
	band(r, scheme, line, x, y)
	if len(line) > 1 {
		way := new(paint.Path).MoveTo(x(line[0].At), y(line[0].Y))
		for _, p := range line[1:] {
			way.LineTo(x(p.At), y(p.Y))
		}
		pen := paint.Pen{Color: scheme.Accent, Width: 1.6}
		if s.data.Estimate {
			pen = paint.Pen{Color: scheme.Muted, Width: 1.2, Dash: []float32{4, 3}}
		}
		r.Stroke(pen, way)
	}
	for _, p := range dots {
		r.Fill(paint.Ellipse(x(p.At), y(p.Y), 2.2, 2.2), scheme.Accent)
	}
	return r.Image
}

// leastReach is the part of the answer that the strip reaches over at least: what hardly changes
// looks so.
const leastReach = 0.1

// reach is what the strip reaches over.
func reach(line, dots []SparkPoint) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, points := range [][]SparkPoint{line, dots} {
		for _, p := range points {
			lo, hi = min(lo, p.Y), max(hi, p.Y)
		}
	}
	if more := leastReach*max(math.Abs(lo), math.Abs(hi)) - (hi - lo); more > 0 {
		lo, hi = lo-more/2, hi+more/2
	}
	return lo, hi
}

// seen are the points that lie on the slider's track.
func (s *spark) seen(points []SparkPoint) (out []SparkPoint) {
	for _, p := range points {
		if _, on := s.place(p.At); on {
			out = append(out, p)
		}
	}
	return out
}

// band fills what is between the ends of the intervals of a line.
func band(r *paint.Raster, scheme palette.Scheme, line []SparkPoint, x, y func(float64) float32) {
	var outline []paint.Point
	for _, p := range line {
		if p.Lo == 0 && p.Hi == 0 {
			return
		}
		outline = append(outline, paint.Point{X: x(p.At), Y: y(p.Hi)})
	}
	for i := len(line) - 1; i >= 0; i-- {
		outline = append(outline, paint.Point{X: x(line[i].At), Y: y(line[i].Lo)})
	}
	if len(outline) > 2 {
		r.Fill(paint.Polygon(outline...), scheme.Tint)
	}
}
