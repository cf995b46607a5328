package palette

import (
	"fmt"
	"image/color"
	"math"
	"testing"
)

// WCAG 2.2 §1.4.11 asks 3:1 for graphics and §1.4.3 4.5:1 for text.
func TestEveryColourIsVisibleOnItsBackground(t *testing.T) {
	t.Parallel()
	for _, s := range []Scheme{Light(), Dark()} {
		for _, st := range States {
			if c := Contrast(s.State(st), s.Paper); c < 3 {
				t.Errorf("dark=%v: state %v has contrast %.2f on paper, want at least 3", s.Dark, st, c)
			}
		}
		for _, set := range Sets {
			for i := range s.series {
				if c := Contrast(s.With(set).Series(i), s.Paper); c < 3 {
					t.Errorf("dark=%v: series %d of the %s set has contrast %.2f on paper, want at least 3", s.Dark, i, set, c)
				}
			}
		}
		text := map[string]color.NRGBA{"ink": s.Ink, "muted": s.Muted, "accent": s.Accent, "good": s.Good, "fair": s.Fair, "bad": s.Bad}
		for name, c := range text {
			for back, b := range map[string]color.NRGBA{"paper": s.Paper, "surface": s.Surface} {
				if r := Contrast(c, b); r < 4.5 {
					t.Errorf("dark=%v: %s on %s has contrast %.2f, want at least 4.5 for text", s.Dark, name, back, r)
				}
			}
		}
		if r := Contrast(s.OnAccent, s.Accent); r < 4.5 {
			t.Errorf("dark=%v: text on accent has contrast %.2f, want at least 4.5", s.Dark, r)
		}
		if r := Contrast(s.Edge, s.Paper); r < 3 {
			t.Errorf("dark=%v: edges have contrast %.2f, want at least 3", s.Dark, r)
		}
	}
}

// The palette of UX.md §4.3, which was computed outside this code: the least
// distance between two states over all kinds of colour vision.
func TestResourceStatesAreThoseOfTheStudy(t *testing.T) {
	t.Parallel()
	want := map[State][2]string{
		CPU: {"#1B93D4", "#3C6A8E"}, Disk: {"#C48718", "#E8BF48"}, Lock: {"#983317", "#9B583D"},
		Queue: {"#1D594D", "#4EF0A5"}, Other: {"#792B7F", "#F66BEF"}, Idle: {"#8D949C", "#A4A9B4"},
	}
	for st, w := range want {
		for i, s := range []Scheme{Light(), Dark()} {
			c := s.State(st)
			if got := fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B); got != w[i] {
				t.Errorf("%v, dark=%v: %s, want %s", st, s.Dark, got, w[i])
			}
		}
	}
}

// The published hex values; altered copies are found on the web.
func TestOkabeItoIsThePublishedSet(t *testing.T) {
	t.Parallel()
	want := []string{"000000", "E69F00", "56B4E9", "009E73", "F0E442", "0072B2", "D55E00", "CC79A7"}
	for i, c := range OkabeIto {
		if got := fmt.Sprintf("%02X%02X%02X", c.R, c.G, c.B); got != want[i] {
			t.Errorf("colour %d is %s, want %s", i, got, want[i])
		}
	}
}

// Text in a node must stay readable however busy the node is.
func TestInkIsReadableOnEveryHeat(t *testing.T) {
	t.Parallel()
	for _, s := range []Scheme{Light(), Dark()} {
		for x := 0.0; x <= 1; x += 0.05 {
			if c := Contrast(s.Ink, s.Heat(x)); c < 4.5 {
				t.Errorf("dark=%v: ink on heat %.2f has contrast %.2f, want at least 4.5", s.Dark, x, c)
			}
			for _, v := range []float64{x, -x} {
				if c := Contrast(s.Ink, s.Diverging(v)); c < 4.5 {
					t.Errorf("dark=%v: ink on residual %.2f has contrast %.2f, want at least 4.5", s.Dark, v, c)
				}
			}
		}
	}
}

// WCAG's own examples: black on white is 21:1, a colour on itself 1:1, and
// #777777 on white 4.48:1.
func TestContrastIsWCAGs(t *testing.T) {
	t.Parallel()
	white := hex(0xFFFFFF)
	for _, c := range []struct {
		v    uint32
		want float64
	}{{0x000000, 21}, {0xFFFFFF, 1}, {0x777777, 4.48}} {
		if got := Contrast(hex(c.v), white); math.Abs(got-c.want) > 0.005 {
			t.Errorf("contrast of #%06X on white is %.3f, want %.2f", c.v, got, c.want)
		}
	}
}
