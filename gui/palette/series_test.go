package palette

import (
	"image/color"
	"math"
	"testing"
)

// visions are linear RGB as people see it who lack one kind of cone (Machado,
// Oliveira & Fernandes 2009, table 1, severity 1).
var visions = map[string][3][3]float64{
	"normal":      {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanope":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranope": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanope":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

func times(m [3][3]float64, v [3]float64) (out [3]float64) {
	for i, row := range m {
		out[i] = row[0]*v[0] + row[1]*v[1] + row[2]*v[2]
	}
	return out
}

// lab are the CIELAB coordinates (D65) of a colour as somebody sees it.
func lab(c color.NRGBA, vision [3][3]float64) [3]float64 {
	var rgb [3]float64
	for i, v := range []uint8{c.R, c.G, c.B} {
		if rgb[i] = float64(v) / 255; rgb[i] <= 0.04045 {
			rgb[i] /= 12.92
		} else {
			rgb[i] = math.Pow((rgb[i]+0.055)/1.055, 2.4)
		}
	}
	rgb = times(vision, rgb)
	for i := range rgb {
		rgb[i] = clamp(rgb[i])
	}
	xyz := times([3][3]float64{{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}}, rgb)
	for i, white := range []float64{0.95047, 1, 1.08883} {
		if xyz[i] /= white; xyz[i] > 0.008856 {
			xyz[i] = math.Cbrt(xyz[i])
		} else {
			xyz[i] = 7.787*xyz[i] + 16./116
		}
	}
	return [3]float64{116*xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])}
}

// apart is the least ΔE*ab between two lines of a scheme for somebody.
func apart(s Scheme, vision [3][3]float64) float64 {
	least := math.Inf(1)
	for i := range s.series {
		for j := range i {
			a, b := lab(s.Series(i), vision), lab(s.Series(j), vision)
			least = min(least, math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2]))
		}
	}
	return least
}

// A ΔE*ab of 2.3 is just noticeable side by side (Mahy et al. 1994); thin lines that are
// apart from each other need many times that.
func TestLinesOfTheColourBlindSetAreToldApartByEverybody(t *testing.T) {
	t.Parallel()
	for _, s := range []Scheme{Light(), Dark()} {
		for name, vision := range visions {
			if d := apart(s.With(ColourBlind), vision); d < 30 {
				t.Errorf("dark=%v: for a %s two lines are %.1f apart, want at least 30", s.Dark, name, d)
			}
			if d := apart(s.With(Grey), vision); d < 9 {
				t.Errorf("dark=%v: for a %s two greys are %.1f apart, want about the tenth of all lightness", s.Dark, name, d)
			}
		}
	}
}

func TestGreysHaveNoColour(t *testing.T) {
	t.Parallel()
	for _, s := range []Scheme{Light().With(Grey), Dark().With(Grey)} {
		for i := range s.series {
			if c := s.Series(i); c.R != c.G || c.G != c.B {
				t.Errorf("dark=%v: line %d is %v, want grey", s.Dark, i, c)
			}
		}
	}
}
