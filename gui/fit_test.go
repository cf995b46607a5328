package gui

import (
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"tierscope/gui/session"
	"tierscope/project"
)

// menuHeight is what the menu bar takes of a window on Linux, which the window
// of a test does not have.
const menuHeight = 36

// Nobody has to guess a word: on no page, in no size of the window, is a text
// cut off or covered by another. What a text needs comes from its letters, what it
// has from the canvas.
func TestEveryTextOfEveryPageFits(t *testing.T) {
	sample := filepath.Join(t.TempDir(), "cache.tier")
	if err := project.Copy("../assets/samples/cache.tier", sample); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		mode          string
		width, height float32
		scale         float32
		path          string
	}{
		{"light", 1024, 672, 1, ""},
		{"light", 1024, 672, 1, sample},
		{"dark", 1440, 900, 2, sample},
		{"light", 2560, 1440, 1, sample},
	} {
		if testing.Short() && (c.width > 1024 || c.path == "") {
			continue
		}
		w := window(t)
		w.Session.ChangeSettings(func(s *session.Settings) { s.Theme = c.mode })
		w.Window.Canvas().(interface{ SetScale(float32) }).SetScale(c.scale)
		if c.path != "" {
			open(t, w, c.path)
			w.Session.Set("workers", 3)
		}
		for _, e := range w.Shell.Entries() {
			w.Session.GoPage(e.ID)
			w.Session.Runner.Settle()
			size := fyne.NewSize(c.width, c.height-menuHeight)
			w.Window.Resize(size.AddWidthHeight(1, 1))
			w.Window.Resize(size)
			if least := w.Window.Content().MinSize(); least.Width > size.Width || least.Height > size.Height {
				t.Errorf("%s at %g×%g: the page needs %g×%g", e.ID, c.width, c.height, least.Width, least.Height+menuHeight)
				continue
			}
			f := fit{}
			f.walk(w.Window.Content(), view{clip: box{0, 0, float64(size.Width), float64(size.Height)}})
			for _, trouble := range f.troubles() {
				t.Errorf("%s at %g×%g: %s", e.ID, c.width, c.height, trouble)
			}
		}
	}
}

// box is a rectangle on the canvas: left, top, right, bottom.
type box struct{ l, t, r, b float64 }

func boxOf(at fyne.Position, s fyne.Size) box {
	return box{float64(at.X), float64(at.Y), float64(at.X + s.Width), float64(at.Y + s.Height)}
}

func (a box) and(b box) box {
	return box{math.Max(a.l, b.l), math.Max(a.t, b.t), math.Min(a.r, b.r), math.Min(a.b, b.b)}
}

// view is the part of the canvas in which something is seen, and the
// directions in which one can scroll to what is not.
type view struct {
	at         fyne.Position
	clip       box // nothing is drawn outside
	owner      box // the widget that the text belongs to
	sideways   bool
	upwards    bool
	ownerKnown bool
}

// fit collects the texts of a canvas.
type fit struct{ texts []text }

type text struct {
	s    string
	box  box // what the letters need
	view view
}

// tolerance is what rounding may cost, in device-independent pixels.
const tolerance = 1.5

func (f *fit) walk(o fyne.CanvasObject, v view) {
	if o == nil || !o.Visible() {
		return
	}
	v.at = v.at.Add(o.Position())
	here := boxOf(v.at, o.Size())
	switch x := o.(type) {
	case *fyne.Container:
		for _, child := range x.Objects {
			f.walk(child, v)
		}
		return
	case *canvas.Text:
		if x.Text != "" {
			f.add(x, v)
		}
		return
	case *widget.Entry, *widget.SelectEntry:
		return // its text scrolls with the cursor
	case *container.Scroll:
		v.clip = v.clip.and(here)
		v.sideways = v.sideways || x.Direction == container.ScrollBoth || x.Direction == container.ScrollHorizontalOnly
		v.upwards = v.upwards || x.Direction == container.ScrollBoth || x.Direction == container.ScrollVerticalOnly
		v.at = v.at.Subtract(x.Offset)
		f.walk(x.Content, v)
		return
	case *widget.Table, *widget.List:
		v.clip, v.sideways, v.upwards = v.clip.and(here), true, true
	}
	if w, ok := o.(fyne.Widget); ok {
		v.owner, v.ownerKnown = here, true
		for _, child := range test.WidgetRenderer(w).Objects() {
			f.walk(child, v)
		}
	}
}

func (f *fit) add(x *canvas.Text, v view) {
	need := fyne.MeasureText(x.Text, x.TextSize, x.TextStyle)
	at := v.at
	switch x.Alignment {
	case fyne.TextAlignCenter:
		at.X += (x.Size().Width - need.Width) / 2
	case fyne.TextAlignTrailing:
		at.X += x.Size().Width - need.Width
	case fyne.TextAlignLeading:
	}
	f.texts = append(f.texts, text{x.Text, boxOf(at, need), v})
}

func (f *fit) troubles() []string {
	var out []string
	for i, a := range f.texts {
		c := a.view.clip
		if !a.view.sideways && (a.box.l < c.l-tolerance || a.box.r > c.r+tolerance) {
			out = append(out, fmt.Sprintf("%q is cut off by %.0f at the side", a.s, max(c.l-a.box.l, a.box.r-c.r)))
		}
		if !a.view.upwards && (a.box.t < c.t-tolerance || a.box.b > c.b+tolerance) {
			out = append(out, fmt.Sprintf("%q is cut off by %.0f below", a.s, max(c.t-a.box.t, a.box.b-c.b)))
		}
		if o := a.view.owner; a.view.ownerKnown && (a.box.l < o.l-tolerance || a.box.r > o.r+tolerance) {
			out = append(out, fmt.Sprintf("%q is %.0f wider than its place", a.s, a.box.r-a.box.l-(o.r-o.l)))
		}
		for _, b := range f.texts[:i] {
			both := a.box.and(a.view.clip).and(b.box).and(b.view.clip)
			if both.r-both.l > tolerance && both.b-both.t > overlap*min(a.box.b-a.box.t, b.box.b-b.box.t) {
				out = append(out, fmt.Sprintf("%q and %q lie on each other", b.s, a.s))
			}
		}
	}
	return out
}

// overlap is the share of its height that a line of text may share with the
// next: between the lines are no letters.
const overlap = 0.3
