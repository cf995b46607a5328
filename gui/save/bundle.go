package save

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"tierscope/gui/background"
	"tierscope/gui/page"
	"tierscope/gui/session"
	own "tierscope/gui/widget"
	"tierscope/project"
)

// Bundle asks where to save the open project as one file, and saves it.
func Bundle(h *page.Host) {
	p := h.Session.Project()
	if p == nil {
		h.Session.Notify(session.Notice{Level: session.Info, What: "Only a project can be saved as a bundle.", Why: "A model file is one file already."})
		return
	}
	path := own.NewDialogEntry(h.DialogKey)
	path.SetText(strings.TrimSuffix(p.Dir, project.Extension) + project.BundleExtension)
	results := own.NewDialogCheck("with the results of all runs", h.DialogKey)
	results.SetChecked(true)
	h.Ask(page.Question{Title: "Save as bundle", Content: container.NewVBox(withFolder(path, h), results), Confirm: "Save", Dismiss: "Cancel",
		Size: fyne.NewSize(640, 180), First: path, Do: func() error {
			to := strings.TrimSpace(path.Text)
			if to == "" {
				return errors.New("the file has no name")
			}
			if !strings.EqualFold(filepath.Ext(to), project.BundleExtension) {
				to += project.BundleExtension
			}
			writeBundle(h.Session, p, to, results.Checked)
			return nil
		}})
}

// writeBundle saves a project in the background and says so, or why not.
func writeBundle(s *session.Session, p *project.Project, to string, results bool) {
	background.Start(s.Runner, func(context.Context, func(struct{})) (struct{}, error) {
		return struct{}{}, p.Bundle(to, results)
	}, nil, func(_ struct{}, err error) {
		if err != nil {
			s.Notify(session.Failure("The bundle was not saved.", err))
			return
		}
		s.Notify(session.Notice{Level: session.Info, What: "Saved " + to + "."})
	})
}
