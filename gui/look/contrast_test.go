package look

import (
	"image/color"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"tierscope/gui/palette"
)

// Quiet labels carry answers, such as the details of a verdict and the state of a run, and WCAG 2.2 asks 4.5:1 of text.
// Labels of low importance have the colour of what is disabled.
func TestQuietTextIsLegible(t *testing.T) {
	t.Parallel()
	for _, mode := range []Mode{Light, Dark} {
		of := func(name fyne.ThemeColorName) color.NRGBA {
			return color.NRGBAModel.Convert(Theme{Mode: mode}.Color(name, theme.VariantLight)).(color.NRGBA)
		}
		for _, back := range []fyne.ThemeColorName{theme.ColorNameBackground, theme.ColorNameHeaderBackground} {
			if c := palette.Contrast(of(theme.ColorNameDisabled), of(back)); c < 4.5 {
				t.Errorf("%s: quiet text on %s has contrast %.2f, want at least 4.5", mode, back, c)
			}
		}
	}
}
