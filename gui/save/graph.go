package save

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/gui/background"
	"tierscope/gui/chart"
	"tierscope/gui/diagram"
	"tierscope/gui/page"
	"tierscope/gui/paint"
	"tierscope/gui/recipe"
	"tierscope/gui/session"
	own "tierscope/gui/widget"
	"tierscope/project"
)

// Graph asks where to save a graph as SVG, PDF, PNG or EPS, and saves it in
// the colours of print with its provenance below.
func Graph(h *page.Host, d *diagram.Placed, fonts *paint.Fonts) {
	if h.Pinning {
		PinGraph(h.Session, d, fonts, "")
		return
	}
	name := strings.ReplaceAll(d.Name, " ", "-")
	path := own.NewDialogEntry(h.DialogKey)
	path.SetText(filepath.Join(folder(h.Session.Path()), name+".svg"))
	format := own.NewDialogSelect(paint.Formats, func(f string) {
		path.SetText(strings.TrimSuffix(path.Text, filepath.Ext(path.Text)) + "." + f)
	}, h.DialogKey)
	format.SetSelected("svg")
	items := []*widget.FormItem{widget.NewFormItem("Format", format), widget.NewFormItem("File", withFolder(path, h))}
	note := own.NewDialogEntry(h.DialogKey)
	note.SetPlaceHolder("note for the report, if you like")
	var form *page.Dialog
	pin := own.NewDialogButton("Pin to the report", theme.ContentAddIcon(), func() {
		form.Dismiss()
		PinGraph(h.Session, d, fonts, note.Text)
	}, h.DialogKey)
	items = append(items, widget.NewFormItem("Or", container.NewVBox(note, container.NewHBox(pin))))
	form = h.Ask(page.Question{Title: "Save graph", Content: widget.NewForm(items...), Confirm: "Save", Dismiss: "Cancel", Do: func() error {
		WriteGraph(h.Session, d, fonts, path.Text)
		return nil
	}})
}

// drawGraph draws a graph as a file of a format.
func drawGraph(d *diagram.Placed, fonts *paint.Fonts, format, of string, from chart.Provenance) ([]byte, error) {
	var b bytes.Buffer
	err := diagram.Export(&b, format, d, fonts, d.Name+" · "+from.Line(), from.About(d.Name, d.Name+" of "+of))
	return b.Bytes(), err
}

// PinGraph puts a graph into the report as it is now, with a note.
func PinGraph(s *session.Session, d *diagram.Placed, fonts *paint.Fonts, note string) {
	from, of := graphProvenance(s), s.Name()
	background.Start(s.Runner, func(context.Context, func(struct{})) (recipe.Pin, error) {
		data, err := drawGraph(d, fonts, "svg", of, from)
		return recipe.Pin{Title: titled(d.Name), Note: strings.TrimSpace(note), Summary: d.Name + " of " + of, From: from.Line(), SVG: string(data)}, err
	}, nil, func(p recipe.Pin, err error) {
		if err != nil {
			s.Notify(session.Failure("The graph was not pinned.", err))
			return
		}
		s.PinFigure(p)
	})
}

// graphProvenance is where a graph comes from: the model, in the current scenario.
func graphProvenance(s *session.Session) chart.Provenance {
	from := s.Provenance()
	from.Scenario = s.Scenario().Name
	return from
}

// WriteGraph saves a graph in the background; the extension of path is its
// format.
func WriteGraph(s *session.Session, d *diagram.Placed, fonts *paint.Fonts, path string) {
	from, of := graphProvenance(s), s.Name()
	background.Start(s.Runner, func(context.Context, func(struct{})) (struct{}, error) {
		data, err := drawGraph(d, fonts, strings.TrimPrefix(filepath.Ext(path), "."), of, from)
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, project.WriteFile(path, data)
	}, nil, func(_ struct{}, err error) {
		if err != nil {
			s.Notify(session.Failure("The graph was not saved.", err))
			return
		}
		s.Notify(session.Notice{Level: session.Info, What: "Saved " + path + "."})
	})
}
