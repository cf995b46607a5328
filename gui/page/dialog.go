package page

import (
	"os"
	"path/filepath"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	own "tierscope/gui/widget"
)

// Question is what a dialog asks.
type Question struct {
	Title   string
	Content fyne.CanvasObject // its controls are those of the widget package for dialogs, with Host.DialogKey
	Dismiss string            // word of the button that closes
	Confirm string            // word of the default button, "" if there is only the other one
	// Do is what the default button does: an error is shown in the dialog, which stays open.
	Do    func() error
	Size  fyne.Size      // at least; zero: that of the content
	First fyne.Focusable // what has the focus at first; nil: the default button
}

// Dialog shows a question over the page, which gets no key meanwhile. Escape closes it; Enter presses the button that has
// the focus, or else the default one.
type Dialog struct {
	*dialog.CustomDialog
	do      func() error
	problem *widget.Label
	content *fyne.Container
}

// modal is a dialog of ours, or one of the toolkit's for files.
type modal interface {
	Show()
	Dismiss()
	SetOnClosed(func())
}

// Ask shows a question.
func (h *Host) Ask(q Question) *Dialog {
	d := &Dialog{do: q.Do, problem: own.Wrapped("")}
	d.problem.Importance = widget.DangerImportance
	d.problem.Hide()
	d.content = container.NewBorder(nil, d.problem, nil, nil, q.Content)
	d.CustomDialog = dialog.NewCustomWithoutButtons(q.Title, d.content, h.Window)
	last := own.NewDialogButton(q.Dismiss, nil, d.Dismiss, h.DialogKey)
	buttons := []fyne.CanvasObject{last}
	if q.Confirm != "" {
		last.SetIcon(theme.CancelIcon())
		last = own.NewDialogButton(q.Confirm, theme.ConfirmIcon(), d.Confirm, h.DialogKey)
		last.Importance = widget.HighImportance
		buttons = append(buttons, last)
	}
	d.SetButtons(buttons)
	if !q.Size.IsZero() {
		d.Resize(q.Size)
	}
	h.show(d)
	if q.First == nil {
		q.First = last
	}
	h.Window.Canvas().Focus(q.First)
	return d
}

// Confirm does what the default button does.
func (d *Dialog) Confirm() {
	if d.do != nil {
		if err := d.do(); err != nil {
			d.problem.SetText(err.Error())
			d.problem.Show()
			d.content.Refresh()
			return
		}
	}
	d.Dismiss()
}

// ChooseFile shows a dialog of files that starts in a folder; without an absolute one in that of the open project.
func (h *Host) ChooseFile(d *dialog.FileDialog, folder string) {
	if !filepath.IsAbs(folder) {
		folder = h.folder()
	}
	if at, err := storage.ListerForURI(storage.NewFileURI(folder)); folder != "" && err == nil {
		d.SetLocation(at)
	}
	h.show(d)
}

// folder is that of the open project, or of a model file; "" if nothing is open.
func (h *Host) folder() string {
	path := h.Session.Path()
	if info, err := os.Stat(path); path == "" || err == nil && info.IsDir() {
		return path
	}
	return filepath.Dir(path)
}

func (h *Host) show(d modal) {
	h.dialogs = append(h.dialogs, d)
	d.SetOnClosed(func() { h.dialogs = slices.DeleteFunc(h.dialogs, func(x modal) bool { return x == d }) })
	d.Show()
}

// DialogKey gives a key to the dialog that is open, and reports whether that has a use for it.
func (h *Host) DialogKey(k *fyne.KeyEvent) bool {
	if len(h.dialogs) == 0 || !h.Asking() {
		return false
	}
	d := h.dialogs[len(h.dialogs)-1]
	switch k.Name {
	case fyne.KeyEscape:
		d.Dismiss()
	case fyne.KeyReturn, fyne.KeyEnter:
		d, ok := d.(*Dialog)
		if !ok {
			return false
		}
		d.Confirm()
	default:
		return false
	}
	return true
}

// Asking reports whether something lies over the page: a dialog, a menu, the command palette.
func (h *Host) Asking() bool { return h.Window.Canvas().Overlays().Top() != nil }
