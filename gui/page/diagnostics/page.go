// Package diagnostics is the page for "something is wrong": versions, a
// self-test of the simulator against queueing theory, and a report to copy.
package diagnostics

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/gui/page"
	"tierscope/gui/session"
	ours "tierscope/gui/widget"
	"tierscope/simulation"
)

// ID is the page in session.Place.
const ID = "diagnostics"

// Page is the diagnostics page.
type Page struct {
	host    *page.Host
	version string
	table   *ours.DataTable
	facts   *widget.Label
	problem *widget.Label
	work    *widget.Label // campaigns and sweeps
	test    *widget.Button
	results []check
	last    string // details of the last problem
	root    fyne.CanvasObject
}

// check is a simulated number beside the one of theory.
type check struct {
	what         string
	theory       float64
	unit         string
	mean, lo, hi float64
	model        core.Model
	metric       string
}

// New returns the page of a version of the program.
func New(h *page.Host, version string) page.Page {
	p := &Page{host: h, version: version, facts: ours.Wrapped(""), problem: ours.Wrapped(""), work: ours.Wrapped(""),
		table: ours.NewDataTable(ours.Column{Title: "System"}, ours.Column{Title: "Theory", Right: true}, ours.Column{Title: "Simulated", Right: true}, ours.Column{Title: "Verdict"})}
	p.test = widget.NewButtonWithIcon("Run the self-test", theme.MediaPlayIcon(), p.run)
	copyReport := widget.NewButtonWithIcon("Copy report", theme.ContentCopyIcon(), func() { fyne.CurrentApp().Clipboard().SetContent(p.Report()) })
	campaigns := container.NewVScroll(p.work) // there may be dozens
	campaigns.SetMinSize(fyne.NewSize(0, 80))
	head := container.NewVBox(container.NewBorder(nil, nil, ours.Heading("Diagnostics"), container.NewHBox(p.test, copyReport)),
		ours.Titled("This program", p.facts), ours.Titled("Last problem", p.problem), ours.Titled("Campaigns and sweeps", campaigns),
		ours.Section("Self-test: systems whose answer theory knows exactly"))
	p.table.Otherwise("Not run yet", "Run the self-test: it simulates queues of which theory knows the mean, and says whether the simulator finds it.")
	p.root = container.NewBorder(head, nil, nil, nil, p.table)
	p.show()
	p.showWork()
	return p
}

// systems are queues with Poisson arrivals and exponential service, and the
// mean response time that theory gives: 1/(μ−λ) for M/M/1, and with the Erlang
// C formula for M/M/c (Kleinrock 1975, §3).
func systems() []check {
	var out []check
	for _, s := range []struct {
		servers int
		rate    float64
	}{{1, 50}, {1, 80}, {2, 160}, {4, 320}} {
		const service = 0.01
		offered := s.rate * service
		out = append(out, check{what: fmt.Sprintf("M/M/%d, load %s", s.servers, quantity.Share(offered/float64(s.servers))),
			theory: service + erlangC(s.servers, offered)*service/(float64(s.servers)-offered), unit: "s",
			model: queue(s.servers, s.rate, service), metric: "R class/task mean"})
	}
	return out
}

// erlangC is the probability that all c servers are busy at an offered load of
// a Erlangs.
func erlangC(c int, a float64) float64 {
	b := 1.0
	for k := 1; k <= c; k++ {
		b = a * b / (float64(k) + a*b) // Erlang B by recursion
	}
	return float64(c) * b / (float64(c) - a*(1-b))
}

