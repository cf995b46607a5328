package shell

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/gui/look"
	"tierscope/gui/page"
	"tierscope/gui/session"
	ours "tierscope/gui/widget"
	"tierscope/judge"
	"tierscope/measure/validate"
)

// topBar holds back, forward, the breadcrumbs and the search button.
type topBar struct {
	s             *Shell
	back, forward *ours.IconButton
	search        *widget.Button
	crumbs        *fyne.Container
	badge         *widget.Button // says that the scenario is not predictable
	trust         *widget.Button // grade of the model's trust report
	root          fyne.CanvasObject
}

// predictabilityPage is where the badge leads: the page that says why.
const predictabilityPage = "predictability"

func newTopBar(s *Shell) *topBar {
	b := &topBar{s: s, crumbs: container.New(layout.NewCustomPaddedHBoxLayout(0))}
	ses := s.host.Session
	b.back = ours.NewIconButton("Back", theme.NavigateBackIcon(), ses.Back)
	b.forward = ours.NewIconButton("Forward", theme.NavigateNextIcon(), ses.Forward)
	b.search = widget.NewButtonWithIcon("", theme.SearchIcon(), s.ShowPalette)
	b.shorten(false)
	inspector := ours.NewIconButton("Show or hide the inspector", theme.InfoIcon(), s.ToggleInspector)
	left := container.New(layout.NewCustomPaddedHBoxLayout(0), b.back, b.forward)
	b.badge = widget.NewButtonWithIcon("not predictable", theme.WarningIcon(), func() { ses.GoPage(predictabilityPage) })
	b.badge.Importance = widget.WarningImportance
	b.badge.Hide()
	b.trust = widget.NewButton("", s.ShowTrust)
	compare := ours.NewIconButton("Compare, on every page", look.BesideIcon.Resource(), s.toggleComparing)
	compare.SetText("A | B")
	right := container.NewHBox(b.badge, b.trust, b.search, compare, inspector)
	b.root = ours.Bar(container.NewPadded(container.NewBorder(nil, nil, left, right, container.NewHScroll(b.crumbs))))
	return b
}

// shorten lets the search button keep the words that fit.
func (b *topBar) shorten(on bool) {
	text := "Search or command   " + shortcutName("Ctrl+K")
	if on {
		text = "Search"
	}
	b.search.SetText(text)
}

func (b *topBar) update() {
	ses := b.s.host.Session
	setEnabled(b.back, ses.CanBack())
	setEnabled(b.forward, ses.CanForward())
	if ses.Outside(ses.Scenario()) == "" {
		b.badge.Hide()
	} else {
		b.badge.Show()
	}
	switch grade, why := ses.Grade(); {
	case grade == "" && why == "":
		b.trust.Hide()
	default:
		b.trust.Importance, b.trust.Icon = widget.LowImportance, nil
		v := ses.Validation()
		if v != nil && (v.Verdict.Answer == validate.Yes || v.Verdict.Answer == validate.Mostly) {
			b.trust.Icon = theme.ConfirmIcon()
		}
		if grade > "B" {
			b.trust.Importance, b.trust.Icon = widget.WarningImportance, theme.WarningIcon()
		}
		b.trust.SetText(trustText(grade, v))
		b.trust.Show()
	}
	b.crumbs.RemoveAll()
	for i, c := range b.s.Crumbs() {
		if i > 0 {
			sep := ours.Muted("›")
			b.crumbs.Add(sep)
		}
		b.crumbs.Add(b.crumb(c))
	}
	b.crumbs.Refresh()
}

// trustText is the badge: the grade, and what measurements said.
func trustText(grade string, v *judge.Validation) string {
	text := "trust"
	if grade != "" {
		text += " " + grade
	}
	if v != nil {
		text += " · " + map[validate.Answer]string{validate.Yes: "validated", validate.Mostly: "mostly validated", validate.Partly: "validated in part",
			validate.No: "validation says NO", validate.NoAnswer: "not judged"}[v.Verdict.Answer]
	}
	return text
}

// ShowTrust shows how far the open model can be relied on: what measurements
// say of it, what the analysis saw, what it could not see, and what one run
// supports.
func (s *Shell) ShowTrust() {
	grade, why := s.host.Session.Grade()
	if grade == "" && why == "" {
		s.host.Session.Notify(session.Notice{Level: session.Info, What: "This model has no trust report.", Why: "An analysis of a program leaves one, and so does a comparison with measurements."})
		return
	}
	s.host.Ask(page.Question{Title: "How far this model can be trusted", Dismiss: "Close", Size: fyne.NewSize(720, 520),
		Content: container.NewVScroll(ours.TrustCard(grade, why, s.host.Session.Trust()))})
}

func (b *topBar) crumb(c page.Crumb) fyne.CanvasObject {
	title := c.Title
	var button *widget.Button
	button = widget.NewButton(title, func() {
		if len(c.Siblings) < 2 {
			b.s.host.Session.Go(c.Place)
			return
		}
		var items []*fyne.MenuItem
		for _, sib := range c.Siblings {
			item := fyne.NewMenuItem(sib.Title, func() { b.s.host.Session.Go(sib.Place) })
			item.Checked = sib.Place == c.Place
			items = append(items, item)
		}
		canvas := b.s.host.Window.Canvas()
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(button).AddXY(0, button.Size().Height)
		widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), canvas, at)
	})
	button.Importance = widget.LowImportance
	if len(c.Siblings) > 1 {
		button.SetIcon(theme.MenuDropDownIcon())
		button.IconPlacement = widget.ButtonIconTrailingText
	}
	return button
}

func setEnabled(b fyne.Disableable, on bool) {
	if on {
		b.Enable()
	} else {
		b.Disable()
	}
}
