package analyse

import (
	"path/filepath"
	"reflect"

	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/analysis"
	"tierscope/core"
	"tierscope/gui/page"
	"tierscope/gui/session"
	own "tierscope/gui/widget"
)

// Keep returns what makes the pages of a window, one for each project that is opened; one
// on which something was typed, or which is at work, stays.
func Keep(t func(program string) analysis.Target, tool string) func(*page.Host) page.Page {
	var last *Page
	return func(h *page.Host) page.Page {
		if last == nil || !last.running() && !last.typed() {
			last = New(h, t, tool).(*Page)
		} else if !last.running() {
			last.forget()
		}
		return last
	}
}

func (p *Page) running() bool { return p.job != nil && p.job.State == session.Running }

// typed reports whether the analyst has typed what no project has.
func (p *Page) typed() bool { return !reflect.DeepEqual(p.form(), p.filled) }

// forget clears what the page shows of a project that is not open any more, and nothing else.
func (p *Page) forget() {
	p.job, p.of = nil, nil
	p.trust.RemoveAll()
	p.other.RemoveAll()
	p.problem.Hide()
	p.log.SetText(printed)
	for _, r := range p.rows {
		r.bar.Hide()
		r.fact.SetText(purposes[r.stage])
		r.state.SetResource(nil)
	}
}

// offer lets the analyst see how the open project was analysed instead of what is typed.
func (p *Page) offer(dir string, m *core.Model, k kept) {
	p.other.RemoveAll()
	p.other.Add(own.Caption("What you typed is still here."))
	b := widget.NewButtonWithIcon("Show how "+filepath.Base(dir)+" was analysed", theme.HistoryIcon(), func() { p.show(dir, m, k) })
	b.Importance = widget.LowImportance
	p.other.Add(b)
	p.left.Refresh()
}
