package shell

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"tierscope/gui/page"
	ours "tierscope/gui/widget"
)

// mostKeys is the height of the list of keys, which fits the smallest window; what is below is scrolled to.
const mostKeys = 460

// ShowKeys shows what every key does here.
func (s *Shell) ShowKeys() {
	here := keysOf(s.keymap.apply(s.pageActions()))
	if p, ok := s.Page().(page.Keyed); ok {
		for _, k := range p.Keys() {
			if !slices.ContainsFunc(here, func(x page.Key) bool { return x.Name == k.Name }) {
				here = append(here, k)
			}
		}
	}
	here = append(here, page.Key{Name: "Esc", Does: "close, clear the selection"})
	lists := container.NewVScroll(container.NewGridWithColumns(2,
		keyTable("On this page", here),
		keyTable("Everywhere", keysOf(s.keymap.apply(append(s.global(), s.places()...))))))
	s.host.Ask(page.Question{Title: "Keys", Content: lists, Dismiss: "Close", Size: fyne.NewSize(lists.Content.MinSize().Width, mostKeys)})
}

// keysOf are the keys of actions.
func keysOf(actions []page.Action) []page.Key {
	var out []page.Key
	for _, a := range actions {
		if a.Key == "" {
			continue
		}
		name := shortcutName(a.Key)
		if a.Also != "" {
			name += ", " + a.Also
		}
		out = append(out, page.Key{Name: name, Does: a.Title})
	}
	return out
}

func keyTable(title string, keys []page.Key) fyne.CanvasObject {
	form := container.New(layout.NewFormLayout())
	for _, k := range keys {
		form.Add(widget.NewLabelWithStyle(k.Name, fyne.TextAlignTrailing, fyne.TextStyle{Bold: true}))
		form.Add(widget.NewLabel(k.Does))
	}
	return container.NewVBox(ours.Section(title), form)
}
