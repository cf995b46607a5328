package palette

import (
	"image/color"
	"math"
)

// viridis are eight equally spaced colours of matplotlib's sequential map.
var viridis = []color.NRGBA{
	hex(0x440154), hex(0x46327E), hex(0x365C8D), hex(0x277F8E),
	hex(0x1FA187), hex(0x4AC16D), hex(0xA0DA39), hex(0xFDE725),
}

// Sequential returns the viridis colour of x in 0…1.
func Sequential(x float64) color.NRGBA {
	x = clamp(x) * float64(len(viridis)-1)
	i := min(int(x), len(viridis)-2)
	return mix(viridis[i], viridis[i+1], x-float64(i))
}

// Heat returns the fill of a node that is x busy, 0…1: paper at 0, warm at 1,
// pale enough for the scheme's ink to be read on it.
func (s Scheme) Heat(x float64) color.NRGBA {
	low, mid, high := s.Surface, hex(0xFFE3A8), hex(0xFF9E6B)
	if s.Dark {
		low, mid, high = s.Raised, hex(0x6B4E12), hex(0x9A3A1A)
	}
	if x = clamp(x); x < 0.5 {
		return mix(low, mid, 2*x)
	}
	return mix(mid, high, 2*x-1)
}

// Diverging returns the colour of a signed value x in −1…1: blue for
// negative, orange for positive, the paper's colour for zero.
func (s Scheme) Diverging(x float64) color.NRGBA {
	neg, pos := hex(0x7DB3E0), hex(0xF0A858)
	if s.Dark {
		neg, pos = hex(0x2C6AA0), hex(0xA35E10)
	}
	if x < 0 {
		return mix(s.Paper, neg, clamp(-x))
	}
	return mix(s.Paper, pos, clamp(x))
}

func clamp(x float64) float64 { return max(0, min(1, x)) }

func mix(a, b color.NRGBA, t float64) color.NRGBA {
	f := func(x, y uint8) uint8 { return uint8(math.Round(float64(x) + (float64(y)-float64(x))*t)) }
	return color.NRGBA{f(a.R, b.R), f(a.G, b.G), f(a.B, b.B), f(a.A, b.A)}
}

// Mix is the colour a share t of the way from a to b.
func Mix(a, b color.NRGBA, t float64) color.NRGBA { return mix(a, b, clamp(t)) }

// Contrast is the ratio of the relative luminances of two opaque colours,
// 1…21 (WCAG 2.2, "contrast ratio").
func Contrast(a, b color.NRGBA) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(c color.NRGBA) float64 {
	lin := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*lin(c.R) + 0.7152*lin(c.G) + 0.0722*lin(c.B)
}
