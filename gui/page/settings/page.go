// Package settings is the page of the analyst's preferences. They take effect
// at once and survive a restart.
package settings

import (
	"fmt"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"tierscope/gui/page"
	"tierscope/gui/palette"
	"tierscope/gui/session"
	ours "tierscope/gui/widget"
)

// ID is the page in session.Place.
const ID = "settings"

// Page is the settings page.
type Page struct {
	host    *page.Host
	theme   *widget.RadioGroup
	choices []choice
	rows    []field
	root    fyne.CanvasObject
}

// scales are sizes of everything relative to the system's, in the steps that the toolkit has; 0: as it is.
var scales = []string{"0", "0.8", "0.9", "1.1", "1.2", "1.3", "1.5", "1.8", "2"}

// New returns the page of a window whose simulations use so many cores unless they are told otherwise, and which
// reads the analyst's own keys from a file.
func New(h *page.Host, cores int, keys string) page.Page {
	p := &Page{host: h}
	p.theme = widget.NewRadioGroup([]string{"system", "light", "dark"}, func(s string) {
		if s != "" {
			h.Session.ChangeSettings(func(x *session.Settings) { x.Theme = s })
		}
	})
	p.theme.Horizontal = true
	look := ours.Titled("Appearance", container.NewVBox(
		titled("Theme", p.theme),
		p.choice("Scale", "Of everything in the window.", scales, scaleWords,
			func(s session.Settings) string { return strconv.FormatFloat(s.Scale, 'g', -1, 64) },
			func(s *session.Settings, v string) { s.Scale, _ = strconv.ParseFloat(v, 64) }),
		p.choice("Lines of figures", "In the window, in files and in reports. Tiers, states and residuals are told apart by everybody.",
			[]string{string(palette.Standard), string(palette.ColourBlind), string(palette.Grey)}, setWords,
			func(s session.Settings) string { return s.Palette },
			func(s *session.Settings, v string) { s.Palette = v })))
	input := ours.Titled("Mouse and keys", container.NewVBox(
		p.choice("Wheel", "Of the mouse, over graphs and timelines. With Ctrl it zooms always.", []string{string(session.Zooms), string(session.Scrolls)},
			func(v string) string { return v }, func(s session.Settings) string { return string(s.Wheel) },
			func(s *session.Settings, v string) { s.Wheel = session.Wheel(v) }),
		titled("Keys", container.NewBorder(nil, nil, container.NewGridWrap(fyne.NewSize(170, 34), widget.NewButton("Show all keys", h.ShowKeys)), nil, ours.Caption(keyWords(keys))))))
	runs := ours.Titled("Runs", container.NewVBox(
		p.number("Replications, at least", "Independent runs with their own random numbers; more make intervals narrower.", 2, 1000, true,
			func(s session.Settings) float64 { return float64(s.Replications) },
			func(s *session.Settings, v float64) { s.Replications = int(v) }),
		p.number("Precision [%]", "A run goes on until the intervals of R and X are this narrow (± per cent of the mean); 0 stops at the replications above.", 0, 50, false,
			func(s session.Settings) float64 { return 100 * s.Precision },
			func(s *session.Settings, v float64) { s.Precision = v / 100 }),
		p.number("Confidence [%]", "Of all intervals.", 50, 99.9, false,
			func(s session.Settings) float64 { return 100 * s.Confidence },
			func(s *session.Settings, v float64) { s.Confidence = v / 100 }),
		p.number("Seed", "Equal seeds give equal results, to the last digit.", 0, 1<<53, true,
			func(s session.Settings) float64 { return float64(s.Seed) },
			func(s *session.Settings, v float64) { s.Seed = uint64(v) }),
		p.number("Parallel replications", "0 uses all cores, which are "+strconv.Itoa(cores)+" here.", 0, 1024, true,
			func(s session.Settings) float64 { return float64(s.Workers) },
			func(s *session.Settings, v float64) { s.Workers = int(v) })))
	p.root = container.NewVScroll(ours.Centered(720, container.NewVBox(ours.Gap(0, 8), ours.Heading("Settings"), look, input, runs)))
	p.show()
	return p
}

// scaleWords are the words of a scale.
func scaleWords(v string) string {
	k, _ := strconv.ParseFloat(v, 64)
	if k == 0 {
		return "as the system"
	}
	return fmt.Sprintf("%.0f %%", 100*k)
}

// setWords are the words of a set of colours.
func setWords(v string) string {
	switch palette.Set(v) {
	case palette.ColourBlind:
		return "for every vision"
	case palette.Grey:
		return "greys"
	case palette.Standard:
	}
	return "standard"
}

// keyWords say how keys are changed.
func keyWords(file string) string {
	if file == "" {
		return "Also with ? and F1."
	}
	return "Also with ? and F1. Your own go into " + file + `, such as {"Command palette": "Ctrl+Shift+K"}; they work from the next start on.`
}

func (p *Page) show() {
	s := p.host.Session.Settings()
	p.theme.SetSelected(s.Theme)
	for _, c := range p.choices {
		c.Choose(c.get(s))
	}
	for _, f := range p.rows {
		if text := f.get(s); text != f.entry.Text {
			if now, err := strconv.ParseFloat(f.entry.Text, 64); err == nil && strconv.FormatFloat(now, 'g', 15, 64) == text {
				continue // typed another way: leave it alone
			}
			f.entry.SetText(text)
		}
	}
}

// Content returns the page.
func (p *Page) Content() fyne.CanvasObject { return p.root }

// Update shows settings that were changed elsewhere.
func (p *Page) Update(e session.Event) {
	if e == session.PlaceChanged || e == session.SettingsChanged {
		p.show()
	}
}
