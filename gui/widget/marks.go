package widget

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/gui/look"
)

// marks stand under the track of a slider: a tick where the baseline is, and
// dashes where the measuring run is no evidence.
type marks struct {
	widget.BaseWidget
	baseline  float64    // share of the track
	supported [2]float64 // shares of the track; both 0: everywhere
}

func newMarks(baseline float64, supported [2]float64) *marks {
	m := &marks{baseline: baseline, supported: supported}
	m.ExtendBaseWidget(m)
	return m
}

// CreateRenderer draws the marks.
func (m *marks) CreateRenderer() fyne.WidgetRenderer {
	r := &marksRenderer{m: m}
	r.Layout(m.Size())
	return r
}

type marksRenderer struct {
	m       *marks
	objects []fyne.CanvasObject
}

// Sizes of the marks in device-independent pixels.
const (
	tickWidth, tickHeight = 2, 5
	dash, gap             = 3, 3
)

// trackEnd is what Fyne's slider leaves beside its track for the knob.
func trackEnd() float32 {
	return (theme.Size(theme.SizeNameInlineIcon)-4)/2 + theme.Size(theme.SizeNameInnerPadding) - 1.5
}

func (r *marksRenderer) Layout(size fyne.Size) {
	r.objects = nil
	s := look.Scheme()
	end := trackEnd()
	length := size.Width - 2*end
	if length <= 0 {
		return
	}
	at := func(share float64) float32 { return end + float32(share)*length }
	y := size.Height/2 + 7
	add := func(x, w, h float32, c color.Color) {
		mark := canvas.NewRectangle(c)
		mark.Move(fyne.NewPos(x, y))
		mark.Resize(fyne.NewSize(w, h))
		r.objects = append(r.objects, mark)
	}
	if r.m.supported != [2]float64{} {
		for _, span := range [][2]float64{{0, r.m.supported[0]}, {r.m.supported[1], 1}} {
			for x := at(span[0]); x+dash <= at(span[1]); x += dash + gap {
				add(x, dash, 2, s.Fair)
			}
		}
	}
	add(at(r.m.baseline)-tickWidth/2, tickWidth, tickHeight, s.Muted)
}

func (r *marksRenderer) Refresh() { r.Layout(r.m.Size()) }

func (r *marksRenderer) MinSize() fyne.Size { return fyne.Size{} }

func (r *marksRenderer) Destroy() {}

func (r *marksRenderer) Objects() []fyne.CanvasObject { return r.objects }
