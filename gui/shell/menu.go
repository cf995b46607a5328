package shell

import (
	"errors"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"

	"tierscope/gui/page"
	ours "tierscope/gui/widget"
)

// Menu returns the main menu; every item is an action that the palette has too.
func (s *Shell) Menu() *fyne.MainMenu {
	ses := s.host.Session
	item := func(a page.Action) *fyne.MenuItem {
		// Its shortcut comes here past a dialog that is open.
		m := fyne.NewMenuItem(a.Title, func() {
			if !s.host.Asking() {
				a.Run()
			}
		})
		if sc, ok := shortcut(a.Key); ok {
			m.Shortcut = sc
		}
		return m
	}
	find := map[string]page.Action{}
	for _, a := range s.keymap.apply(s.global()) {
		find[a.Title] = a
	}
	recent := fyne.NewMenuItem("Open recent", nil)
	recent.ChildMenu = fyne.NewMenu("")
	for _, p := range ses.Recent() {
		recent.ChildMenu.Items = append(recent.ChildMenu.Items, fyne.NewMenuItem(filepath.Base(p), func() { s.host.Open(p) }))
	}
	recent.Disabled = len(ses.Recent()) == 0
	quit := item(find["Quit"])
	quit.IsQuit = true
	file := fyne.NewMenu("File", item(find["Open project or model…"]), recent, item(find["Save as bundle…"]), fyne.NewMenuItemSeparator(), quit)
	// A shortcut of the menu comes before the field with the focus, which would take it; what was typed there counts.
	run := fyne.NewMenuItem("Run what this page is for", func() {
		s.host.Window.Canvas().Unfocus()
		s.Press("Ctrl+Enter")
	})
	run.Shortcut, _ = shortcut("Ctrl+Enter")
	edit := fyne.NewMenu("Edit", item(find["Undo"]), item(find["Redo"]), fyne.NewMenuItemSeparator(), run)
	view := fyne.NewMenu("View")
	for _, a := range s.keymap.apply(s.places()) {
		view.Items = append(view.Items, item(a))
	}
	view.Items = append(view.Items, fyne.NewMenuItemSeparator(), item(find["Show or hide the inspector"]), item(find["Show or hide the runs"]),
		fyne.NewMenuItemSeparator(), item(find["Light theme"]), item(find["Dark theme"]), item(find["Theme of the system"]))
	goTo := fyne.NewMenu("Go", item(find["Back"]), item(find["Forward"]), item(find["Command palette"]))
	help := fyne.NewMenu("Help", item(find["Keys"]))
	for _, e := range s.entries {
		if e.ID == "help" || e.ID == "diagnostics" {
			help.Items = append(help.Items, fyne.NewMenuItem(e.Title, func() { ses.GoPage(e.ID) }))
		}
	}
	return fyne.NewMainMenu(file, edit, view, goTo, help)
}

// ShowOpen asks for a project folder or a file; a path can be typed.
func (s *Shell) ShowOpen() {
	h := s.host
	path := ours.NewDialogEntry(h.DialogKey)
	path.SetPlaceHolder("path of a project (.tier) or a model (.json)")
	if r := h.Session.Recent(); len(r) > 0 {
		path.SetText(r[0])
	}
	folder := ours.NewDialogButton("Folder…", theme.FolderOpenIcon(), func() {
		h.ChooseFile(dialog.NewFolderOpen(func(u fyne.ListableURI, err error) {
			if err == nil && u != nil {
				path.SetText(u.Path())
			}
		}, h.Window), filepath.Dir(path.Text))
	}, h.DialogKey)
	file := ours.NewDialogButton("File…", theme.FileIcon(), func() {
		h.ChooseFile(dialog.NewFileOpen(func(r fyne.URIReadCloser, err error) {
			if err == nil && r != nil {
				path.SetText(r.URI().Path())
				_ = r.Close() // only its name was asked for
			}
		}, h.Window), filepath.Dir(path.Text))
	}, h.DialogKey)
	h.Ask(page.Question{Title: "Open project or model", Confirm: "Open", Dismiss: "Cancel", Size: fyne.NewSize(640, 150), First: path,
		Content: container.NewBorder(nil, nil, nil, container.NewHBox(folder, file), path), Do: func() error {
			if path.Text == "" {
				return errors.New("type a path, or choose a folder or a file")
			}
			h.Open(path.Text)
			return nil
		}})
	path.TypedShortcut(&fyne.ShortcutSelectAll{}) // typing replaces what was open last
}
