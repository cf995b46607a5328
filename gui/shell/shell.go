// Package shell is the frame of the window around the pages: rail, breadcrumbs,
// banner, inspector, runs drawer, status line, command palette, menus and
// keys.
package shell

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/gui/page"
	"tierscope/gui/session"
	ours "tierscope/gui/widget"
)

// Shell is the content of a window.
type Shell struct {
	host    *page.Host
	entries []page.Entry
	pages   map[string]page.Page
	content map[string]fyne.CanvasObject
	shown   string // page that is visible

	rail      *rail
	top       *topBar
	banner    *banner
	compare   *compareBar
	drawer    *drawer
	status    *widget.Label
	hint      *widget.Label
	stack     *fyne.Container // of pages that were visited, one visible
	split     *container.Split
	inspector page.Page
	middle    *fyne.Container // holds split, or stack alone
	over      *fyne.Container // compare and banner over middle
	root      *fyne.Container
	narrow    bool          // the window is too narrow for the inspector,
	asked     bool          // which is shown all the same
	palette   *widget.PopUp // nil: it is not open
	keymap    Keymap
}

// New builds the frame of host.Window. entries are the pages of the rail; the
// first is where the window starts; inspector is the pane beside the page;
// keymap, which may be nil, is what the analyst has made of the keys.
func New(host *page.Host, entries []page.Entry, inspector page.Page, keymap Keymap) *Shell {
	s := &Shell{host: host, keymap: keymap, entries: entries, pages: map[string]page.Page{}, content: map[string]fyne.CanvasObject{},
		status: ours.Muted(""), hint: ours.Muted(""), stack: container.NewStack(), inspector: inspector}
	s.rail = newRail(entries, host.Session.GoPage)
	s.top = newTopBar(s)
	s.banner = newBanner(s)
	s.compare = newCompareBar(s)
	s.drawer = newDrawer(s)
	s.status.Truncation = fyne.TextTruncateEllipsis
	s.status.SizeName, s.hint.SizeName = theme.SizeNameCaptionText, theme.SizeNameCaptionText

	side := ours.Bar(inspector.Content())
	s.split = container.NewHSplit(s.stack, side)
	s.split.SetOffset(host.Session.Settings().InspectorAt)
	s.middle = container.NewStack(s.split)
	status := ours.Bar(ours.Tight(nil, nil, nil, s.hint, s.status))
	bottom := ours.Tight(widget.NewSeparator(), ours.Tight(widget.NewSeparator(), nil, nil, nil, status), nil, nil, s.drawer.root)
	s.over = ours.Tight(s.compare.root, nil, nil, nil, ours.Tight(s.banner.root, nil, nil, nil, s.middle))
	s.root = ours.Tight(ours.Tight(nil, widget.NewSeparator(), nil, nil, s.top.root), bottom,
		ours.Tight(nil, nil, nil, widget.NewSeparator(), s.rail.root), nil,
		s.over)
	s.root.Layout = &widthWatch{s.root.Layout, s.resized}
	host.Session.Subscribe(s.update)
	s.bindKeys()
	s.update(session.PlaceChanged)
	s.update(session.SettingsChanged)
	s.drawer.update()
	return s
}

// Content returns the frame.
func (s *Shell) Content() fyne.CanvasObject { return s.root }

// Page returns the visible page.
func (s *Shell) Page() page.Page { return s.pages[s.entry().ID] }

// Entries returns the pages of the rail.
func (s *Shell) Entries() []page.Entry { return s.entries }

// entry returns the entry of the present place; an unknown page, which only a
// newer version can have saved, is the first.
func (s *Shell) entry() page.Entry {
	for _, e := range s.entries {
		if e.ID == s.host.Session.Place().Page {
			return e
		}
	}
	return s.entries[0]
}

func (s *Shell) update(e session.Event) {
	switch e {
	case session.ModelChanged:
		s.renew()
	case session.PlaceChanged:
		s.showPage()
		s.host.Session.Dismiss()
	case session.NoticeChanged:
		s.banner.update()
	case session.JobsChanged:
		s.drawer.update()
	case session.SettingsChanged:
		s.applyLayout()
	case session.SelectionChanged, session.ScenariosChanged, session.ResultsChanged, session.RunsChanged, session.MeasuredChanged:
	}
	if p := s.Page(); p != nil {
		p.Update(e)
	}
	s.inspector.Update(e)
	s.top.update()
	s.compare.update()
	s.updateStatus()
}

