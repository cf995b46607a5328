package chart

import (
	"image/color"

	"tierscope/gui/palette"
)

// Theme holds the colours of a figure; those of the window and of exports are
// the same.
type Theme = palette.Scheme

// Themes. Light is also the one for print.
var (
	Light = palette.Light()
	Dark  = palette.Dark()
)

// faded returns c with the given opacity.
func faded(c color.NRGBA, alpha float64) color.NRGBA {
	c.A = uint8(255*alpha + 0.5)
	return c
}
