package shell

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/gui/session"
	ours "tierscope/gui/widget"
)

// banner shows the session's notice above the page: never a dialog for what
// a banner can say.
type banner struct {
	s    *Shell
	root *fyne.Container
}

func newBanner(s *Shell) *banner {
	b := &banner{s: s, root: container.NewStack()}
	b.root.Hide()
	return b
}

func (b *banner) update() {
	defer b.s.over.Refresh() // the page gets the room, or gives it
	n := b.s.host.Session.Notice()
	b.root.RemoveAll()
	if n == nil {
		b.root.Hide()
		return
	}
	icon := theme.InfoIcon()
	what := ours.Wrapped(n.What)
	what.TextStyle.Bold = true
	switch n.Level {
	case session.Info:
	case session.Warning:
		icon = theme.NewWarningThemedResource(theme.WarningIcon())
	case session.Problem:
		icon = theme.NewErrorThemedResource(theme.ErrorIcon())
	}
	text := container.NewVBox(what)
	if n.Why != "" {
		text.Add(ours.Wrapped(n.Why))
	}
	buttons := container.NewHBox()
	if n.Action != "" && n.Do != nil {
		buttons.Add(widget.NewButton(n.Action, n.Do))
	}
	if n.Details != "" {
		buttons.Add(widget.NewButton("Copy details", func() { fyne.CurrentApp().Clipboard().SetContent(n.Details) }))
	}
	buttons.Add(ours.NewIconButton("Close the message", theme.CancelIcon(), b.s.host.Session.Dismiss))
	b.root.Add(container.NewPadded(ours.Card(container.NewBorder(nil, nil,
		container.NewPadded(widget.NewIcon(icon)), container.NewCenter(buttons), text))))
	b.root.Show()
}
