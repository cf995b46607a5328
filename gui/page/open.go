package page

import (
	"errors"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"

	"tierscope/core"
	"tierscope/gui/session"
	"tierscope/project"
)

// OpenFile asks for a file with one of the extensions and hands over what is in
// it. Problems become a notice; failure says what could not be read.
func (h *Host) OpenFile(failure string, extensions []string, use func(path string, data []byte)) {
	d := dialog.NewFileOpen(func(r fyne.URIReadCloser, err error) {
		if err != nil {
			h.Session.Notify(session.Failure("The file could not be opened.", err))
			return
		}
		if r == nil {
			return
		}
		data, err := core.ReadBounded(r, project.MostFile)
		path := r.URI().Path()
		if err = errors.Join(err, r.Close()); err != nil {
			h.Session.Notify(session.Failure(failure, err))
			return
		}
		use(path, data)
	}, h.Window)
	d.SetFilter(storage.NewExtensionFileFilter(extensions))
	h.ChooseFile(d, "")
}
