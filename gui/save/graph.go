package save

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/widget"

	"tierscope/gui/background"
	"tierscope/gui/diagram"
	"tierscope/gui/page"
	"tierscope/gui/paint"
	"tierscope/gui/session"
	"tierscope/project"
)

// Graph asks where to save a graph as SVG, PDF, PNG or EPS, and saves it in
// the colours of print with its provenance below.
func Graph(h *page.Host, d *diagram.Placed, fonts *paint.Fonts) {
	name := strings.ReplaceAll(d.Name, " ", "-")
	path := widget.NewEntry()
	path.SetText(filepath.Join(folder(h.Session.Path()), name+".svg"))
	format := widget.NewSelect(paint.Formats, func(f string) {
		path.SetText(strings.TrimSuffix(path.Text, filepath.Ext(path.Text)) + "." + f)
	})
	format.SetSelected("svg")
	items := []*widget.FormItem{widget.NewFormItem("Format", format), widget.NewFormItem("File", withFolder(path, h.Window))}
	dialog.ShowForm("Save graph", "Save", "Cancel", items, func(ok bool) {
		if ok {
			WriteGraph(h.Session, d, fonts, path.Text)
		}
	}, h.Window)
}

// WriteGraph saves a graph in the background; the extension of path is its
// format.
func WriteGraph(s *session.Session, d *diagram.Placed, fonts *paint.Fonts, path string) {
	from := s.Provenance()
	from.Scenario = s.Scenario().Name
	about := from.About(d.Name, d.Name+" of "+s.Name())
	background.Start(s.Runner, func(context.Context, func(struct{})) (struct{}, error) {
		var b bytes.Buffer
		if err := diagram.Export(&b, strings.TrimPrefix(filepath.Ext(path), "."), d, fonts, d.Name+" · "+from.Line(), about); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, project.WriteFile(path, b.Bytes())
	}, nil, func(_ struct{}, err error) {
		if err != nil {
			s.Notify(session.Failure("The graph was not saved.", err))
			return
		}
		s.Notify(session.Notice{Level: session.Info, What: "Saved " + path + "."})
	})
}
