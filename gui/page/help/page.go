// Package help is the page that explains the words and symbols on the screen.
package help

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"tierscope/gui/page"
	"tierscope/gui/session"
	ours "tierscope/gui/widget"
)

// ID is the page in session.Place.
const ID = "help"

// term is a line of the glossary.
type term struct{ word, symbol, text string }

var glossary = []term{
	{"response time", "R", "Seconds from the moment a task enters the system to the moment it leaves. Of a batch program: the makespan T."},
	{"throughput", "X", "Tasks that leave the system per second. Below saturation it equals the arrival rate."},
	{"utilization", "U", "Share of a resource's capacity that is in use: of all cores, of a disk, of the time a lock is held, of a pool's threads."},
	{"saturation, knee", "", "The load at which the busiest resource is always busy. Beyond it queues grow and response time climbs steeply."},
	{"service demand", "D = V·S", "Seconds of one resource that a task needs in total: visits times service time. The largest demand sets the knee."},
	{"visit count", "V", "How often a fragment is executed, or a resource used, per task."},
	{"code fragment", "CF", "A stretch of program that does one thing: computes, reads from disk, enters a lock, takes a task. The nodes of a call graph."},
	{"probabilistic call graph", "PCG", "What every thread of a pool does: code fragments, and the probability of going from one to the next."},
	{"thread pool", "", "Threads that do the same work, such as the workers of a server."},
	{"queueing network", "tier 1", "Where tasks come from, where they wait, which pools serve them, where they leave."},
	{"scenario", "", "A named difference from the baseline: threads, cores, load, faster code, a split lock. The model itself stays as it was."},
	{"baseline", "", "The configuration of the run that was measured. All differences are against it."},
	{"replication", "", "One simulated run with its own random numbers. Several give an interval."},
	{"confidence interval", "[a, b]", "Where the long-run mean lies with the stated confidence, 95 % unless set otherwise. It covers the noise of the simulation, not the error of the model."},
	{"common random numbers", "", "Scenarios of one seed meet the same arrivals and demands, so that small differences become visible."},
	{"warm-up", "", "The beginning of a simulated run that is cut off, because the system still fills."},
	{"estimate", "dashed", "An analytic forecast in milliseconds, drawn dashed until the simulation answers. It knows mean values only."},
	{"bound", "dotted", "What no schedule and no luck can better. A result beyond it means that the model contradicts itself."},
	{"prediction error", "ε", "(predicted − measured) / measured, with its sign; |ε| without."},
	{"virtual speed-up", "", "What R would be if one fragment, lock or disk were 10 % or 30 % faster, everything else as it is. It ranks what is worth improving."},
	{"extrapolation", "", "A value outside what the measured run supports. The answer may still be right; nothing in the evidence says so."},
	{"trust", "A … D", "How much the analysis saw of the program: overhead, what could not be matched, what was taken from the clock on the wall."},
	{"prolongation", "", "Slowing one module down to see which others become slower with it."},
	{"ledger", "", "The list of all runs ever made in a project. Nothing in it is overwritten, and equal inputs are not simulated twice."},
}

// Page is the glossary.
type Page struct {
	find *widget.Entry
	list *fyne.Container
	root fyne.CanvasObject
}

// New returns the page.
func New(*page.Host) page.Page {
	p := &Page{find: widget.NewEntry(), list: container.NewVBox()}
	p.find.SetPlaceHolder("Find a word")
	p.find.OnChanged = p.show
	p.root = container.NewVScroll(ours.Centered(760, container.NewVBox(ours.Gap(0, 8), ours.Heading("Words and symbols"),
		ours.Wrapped("Press ? anywhere for the keys of the page, and Ctrl+K for everything that can be done."), p.find, p.list)))
	p.show("")
	return p
}

func (p *Page) show(text string) {
	p.list.RemoveAll()
	text = strings.ToLower(text)
	for _, t := range glossary {
		if !strings.Contains(strings.ToLower(t.word+" "+t.symbol+" "+t.text), text) {
			continue
		}
		head := container.NewHBox(ours.Section(t.word), ours.Muted(t.symbol))
		p.list.Add(ours.Close(head, ours.Wrapped(t.text)))
	}
	if len(p.list.Objects) == 0 {
		p.list.Add(ours.Muted("No word of the glossary contains this."))
	}
	p.list.Refresh()
}

// Content returns the page.
func (p *Page) Content() fyne.CanvasObject { return p.root }

// Update does nothing: words do not change.
func (p *Page) Update(session.Event) {}
