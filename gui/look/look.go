// Package look is the appearance of the window: the palette as a Fyne theme.
package look

import (
	"image/color"

	"codeberg.org/go-fonts/liberation/liberationmonoregular"
	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansbolditalic"
	"codeberg.org/go-fonts/liberation/liberationsansitalic"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"tierscope/gui/paint"
	"tierscope/gui/palette"
)

// Mode is whether the window is light, dark, or as the system says.
type Mode string

// Modes.
const (
	System Mode = "system"
	Light  Mode = "light"
	Dark   Mode = "dark"
)

// Theme is Tierscope's Fyne theme. The zero value follows the system.
type Theme struct {
	Mode  Mode
	Lines palette.Set // colours of the lines of figures
	Scale float64     // of everything, relative to the system's; 0: as it is. The driver applies it.
}

var _ fyne.Theme = Theme{}

// Scheme returns the colours that fit a variant of the system.
func (t Theme) scheme(v fyne.ThemeVariant) palette.Scheme {
	if t.Mode == Dark || t.Mode != Light && v == theme.VariantDark {
		return palette.Dark().With(t.Lines)
	}
	return palette.Light().With(t.Lines)
}

// Scheme returns the colours of the running application.
func Scheme() palette.Scheme {
	s := fyne.CurrentApp().Settings()
	if t, ok := s.Theme().(Theme); ok {
		return t.scheme(s.ThemeVariant())
	}
	return Theme{}.scheme(s.ThemeVariant())
}

// Color maps Fyne's names to the palette.
func (t Theme) Color(name fyne.ThemeColorName, v fyne.ThemeVariant) color.Color {
	s := t.scheme(v)
	switch name {
	case theme.ColorNameBackground:
		return s.Paper
	case theme.ColorNameHeaderBackground, theme.ColorNameMenuBackground, theme.ColorNameOverlayBackground, theme.ColorNameInnerWindowBorder:
		return s.Surface
	case theme.ColorNameButton:
		return s.Raised
	case theme.ColorNameInputBackground:
		return palette.Mix(s.Paper, s.Raised, 0.75)
	case theme.ColorNameInputBorder:
		return palette.Mix(s.Line, s.Edge, 0.5)
	case theme.ColorNameDisabledButton:
		return s.Surface
	case theme.ColorNamePlaceHolder:
		return s.Muted
	case theme.ColorNameDisabled: // of quiet labels too, which carry answers: legible text
		return palette.Mix(s.Muted, s.Edge, 0.2)
	case theme.ColorNameForeground:
		return s.Ink
	case theme.ColorNameForegroundOnPrimary:
		return s.OnAccent
	case theme.ColorNameForegroundOnError, theme.ColorNameForegroundOnSuccess, theme.ColorNameForegroundOnWarning:
		return s.Paper
	case theme.ColorNamePrimary, theme.ColorNameHyperlink:
		return s.Accent
	case theme.ColorNameSelection:
		return s.Tint
	case theme.ColorNameFocus:
		c := s.Accent
		c.A = 0x50
		return c
	case theme.ColorNameHover:
		c := s.Ink
		c.A = 0x12
		return c
	case theme.ColorNamePressed:
		c := s.Ink
		c.A = 0x22
		return c
	case theme.ColorNameSeparator:
		return s.Line
	case theme.ColorNameScrollBar:
		c := s.Edge
		c.A = 0x90
		return c
	case theme.ColorNameScrollBarBackground:
		return color.Transparent
	case theme.ColorNameShadow:
		return color.NRGBA{A: 0x14}
	case theme.ColorNameError:
		return s.Bad
	case theme.ColorNameSuccess:
		return s.Good
	case theme.ColorNameWarning:
		return s.Fair
	}
	variant := theme.VariantLight
	if s.Dark {
		variant = theme.VariantDark
	}
	return theme.DefaultTheme().Color(name, variant)
}

// Faces of the window: Liberation Sans, as in the figures. Fyne's own face has
// no minus sign, no infinity and no arrows.
var (
	regular    = fyne.NewStaticResource("LiberationSans-Regular.ttf", liberationsansregular.TTF)
	bold       = fyne.NewStaticResource("LiberationSans-Bold.ttf", liberationsansbold.TTF)
	italic     = fyne.NewStaticResource("LiberationSans-Italic.ttf", liberationsansitalic.TTF)
	boldItalic = fyne.NewStaticResource("LiberationSans-BoldItalic.ttf", liberationsansbolditalic.TTF)
	mono       = fyne.NewStaticResource("LiberationMono-Regular.ttf", liberationmonoregular.TTF)
)

// Font returns the face of a style.
func (t Theme) Font(style fyne.TextStyle) fyne.Resource {
	switch {
	case style.Symbol:
		return theme.DefaultTheme().Font(style)
	case style.Monospace:
		return mono
	case style.Bold && style.Italic:
		return boldItalic
	case style.Bold:
		return bold
	case style.Italic:
		return italic
	}
	return regular
}

// Icon returns Fyne's own icons.
func (t Theme) Icon(name fyne.ThemeIconName) fyne.Resource { return theme.DefaultTheme().Icon(name) }

// Sizes of text in device-independent pixels.
const (
	TextSize    = 13
	CaptionSize = 11
	TitleSize   = 16
	HeadingSize = 22
)

// Size is denser than Fyne's defaults: analysts compare many numbers.
func (t Theme) Size(name fyne.ThemeSizeName) float32 {
	switch name {
	case theme.SizeNameText:
		return TextSize
	case theme.SizeNameCaptionText:
		return CaptionSize
	case theme.SizeNameSubHeadingText:
		return TitleSize
	case theme.SizeNameHeadingText:
		return HeadingSize
	case theme.SizeNameInnerPadding:
		return 7
	case theme.SizeNameInlineIcon:
		return 18
	case theme.SizeNameModalBlurRadius:
		return 0 // blurring the window behind a dialog takes a second without a GPU
	case theme.SizeNameSplitThickness:
		return 3
	}
	return theme.DefaultTheme().Size(name)
}

// Fonts returns the window's faces for our own painting.
func Fonts() *paint.Fonts { return paint.Liberation() }