// renew gives the model that is open now pages of its own: what those of the one before show, and what is on its way
// to them, is of that one.
func (s *Shell) renew() {
	s.host.Window.Canvas().Unfocus()
	if p, ok := s.pages[s.shown].(page.Leaver); ok {
		p.Leave()
	}
	for _, p := range s.pages {
		if p, ok := p.(page.Closer); ok {
			p.Close()
		}
	}
	clear(s.pages)
	clear(s.content)
	s.stack.RemoveAll()
	s.showPage()
	s.Page().Update(session.PlaceChanged)
	s.drawer.update()
	s.banner.update()
}

// showPage makes the page of the present place visible, built on first use.
func (s *Shell) showPage() {
	e := s.entry()
	if _, ok := s.pages[e.ID]; !ok {
		p := e.New(s.host)
		s.pages[e.ID] = p
		s.content[e.ID] = container.NewPadded(p.Content())
		s.stack.Add(s.content[e.ID])
	}
	if p, ok := s.pages[s.shown].(page.Leaver); ok && s.shown != e.ID {
		p.Leave()
	}
	for id, o := range s.content {
		if id == e.ID {
			o.Show()
		} else {
			o.Hide()
		}
	}
	// A field of the page that was left has the focus still, and would take the keys of the one that came.
	if _, field := s.host.Window.Canvas().Focused().(fyne.Shortcutable); field && s.shown != e.ID {
		s.host.Window.Canvas().Unfocus()
	}
	s.shown = e.ID
	s.rail.mark(e.ID)
	s.stack.Refresh()
}

// applyLayout shows the inspector and drawer as the settings say.
func (s *Shell) applyLayout() {
	open := s.inspectorOpen()
	want := fyne.CanvasObject(s.stack)
	if open {
		want = s.split
	}
	if s.middle.Objects[0] != want {
		s.middle.Objects = []fyne.CanvasObject{want}
		if open {
			s.split.Leading = s.stack
			s.split.Refresh()
		}
		s.middle.Refresh()
	}
	s.drawer.update()
}

// ToggleDrawer opens or closes the list of runs.
func (s *Shell) ToggleDrawer() {
	s.host.Session.ChangeSettings(func(p *session.Settings) { p.DrawerOpen = !p.DrawerOpen })
}

// Remember saves what the window looks like; the caller does so before it closes.
func (s *Shell) Remember() {
	size := s.host.Window.Canvas().Size()
	s.host.Session.ChangeSettings(func(p *session.Settings) {
		p.Width, p.Height = size.Width, size.Height
		if s.inspectorOpen() {
			p.InspectorAt = s.split.Offset
		}
	})
}

// Crumbs returns the way to the present place.
func (s *Shell) Crumbs() []page.Crumb {
	var out []page.Crumb
	if name := s.host.Session.Name(); name != "" {
		out = append(out, page.Crumb{Title: name, Place: session.Place{Page: s.entries[0].ID}})
	}
	e := s.entry()
	c := page.Crumb{Title: e.Title, Place: session.Place{Page: e.ID}}
	for _, x := range s.entries {
		if x.Group == e.Group {
			c.Siblings = append(c.Siblings, page.Crumb{Title: x.Title, Place: session.Place{Page: x.ID}})
		}
	}
	out = append(out, c)
	if p, ok := s.Page().(page.Parted); ok {
		out = append(out, p.Crumbs()...)
	}
	return out
}

func (s *Shell) updateStatus() {
	ses := s.host.Session
	m := ses.Model()
	if m == nil {
		s.status.SetText("No model open. Open a sample, a project folder (.tier) or a model (.json).")
		s.hint.SetText("? keys")
		return
	}
	text := "model " + m.Name
	if m.Provenance.Program != "" {
		text += " · built from " + m.Provenance.Program
	}
	text += " · scenario " + ses.Scenario().Name + fmt.Sprintf(" · seed %d", ses.Settings().Seed)
	if why := ses.Outside(ses.Scenario()); why != "" {
		text += " · not predictable: " + why
	}
	if sel := ses.Selected(); sel != "" {
		text += " · selected " + sel
	}
	s.status.SetText(text)
	s.hint.SetText("? keys")
}
