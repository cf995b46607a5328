package shell

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"tierscope/gui/page"
	"tierscope/gui/session"
	ours "tierscope/gui/widget"
)

// commandPalette is a list of everything that can be done or found, narrowed
// by typing.
type commandPalette struct {
	s     *Shell
	entry *ours.DialogEntry
	list  *widget.List
	none  *widget.Label // instead of an empty list
	all   []page.Action
	found []page.Action
	at    int
}

// ShowPalette opens the command palette.
func (s *Shell) ShowPalette() {
	s.closePalette()
	p := &commandPalette{s: s, all: slices.Concat(s.Actions(), s.recent(), s.elements())}
	p.entry = ours.NewDialogEntry(p.typed)
	p.entry.SetPlaceHolder("Type a command, a page or an element of the model")
	p.entry.OnChanged = p.filter
	p.list = widget.NewList(func() int { return len(p.found) },
		func() fyne.CanvasObject {
			key := ours.Muted("Ctrl+Shift+Z")
			title := widget.NewLabel("title")
			title.Truncation = fyne.TextTruncateEllipsis
			return container.NewBorder(nil, nil, nil, key, title)
		},
		func(i widget.ListItemID, o fyne.CanvasObject) {
			row := o.(*fyne.Container).Objects
			row[0].(*widget.Label).SetText(p.found[i].Title)
			row[1].(*widget.Label).SetText(shortcutName(p.found[i].Key))
		})
	p.list.OnSelected = func(i widget.ListItemID) {
		if i == p.at {
			return // moved there by the arrow keys
		}
		p.run(i)
	}
	p.none = ours.Muted("Nothing is called that. Commands, pages, recent projects and elements of the model are searched, by all words typed.")
	p.none.Wrapping = fyne.TextWrapWord
	p.filter("")
	box := container.NewBorder(p.entry, nil, nil, nil, container.NewGridWrap(fyne.NewSize(560, 380), container.NewStack(p.list, container.NewVBox(p.none))))
	s.palette = widget.NewModalPopUp(container.NewPadded(box), s.host.Window.Canvas())
	s.palette.Show()
	s.host.Window.Canvas().Focus(p.entry)
}

func (p *commandPalette) filter(text string) {
	p.found = p.found[:0]
	for _, a := range p.all {
		if matches(a.Title, text) {
			p.found = append(p.found, a)
		}
	}
	p.at = -1
	p.list.UnselectAll()
	p.list.Refresh()
	p.none.Hidden = len(p.found) > 0
	p.none.Refresh()
	p.move(0)
}

// matches reports whether every word of text occurs in title.
func matches(title, text string) bool {
	title = strings.ToLower(title)
	for _, w := range strings.Fields(strings.ToLower(text)) {
		if !strings.Contains(title, w) {
			return false
		}
	}
	return true
}

func (p *commandPalette) move(to int) {
	if len(p.found) == 0 {
		return
	}
	p.at = max(0, min(to, len(p.found)-1))
	p.list.Select(p.at)
}

// typed has the keys of the list, which are typed into the entry.
func (p *commandPalette) typed(k *fyne.KeyEvent) bool {
	switch k.Name {
	case fyne.KeyDown:
		p.move(p.at + 1)
	case fyne.KeyUp:
		p.move(p.at - 1)
	case fyne.KeyReturn, fyne.KeyEnter:
		p.run(p.at)
	case fyne.KeyEscape:
		p.s.closePalette()
	default:
		return false
	}
	return true
}

func (p *commandPalette) run(i int) {
	if i < 0 || i >= len(p.found) {
		return
	}
	a := p.found[i]
	p.s.closePalette()
	a.Run()
}

// recent returns an action for every project that was open lately.
func (s *Shell) recent() []page.Action {
	var out []page.Action
	for _, path := range s.host.Session.Recent() {
		out = append(out, page.Action{Title: "Open " + path, Run: func() { s.host.Open(path) }})
	}
	return out
}

// elements returns an action for every element of the model: jump there.
func (s *Shell) elements() []page.Action {
	m := s.host.Session.Model()
	if m == nil {
		return nil
	}
	var out []page.Action
	add := func(title string, to session.Place) {
		out = append(out, page.Action{Title: title, Run: func() { s.host.Session.Go(to) }})
	}
	tier := func(part, path string) session.Place {
		return session.Place{Page: "model", Part: part, Selected: path}
	}
	for _, x := range m.Sources {
		add("source "+x.ID, tier("tier1", "sources/"+x.ID))
	}
	for _, x := range m.Queues {
		add("queue "+x.ID, tier("tier1", "queues/"+x.ID))
	}
	for _, x := range m.Pools {
		add("pool "+x.ID, tier("tier1", "pools/"+x.ID))
	}
	for _, x := range m.Locks {
		add("lock "+x.ID, tier("tier3", "locks/"+x.ID))
	}
	add("processor CPU", tier("tier3", "cpu"))
	for _, x := range m.Disks {
		add("disk "+x.ID, tier("tier3", "disks/"+x.ID))
	}
	for _, x := range m.Pools {
		for _, g := range m.Graphs {
			if g.ID != x.Graph {
				continue
			}
			for _, f := range g.Fragments {
				add("fragment "+g.ID+" "+f.ID, tier("tier2/"+x.ID, "graphs/"+g.ID+"/fragments/"+f.ID))
			}
		}
	}
	return out
}

func (s *Shell) closePalette() {
	if s.palette != nil {
		s.palette.Hide()
		s.palette = nil
	}
}

// pageActions returns what can be done on the page; a figure that it saves can be pinned to the report too.
func (s *Shell) pageActions() []page.Action {
	p, ok := s.Page().(page.Actor)
	if !ok {
		return nil
	}
	all := p.Actions()
	if slices.ContainsFunc(all, func(a page.Action) bool { return a.Key == pinKey }) {
		return all
	}
	for _, a := range all {
		if a.Figure {
			return append(all, page.Action{Title: "Pin the figure to the report", Key: pinKey, Run: func() {
				s.host.Pinning = true
				a.Run()
				s.host.Pinning = false
			}})
		}
	}
	return all
}

const pinKey = "Ctrl+Shift+E"
