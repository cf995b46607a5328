package save

import (
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// withFolder puts a button beside a path that chooses its folder; the name of
// the file stays.
func withFolder(path *widget.Entry, w fyne.Window) fyne.CanvasObject {
	choose := widget.NewButtonWithIcon("Folder …", theme.FolderOpenIcon(), func() {
		d := dialog.NewFolderOpen(func(u fyne.ListableURI, err error) {
			if err == nil && u != nil {
				path.SetText(filepath.Join(u.Path(), filepath.Base(path.Text)))
			}
		}, w)
		if now, err := storage.ListerForURI(storage.NewFileURI(filepath.Dir(path.Text))); err == nil {
			d.SetLocation(now)
		}
		d.Show()
	})
	return container.NewBorder(nil, nil, nil, choose, path)
}
