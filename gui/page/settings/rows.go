package settings

import (
	"fmt"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"tierscope/gui/session"
	ours "tierscope/gui/widget"
)

// field is a setting that is typed.
type field struct {
	entry *widget.Entry
	note  *widget.Label
	get   func(session.Settings) string
}

// choice is a setting that is one of a few.
type choice struct {
	*ours.Choice
	get func(session.Settings) string
}

// titled is a row: the name of a setting, and what sets it.
func titled(title string, o fyne.CanvasObject) fyne.CanvasObject {
	return container.NewBorder(nil, nil, container.NewGridWrap(fyne.NewSize(190, 34), widget.NewLabel(title)), nil, o)
}

// choice is a row for one of values, each with its words.
func (p *Page) choice(title, hint string, values []string, words func(string) string, get func(session.Settings) string, set func(*session.Settings, string)) fyne.CanvasObject {
	c := choice{get: get}
	c.Choice = ours.NewChoice(func(v string) { p.host.Session.ChangeSettings(func(s *session.Settings) { set(s, v) }) })
	c.SetValues(values, words)
	p.choices = append(p.choices, c)
	return titled(title, container.NewBorder(nil, nil, container.NewGridWrap(fyne.NewSize(170, 34), c.Choice), nil, ours.Caption(hint)))
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
	return titled(title, container.NewBorder(nil, nil, container.NewGridWrap(fyne.NewSize(120, 34), f.entry), nil, f.note))
}