// queue is an M/M/c queue as a model: delays do not compete for the CPU.
func queue(servers int, rate, service float64) core.Model {
	edge := func(to string) []core.Edge { return []core.Edge{{To: to, Probability: 1}} }
	return core.Model{
		Name:    fmt.Sprintf("M/M/%d", servers),
		Sources: []core.Source{{ID: "arrivals", Kind: core.Poisson, To: "line", Rate: rate}},
		Queues:  []core.Queue{{ID: "line", Capacity: core.Unbounded}},
		Pools:   []core.Pool{{ID: "servers", Graph: "serve", Size: servers}},
		Sinks:   []core.Sink{{ID: "out"}},
		CPU:     core.CPU{Cores: 1},
		Graphs: []core.Graph{{ID: "serve", Entry: "take", Fragments: []core.Fragment{
			{ID: "take", Class: core.InFragment, In: &core.In{Queue: "line"}, Next: edge("got")},
			{ID: "got", Class: core.FetchFragment, Next: edge("work")},
			{ID: "work", Class: core.DelayFragment, Delay: core.Exp(service), Next: edge("leave")},
			{ID: "leave", Class: core.OutFragment, Out: &core.Out{To: "out"}, Next: edge("take")},
		}}},
	}
}

// run simulates the systems in the background.
func (p *Page) run() {
	ses := p.host.Session
	simulate, pool := ses.Simulator()
	seed := ses.Settings().Seed
	p.test.Disable()
	session.StartJob(ses, "Self-test", func(ctx context.Context, report func(float64)) ([]check, error) {
		all := systems()
		for i := range all {
			r, err := simulate(ctx, all[i].model, nil, simulation.Options{Seed: seed, Replications: 10, Pool: pool})
			if err != nil {
				return nil, err
			}
			m, ok := r.Find(all[i].metric)
			if !ok {
				return nil, fmt.Errorf("%s: no metric %q", all[i].what, all[i].metric)
			}
			all[i].mean, all[i].lo, all[i].hi = m.Estimate.Mean, m.Estimate.Lo, m.Estimate.Hi
			report(float64(i+1) / float64(len(all)))
		}
		return all, nil
	}, func(j *session.Job, done float64) { j.Fraction = done }, func(_ *session.Job, all []check, err error) {
		p.test.Enable()
		if err == nil {
			p.results = all
		}
		p.show()
	})
}

// covers reports whether the interval holds theory's value. One that just
// misses it is expected in one of twenty tests; a self-test fails beyond twice
// the interval.
func (c check) covers() bool { return math.Abs(c.mean-c.theory) <= c.hi-c.lo }

func (p *Page) show() {
	p.facts.SetText(fmt.Sprintf("Tierscope %s, simulator %s\n%s %s/%s, %d CPUs", p.version, simulation.Version,
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU()))
	if n := p.host.Session.Notice(); n != nil && n.Details != "" {
		p.last = n.Details
	}
	p.problem.SetText("None.")
	if p.last != "" {
		p.problem.SetText(p.last)
	}
	var rows [][]ours.Cell
	for _, c := range p.results {
		verdict := ours.Cell{Text: "agrees", Tone: ours.GoodTone}
		if !c.covers() {
			verdict = ours.Cell{Text: "differs: please report it", Tone: ours.BadTone}
		}
		rows = append(rows, []ours.Cell{ours.TextCell(c.what), ours.NumberCell(quantity.Format(c.theory, c.unit), c.theory),
			ours.NumberCell(quantity.Amount(c.mean, c.lo, c.hi, c.unit), c.mean), verdict})
	}
	p.table.SetRows(rows)
}

// Report is the text for a bug report.
func (p *Page) Report() string {
	var b strings.Builder
	b.WriteString(p.facts.Text + "\n\nLast problem: " + p.problem.Text + "\n")
	for _, c := range p.results {
		fmt.Fprintf(&b, "%s: theory %s, simulated %s\n", c.what, quantity.Format(c.theory, c.unit), quantity.Amount(c.mean, c.lo, c.hi, c.unit))
	}
	return b.String()
}

// Content returns the page.
func (p *Page) Content() fyne.CanvasObject { return p.root }

// Update shows the last problem.
func (p *Page) Update(e session.Event) {
	if e == session.NoticeChanged || e == session.PlaceChanged {
		p.show()
	}
	if e == session.PlaceChanged && p.host.Session.Place().Page == ID {
		p.showWork()
	}
}
