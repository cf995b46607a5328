package save

import (
	"bytes"
	"cmp"
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"tierscope/gui/background"
	"tierscope/gui/chart"
	"tierscope/gui/page"
	"tierscope/gui/palette"
	"tierscope/gui/recipe"
	"tierscope/gui/session"
	own "tierscope/gui/widget"
)

// instead are the buttons that do something else with a figure than save it: pin it to the report, copy its
// numbers. done closes the dialog.
func instead(h *page.Host, f chart.Figure, name string, from chart.Provenance, note *own.DialogEntry, done func()) fyne.CanvasObject {
	copied := func(label, format string) *own.DialogButton {
		return own.NewDialogButton(label, theme.ContentCopyIcon(), func() {
			done()
			Copy(h.Session, f, format)
		}, h.DialogKey)
	}
	return container.NewVBox(note, container.NewHBox(
		own.NewDialogButton("Pin to the report", theme.ContentAddIcon(), func() {
			done()
			Pin(h.Session, f, name, note.Text, from)
		}, h.DialogKey), copied("Copy CSV", "csv"), copied("Copy Markdown", "md")))
}

// Copy puts the numbers of a figure into the clipboard, as "csv" or "md".
func Copy(s *session.Session, f chart.Figure, format string) {
	data, err := Render(f, Request{Format: format})
	if err != nil {
		s.Notify(session.Failure("The numbers were not copied.", err))
		return
	}
	fyne.CurrentApp().Clipboard().SetContent(string(data))
	s.Notify(session.Notice{Level: session.Info, What: "Copied the numbers of the figure."})
}

// Pin puts a figure into the report as it is now, with a note.
func Pin(s *session.Session, f chart.Figure, name, note string, from chart.Provenance) {
	title := cmp.Or(chart.Title(f), titled(name))
	theme := chart.Light.With(palette.Set(s.Settings().Palette))
	background.Start(s.Runner, func(context.Context, func(struct{})) (recipe.Pin, error) {
		var b bytes.Buffer
		err := chart.Export(&b, f, chart.Options{Theme: &theme, Format: chart.SVG, Title: title, Footer: from.Line(), Provenance: from})
		t := f.Table()
		return recipe.Pin{Title: title, Note: strings.TrimSpace(note), Summary: f.Summary(), From: from.Line(), SVG: b.String(), Header: t.Header, Rows: t.Rows}, err
	}, nil, func(p recipe.Pin, err error) {
		if err != nil {
			s.Notify(session.Failure("The figure was not pinned.", err))
			return
		}
		s.PinFigure(p)
	})
}

// titled is a name as a heading.
func titled(name string) string {
	r, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(r)) + name[n:]
}
