// Package save writes figures and tables to files from the window: a small
// dialog asks for format, size and path, and the file is written in the
// background, to a temporary name first.
package save

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"fyne.io/fyne/v2/widget"
	"gonum.org/v1/plot/vg"

	"tierscope/gui/background"
	"tierscope/gui/chart"
	"tierscope/gui/page"
	"tierscope/gui/palette"
	"tierscope/gui/session"
	own "tierscope/gui/widget"
	"tierscope/project"
)

// formats are the choices of the dialog, with the extension of each.
var formats = []struct{ label, extension string }{
	{"SVG picture", "svg"}, {"PDF picture", "pdf"}, {"PNG picture", "png"}, {"EPS picture", "eps"},
	{"CSV table", "csv"}, {"Markdown table", "md"}, {"LaTeX table", "tex"},
}

// Request is what the dialog collects.
type Request struct {
	Format        string  // extension
	Width, Height float64 // mm
	Scale         float64 // PNG: pixels per 1/96 inch
	Path          string
	Provenance    chart.Provenance
	Footer        bool // the provenance stands under the figure too
	Lines         palette.Set
}

// Render returns the file that a request asks for.
func Render(f chart.Figure, r Request) ([]byte, error) {
	var b bytes.Buffer
	var err error
	switch r.Format {
	case "csv":
		err = f.Table().WriteCSV(&b)
	case "md":
		err = f.Table().WriteMarkdown(&b)
	case "tex":
		err = f.Table().WriteLaTeX(&b)
	default:
		if lines, ok := f.(chart.Lines); ok && lines.Title == "" { // beside the figure in the window there are words for that
			lines.Title = chart.Title(f)
			f = lines
		}
		footer := ""
		if r.Footer {
			footer = r.Provenance.Line()
		}
		theme := chart.Light.With(r.Lines)
		err = chart.Export(&b, f, chart.Options{
			Theme: &theme, Format: chart.Format(r.Format), Scale: r.Scale, Footer: footer, Provenance: r.Provenance,
			Width: vg.Length(r.Width) * vg.Millimeter, Height: vg.Length(r.Height) * vg.Millimeter,
		})
	}
	return b.Bytes(), err
}

// Figure asks where and how to save a figure, and saves it.
func Figure(h *page.Host, f chart.Figure, name string, from chart.Provenance) {
	if chart.Empty(f) {
		h.Session.Notify(session.Notice{Level: session.Info, What: "There is no figure to save yet."})
		return
	}
	if h.Pinning {
		Pin(h.Session, f, name, "", from)
		return
	}
	form := newForm(h, filepath.Join(folder(h.Session.Path()), strings.ToLower(strings.ReplaceAll(name, " ", "-"))))
	note := own.NewDialogEntry(h.DialogKey)
	note.SetPlaceHolder("note for the report, if you like")
	var d *page.Dialog
	items := append(form.items(h), widget.NewFormItem("Or", instead(h, f, name, from, note, func() { d.Dismiss() })))
	d = h.Ask(page.Question{Title: "Save figure", Content: widget.NewForm(items...), Confirm: "Save", Dismiss: "Cancel", Do: func() error {
		r, err := form.request(from)
		if err != nil {
			return err
		}
		r.Lines = palette.Set(h.Session.Settings().Palette)
		Write(h.Session, f, r)
		return nil
	}})
}

// Write saves a figure in the background and says so, or why not.
func Write(s *session.Session, f chart.Figure, r Request) {
	background.Start(s.Runner, func(context.Context, func(struct{})) (struct{}, error) {
		data, err := Render(f, r)
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, project.WriteFile(r.Path, data)
	}, nil, func(_ struct{}, err error) {
		if err != nil {
			s.Notify(session.Failure("The figure was not saved.", err))
			return
		}
		s.Notify(session.Notice{Level: session.Info, What: "Saved " + r.Path + "."})
	})
}

// folder is where figures of a project go: its charts, or beside a model file.
func folder(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return filepath.Join(path, "charts")
	}
	if path != "" {
		return filepath.Dir(path)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "."
	}
	return home
}

// form is the dialog's fields.
type form struct {
	format               *own.DialogSelect
	width, height, scale *own.DialogEntry
	path                 *own.DialogEntry
	footer               *own.DialogCheck
}

func newForm(h *page.Host, path string) *form {
	entry := func() *own.DialogEntry { return own.NewDialogEntry(h.DialogKey) }
	f := &form{width: entry(), height: entry(), scale: entry(), path: entry()}
	var labels []string
	for _, x := range formats {
		labels = append(labels, x.label)
	}
	f.width.SetText("160")
	f.height.SetText("100")
	f.scale.SetText("2")
	f.path.SetText(path + ".svg")
	f.footer = own.NewDialogCheck("model and its grade, scenario, seed, replications, intervals and version under the figure", h.DialogKey)
	f.footer.SetChecked(true)
	f.format = own.NewDialogSelect(labels, func(string) {
		f.path.SetText(strings.TrimSuffix(f.path.Text, filepath.Ext(f.path.Text)) + "." + f.extension())
	}, h.DialogKey)
	f.format.SetSelectedIndex(0)
	return f
}

func (f *form) extension() string { return formats[max(f.format.SelectedIndex(), 0)].extension }

func (f *form) items(h *page.Host) []*widget.FormItem {
	return []*widget.FormItem{
		widget.NewFormItem("Format", f.format),
		widget.NewFormItem("Width [mm]", f.width),
		widget.NewFormItem("Height [mm]", f.height),
		widget.NewFormItem("PNG scale", f.scale),
		widget.NewFormItem("File", withFolder(f.path, h)),
		widget.NewFormItem("Provenance", f.footer),
	}
}

// mostMillimetres and mostScale bound pictures to what memory holds.
const (
	mostMillimetres = 2000
	mostScale       = 8
)

func (f *form) request(from chart.Provenance) (Request, error) {
	r := Request{Format: f.extension(), Path: strings.TrimSpace(f.path.Text), Provenance: from, Footer: f.footer.Checked}
	var errs []error
	number := func(name, text string, most float64, set *float64) {
		v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || !(v > 0) || v > most {
			errs = append(errs, fmt.Errorf("%s is %q: type a number above 0 and up to %g", name, text, most))
			return
		}
		*set = v
	}
	number("width", f.width.Text, mostMillimetres, &r.Width)
	number("height", f.height.Text, mostMillimetres, &r.Height)
	number("PNG scale", f.scale.Text, mostScale, &r.Scale)
	if r.Path == "" {
		errs = append(errs, errors.New("the file has no name"))
	}
	return r, errors.Join(errs...)
}
