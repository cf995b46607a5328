package timeline

import (
	"image"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"tierscope/gui/look"
	"tierscope/gui/paint"
	recording "tierscope/simulation/timeline"
)

// meanings say what a thread does in each state.
var meanings = [recording.States]string{"runs", "ready, without a core", "waits for a lock", "waits for a signal", "waits for the disk", "the disk serves",
	"waits for a task", "delay", "waits for threads"}

// legend shows the states that a recording has, each with its colour and hatch.
type legend struct {
	widget.BaseWidget
	states []recording.State
	raster *canvas.Raster
}

func newLegend() *legend {
	l := &legend{}
	l.raster = canvas.NewRaster(l.paint)
	l.ExtendBaseWidget(l)
	return l
}

// show shows the states of the threads of a recording.
func (l *legend) show(r *recording.Recording) {
	var seen [recording.States]bool
	for _, lane := range r.Lanes {
		if lane.Group != recording.Threads {
			continue
		}
		for _, s := range lane.Spans {
			seen[s.State] = true
		}
	}
	l.states = l.states[:0:0] // a picture that is being painted has the old ones
	for state, on := range seen {
		if on {
			l.states = append(l.states, recording.State(state))
		}
	}
	l.raster.Refresh()
}

// Sizes in device-independent pixels.
const (
	legendHeight = 18
	sampleWidth  = 22
	legendText   = 11
)

func (l *legend) paint(w, h int) image.Image {
	size := l.raster.Size()
	k := float32(1)
	if size.Width > 0 {
		k = float32(w) / size.Width
	}
	scheme, fonts := look.Scheme(), look.Fonts()
	r := paint.NewRaster(w, h, k, fonts)
	r.Clear(scheme.Paper)
	x := float32(8)
	for _, state := range l.states {
		text := meanings[state]
		c, hatch := style(scheme, state)
		r.Block(x, (legendHeight-11)/2, sampleWidth, 11, c, hatch)
		x += sampleWidth + 5
		r.Text(paint.Text{At: paint.Point{X: x, Y: legendHeight / 2}, S: fonts.Fit(text, legendText, false, max(size.Width-x, 0)), Size: legendText, Color: scheme.Muted})
		x += fonts.Width(text, legendText, false) + 16
	}
	return r.Image
}

// AccessibilityLabel implements fyne.Accessible.
func (l *legend) AccessibilityLabel() string {
	var words []string
	for _, state := range l.states {
		words = append(words, meanings[state])
	}
	return "states of threads: " + strings.Join(words, ", ")
}

// AccessibilityRole implements fyne.Accessible.
func (l *legend) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleContainer }

// MinSize is one line.
func (l *legend) MinSize() fyne.Size { return fyne.NewSize(60, legendHeight) }

// CreateRenderer shows the line.
func (l *legend) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(l.raster) }
