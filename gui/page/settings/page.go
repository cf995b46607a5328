// Package settings is the page of the analyst's preferences. They take effect
// at once and survive a restart.
package settings

import (
	"fmt"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"tierscope/gui/page"
	"tierscope/gui/session"
	ours "tierscope/gui/widget"
)

// ID is the page in session.Place.
const ID = "settings"

// Page is the settings page.
type Page struct {
	host  *page.Host
	theme *widget.RadioGroup
	rows  []field
	root  fyne.CanvasObject
}

// field is a setting that is typed.
type field struct {
	entry *widget.Entry
	note  *widget.Label
	get   func(session.Settings) string
}

// New returns the page of a window whose simulations use so many cores unless they are told otherwise.
func New(h *page.Host, cores int) page.Page {
	p := &Page{host: h}
	p.theme = widget.NewRadioGroup([]string{"system", "light", "dark"}, func(s string) {
		if s != "" {
			h.Session.ChangeSettings(func(x *session.Settings) { x.Theme = s })
		}
	})
	p.theme.Horizontal = true
	look := ours.Titled("Appearance", container.NewVBox(
		container.NewBorder(nil, nil, widget.NewLabel("Theme"), nil, p.theme),
		ours.Caption("The size of everything follows the system; FYNE_SCALE=2 doubles it.")))
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
		p.number("Parallel replications", "0 uses all cores, which are "+strconv.Itoa(cores)+" here. Takes effect at the next start.", 0, 1024, true,
			func(s session.Settings) float64 { return float64(s.Workers) },
			func(s *session.Settings, v float64) { s.Workers = int(v) })))
	p.root = container.NewVScroll(ours.Centered(720, container.NewVBox(ours.Gap(0, 8), ours.Heading("Settings"), look, runs)))
	p.show()
	return p
}

// number is a row for a number between least and most.
func (p *Page) number(title, hint string, least, most float64, whole bool, get func(session.Settings) float64, set func(*session.Settings, float64)) fyne.CanvasObject {
	f := field{entry: widget.NewEntry(), note: ours.Caption(hint), get: func(s session.Settings) string {
		return strconv.FormatFloat(get(s), 'g', 15, 64)
	}}
	f.entry.OnChanged = func(text string) {
		v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || !(v >= least && v <= most) || whole && v != float64(int64(v)) {
			f.note.Importance = widget.DangerImportance
			f.note.SetText(fmt.Sprintf("Type a number from %g to %g.", least, most))
			return
		}
		f.note.Importance = widget.LowImportance
		f.note.SetText(hint)
		p.host.Session.ChangeSettings(func(s *session.Settings) { set(s, v) })
	}
	p.rows = append(p.rows, f)
	return container.NewBorder(nil, nil, container.NewGridWrap(fyne.NewSize(190, 34), widget.NewLabel(title)), nil,
		container.NewBorder(nil, nil, container.NewGridWrap(fyne.NewSize(120, 34), f.entry), nil, f.note))
}

func (p *Page) show() {
	s := p.host.Session.Settings()
	p.theme.SetSelected(s.Theme)
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
