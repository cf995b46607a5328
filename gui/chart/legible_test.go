package chart

import (
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot"
)

func line(colour int, ys ...float64) Series {
	s := Series{Colour: colour}
	for i, y := range ys {
		s.Points = append(s.Points, Point{X: float64(i + 1), Y: y})
	}
	return s
}

// A linear axis of 10 cm gives what is below a thirtieth of its end 3 mm.
func TestAxesOfSteepFiguresAreLogarithmic(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		f    Lines
		x, y bool
	}{
		{"ratio 29", Lines{Series: []Series{line(0, 1, 29)}}, false, false},
		{"ratio 31", Lines{Series: []Series{line(0, 1, 31)}}, false, true},
		{"with a zero", Lines{Series: []Series{line(0, 0, 31)}}, false, false},
		{"shares", Lines{Y: Axis{Unit: "1"}, Series: []Series{line(0, 0.01, 0.9)}}, false, false},
		{"x from 1 to 64", Lines{Series: []Series{{Points: []Point{{X: 1, Y: 1}, {X: 64, Y: 2}}}}}, true, false},
	} {
		if x, y := c.f.Steep(); x != c.x || y != c.y {
			t.Errorf("%s: logarithmic x %v, y %v; want %v, %v", c.name, x, y, c.x, c.y)
		}
	}
	f := Lines{Y: Axis{Linear: true}, Series: []Series{line(0, 1, 100)}}
	p := newPlot(Light, true)
	if _, err := f.draw(p, Light); err != nil {
		t.Fatal(err)
	}
	if p.Y.Norm(50.5) < 0.4 { // the middle of a linear axis; 0.85 of a logarithmic one
		t.Error("an axis that is to stay linear is not")
	}
}

func TestALineOnAnotherIsDashedSoThatBothAreSeen(t *testing.T) {
	t.Parallel()
	f := Lines{Series: []Series{line(0, 1, 2, 3), line(1, 1.001, 2, 3), line(2, 1, 2, 4), line(3, 1, 2, 3)}}
	for i, want := range []int{0, 1, 0, 2} {
		if got := f.under(i); got != want {
			t.Errorf("line %d lies on %d others, want %d", i, got, want)
		}
	}
}

// A footer that is longer than the picture is wide stands in lines between its parts.
func TestAFooterIsBrokenBetweenItsParts(t *testing.T) {
	t.Parallel()
	p := newPlot(Light, true)
	style := p.X.Tick.Label
	footer := strings.Join([]string{"model web", "trust B", "scenario A", "95 % intervals"}, " · ")
	all := footerLines(style, footer, style.Width("model web · trust B · scen"))
	if len(all) < 2 || slices.ContainsFunc(all, func(line string) bool { return style.Width(line) > style.Width("model web · trust B · scen") }) {
		t.Errorf("the lines are %q", all)
	}
	if got := strings.Join(all, " · "); got != footer {
		t.Errorf("the lines say %q, want %q", got, footer)
	}
}

// A metric of an element with a long name is recognised by its beginning, its axis by the unit at its end.
func TestALabelThatIsTooLongKeepsItsUnit(t *testing.T) {
	t.Parallel()
	style := newPlot(Light, true).X.Label.TextStyle
	const room = 100
	s := fitted(&style, "Response time R, in the queue of jobs [ms]", room)
	if style.Width(s) > room || !strings.HasPrefix(s, "Response") || !strings.HasSuffix(s, " [ms]") {
		t.Errorf("%q is %g points wide in %d", s, style.Width(s), room)
	}
	if s := fitted(&style, "R [ms]", room); s != "R [ms]" {
		t.Errorf("a short label becomes %q", s)
	}
}

// Where there is no room for words, the symbol says what an axis has; a label without one is shortened.
func TestALabelWithASymbolIsShortenedToIt(t *testing.T) {
	t.Parallel()
	for label, want := range map[string]string{
		"Response time R [ms]":                "R [ms]",
		"Response time R, in jobs (p95) [ms]": "R [ms]",
		"Utilization U, pool front":           "U",
		"Improvement when it needs less time": "",
		"Time between arrivals [ms]":          "",
	} {
		if got := symbol(label); got != want {
			t.Errorf("%q becomes %q, want %q", label, got, want)
		}
	}
}

// An axis has two numbers at least, however small it is and whatever is on it: one number says nothing of the scale.
func TestEveryAxisHasTwoNumbers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ lo, hi float64 }{{0, 0.55}, {412, 542}, {0.31, 0.49}, {0.6, 4}, {2.1, 2.2}} {
		for name, ticker := range map[string]plot.Ticker{"linear": decimalTicks{wanted: 2}, "logarithmic": logTicks{}} {
			numbers := 0
			for _, tick := range ticker.Ticks(c.lo, c.hi) {
				if tick.Label != "" {
					numbers++
				}
			}
			if c.lo == 0 && name == "logarithmic" {
				continue
			}
			if numbers < 2 || numbers > 5 {
				t.Errorf("from %g to %g a %s axis has %d numbers", c.lo, c.hi, name, numbers)
			}
		}
	}
}
