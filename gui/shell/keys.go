package shell

import (
	"runtime"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"tierscope/gui/page"
	"tierscope/gui/save"
	"tierscope/gui/session"
)

// global returns the actions that work on every page.
func (s *Shell) global() []page.Action {
	ses := s.host.Session
	pause := "Pause all runs"
	if ses.Paused() {
		pause = "Go on with all runs"
	}
	out := []page.Action{
		{Title: "Command palette", Key: "Ctrl+K", Run: s.ShowPalette},
		{Title: "Jump to an element of the model", Key: "Ctrl+P", Run: s.ShowPalette},
		{Title: "Open project or model…", Key: "Ctrl+O", Run: s.ShowOpen},
		{Title: "Save as bundle…", Run: func() { save.Bundle(s.host) }},
		{Title: "Quit", Key: "Ctrl+Q", Run: s.host.Quit},
		{Title: "Back", Key: "Alt+Left", Run: ses.Back},
		{Title: "Forward", Key: "Alt+Right", Run: ses.Forward},
		{Title: "Undo", Key: "Ctrl+Z", Run: ses.Undo},
		{Title: "Redo", Key: "Ctrl+Shift+Z", Run: ses.Redo},
		{Title: "Show or hide the inspector", Key: "Ctrl+I", Run: s.ToggleInspector},
		{Title: "Show or hide the runs", Key: "Ctrl+J", Run: s.ToggleDrawer},
		{Title: "Trust report of the model", Run: s.ShowTrust},
		{Title: "Compare with the baseline, on every page", Key: "C", Run: s.toggleComparing},
		{Title: "Swap what is compared", Run: ses.Swap},
		{Title: pause, Key: "Ctrl+.", Run: func() { ses.Pause(!ses.Paused()) }},
		{Title: "Settings", Key: "Ctrl+,", Run: func() { ses.GoPage("settings") }},
		{Title: "Light theme", Run: s.setTheme("light")},
		{Title: "Dark theme", Run: s.setTheme("dark")},
		{Title: "Theme of the system", Run: s.setTheme("system")},
		{Title: "Keys", Key: "F1", Run: s.ShowKeys},
	}
	return out
}

// toggleComparing starts or ends the comparison.
func (s *Shell) toggleComparing() {
	ses := s.host.Session
	switch {
	case ses.Model() == nil:
	case ses.Comparing() != nil:
		ses.StopComparing()
	default:
		ses.CompareScenario()
	}
}

func (s *Shell) setTheme(mode string) func() {
	return func() { s.host.Session.ChangeSettings(func(p *session.Settings) { p.Theme = mode }) }
}

// places returns an action for every page; the first nine have Ctrl+1…9.
func (s *Shell) places() []page.Action {
	var out []page.Action
	for i, e := range s.entries {
		a := page.Action{Title: "Go to " + e.Title, Run: func() { s.host.Session.GoPage(e.ID) }}
		if i < 9 {
			a.Key = "Ctrl+" + strconv.Itoa(i+1)
		}
		out = append(out, a)
	}
	return out
}

// Actions returns everything that can be done now: on the page, everywhere,
// and the pages to go to.
func (s *Shell) Actions() []page.Action {
	out := append(s.pageActions(), s.global()...)
	return s.keymap.apply(append(out, s.places()...))
}

// keyNames are the keys of shortcuts that are not one letter or digit.
var keyNames = map[string]fyne.KeyName{
	"Left": fyne.KeyLeft, "Right": fyne.KeyRight, "Up": fyne.KeyUp, "Down": fyne.KeyDown,
	",": fyne.KeyComma, ".": fyne.KeyPeriod, "Enter": fyne.KeyReturn,
}

// shortcut turns "Ctrl+Shift+Z" into Fyne's shortcut; Ctrl is Cmd on a Mac.
// It reports false for keys without a modifier.
func shortcut(key string) (*desktop.CustomShortcut, bool) {
	parts := strings.Split(key, "+")
	sc := &desktop.CustomShortcut{}
	for _, p := range parts[:len(parts)-1] {
		switch p {
		case "Ctrl":
			sc.Modifier |= fyne.KeyModifierShortcutDefault
		case "Shift":
			sc.Modifier |= fyne.KeyModifierShift
		case "Alt":
			sc.Modifier |= fyne.KeyModifierAlt
		}
	}
	last := parts[len(parts)-1]
	name, ok := keyNames[last]
	if !ok {
		name = fyne.KeyName(last)
	}
	sc.KeyName = name
	return sc, sc.Modifier != 0
}

// shortcutName writes a shortcut as the platform does.
func shortcutName(key string) string {
	if runtime.GOOS == "darwin" {
		return strings.NewReplacer("Ctrl+", "Cmd+", "Alt+", "Option+").Replace(key)
	}
	return key
}

// bindKeys makes the shortcuts and the single keys work on the window's
// canvas. Single keys act only when no widget has the focus.
func (s *Shell) bindKeys() {
	c := s.host.Window.Canvas()
	// Keys of pages: which page they act on is decided when the key comes.
	keys := []string{"Ctrl+E", "Ctrl+Enter", "Ctrl+D", "Ctrl+F", "Ctrl+N", "Ctrl+Shift+E", "Ctrl+Shift+C", "Alt+Up", "Ctrl+Shift+P"}
	for _, a := range append(s.global(), s.places()...) {
		keys = append(keys, a.Key)
	}
	for _, key := range s.keymap {
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	for _, key := range keys {
		if sc, ok := shortcut(key); ok {
			c.AddShortcut(sc, func(fyne.Shortcut) { s.Press(key) })
		}
	}
	// The driver turns these two into shortcuts of its own.
	c.AddShortcut(&fyne.ShortcutUndo{}, func(fyne.Shortcut) { s.Press("Ctrl+Z") })
	c.AddShortcut(&fyne.ShortcutRedo{}, func(fyne.Shortcut) { s.Press("Ctrl+Shift+Z") })
	c.SetOnTypedRune(s.TypedRune)
	c.SetOnTypedKey(s.TypedKey)
}

// TypedRune acts on single keys.
func (s *Shell) TypedRune(r rune) {
	if s.host.Asking() {
		return
	}
	if r == '?' {
		s.ShowKeys()
		return
	}
	s.Press(keyOf(r))
}

// keyOf is the key of a letter, as actions name it.
func keyOf(r rune) string {
	if r == ' ' {
		return "Space"
	}
	return strings.ToUpper(string(r))
}

// Press does what a key, such as "Ctrl+K" or "T", does now, and reports
// whether it does anything: nothing behind a dialog.
func (s *Shell) Press(key string) bool {
	if s.host.Asking() {
		return false
	}
	if key == "Ctrl+Shift+P" {
		key = "Ctrl+K"
	}
	for _, a := range s.Actions() {
		if a.Key == key || a.Also == key && key != "" {
			a.Run()
			return true
		}
	}
	return false
}

// TypedKey acts on named keys.
func (s *Shell) TypedKey(e *fyne.KeyEvent) {
	if s.host.DialogKey(e) {
		return
	}
	if s.host.Asking() {
		if e.Name == fyne.KeyEscape {
			s.closePalette()
		}
		return
	}
	switch e.Name {
	case fyne.KeyF1:
		s.ShowKeys()
	case fyne.KeyLeft, fyne.KeyRight, fyne.KeyUp, fyne.KeyDown:
		s.Press(string(e.Name))
	case fyne.KeyEscape:
		if s.host.Session.Notice() != nil {
			s.host.Session.Dismiss()
			return
		}
		s.host.Session.Select("")
	}
}
