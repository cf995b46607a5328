package save

import (
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"

	"tierscope/gui/page"
	own "tierscope/gui/widget"
)

// withFolder puts a button beside a path that chooses its folder; the name of
// the file stays.
func withFolder(path *own.DialogEntry, h *page.Host) fyne.CanvasObject {
	choose := own.NewDialogButton("Folder …", theme.FolderOpenIcon(), func() {
		h.ChooseFile(dialog.NewFolderOpen(func(u fyne.ListableURI, err error) {
			if err == nil && u != nil {
				path.SetText(filepath.Join(u.Path(), filepath.Base(path.Text)))
			}
		}, h.Window), filepath.Dir(path.Text))
	}, h.DialogKey)
	return container.NewBorder(nil, nil, nil, choose, path)
}
