package analyse

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2/theme"

	"tierscope/analysis/stage"
	"tierscope/analysis/trace"
	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/gui/background"
	own "tierscope/gui/widget"
)

// kept is what the analysis of an open project left.
type kept struct {
	workload trace.Workload
	stages   map[stage.Stage]bool // whose files are there
}

// files are what the stages before Build leave.
var files = map[stage.Stage]string{stage.Sample: "samples.json", stage.Scan: "facts.json", stage.Trace: "trace"}

// opened shows how the program of the open project was analysed, once for each, and what the stages found.
func (p *Page) opened() {
	ses := p.host.Session
	project, m := ses.Project(), ses.Model()
	if project == nil || m == nil || m == p.of || p.running() {
		return
	}
	p.of = m
	background.Start(ses.Runner, func(context.Context, func(struct{})) (kept, error) {
		k := kept{stages: map[stage.Stage]bool{stage.Build: true}}
		var err error
		_, k.workload, err = stage.Load(project.Dir)
		for s, name := range files {
			_, missing := os.Stat(project.Path("analysis", name))
			k.stages[s] = missing == nil
		}
		return k, err
	}, nil, func(k kept, err error) {
		switch {
		case err != nil || ses.Model() != m: // a model that no analysis made says nothing here
		case p.typed():
			p.offer(project.Dir, m, k)
		default:
			p.show(project.Dir, m, k)
		}
	})
}

// show fills the page with an analysis that was made.
func (p *Page) show(dir string, m *core.Model, k kept) {
	p.other.RemoveAll()
	w := k.workload
	p.base = w
	p.out.SetText(dir)
	p.program.SetText(w.Program)
	p.args.SetText(quoted(w.Args))
	var env []string
	for _, name := range slices.Sorted(maps.Keys(w.Env)) {
		env = append(env, name+"="+w.Env[name])
	}
	p.env.SetText(quoted(env))
	p.cpus.SetText(number(float64(w.Cores)))
	p.server.SetChecked(w.Load != nil)
	if l := w.Load; l != nil {
		p.url.SetText(l.URL)
		p.targets.SetText(quoted(l.Targets))
		p.end.SetText(l.End)
		p.client.SetText(l.Command)
		p.rate.SetText(number(l.Rate))
		p.connections.SetText(number(float64(l.Connections)))
		p.warmup.SetText(number(l.Warmup))
		p.duration.SetText(number(l.Duration))
	}
	p.filled = p.form()
	fragments := 0
	for _, g := range m.Graphs {
		fragments += len(g.Fragments)
	}
	for _, r := range p.rows {
		r.bar.Hide()
		switch {
		case r.stage == stage.Build:
			r.fact.SetText(fmt.Sprintf("%s, %s, %s and %s.", quantity.Plural(len(m.Pools), "pool"), quantity.Plural(len(m.Queues), "queue"),
				quantity.Plural(len(m.Locks), "lock"), quantity.Plural(fragments, "code fragment")))
			r.state.SetResource(theme.ConfirmIcon())
		case k.stages[r.stage]:
			r.fact.SetText("Done; the project has what it found.")
			r.state.SetResource(theme.ConfirmIcon())
		default:
			r.fact.SetText("Done; what it found is not kept in the project.")
			r.state.SetResource(theme.HistoryIcon())
		}
	}
	p.trust.RemoveAll()
	if grade, why := p.host.Session.Grade(); grade != "" {
		p.trust.Add(own.TrustCard(grade, why, p.host.Session.Trust()))
	}
	p.left.Refresh()
	p.right.Refresh()
}

// quoted joins words so that they are told apart again.
func quoted(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		if out[i] = w; w == "" || strings.ContainsAny(w, " \t\n'") {
			out[i] = `"` + w + `"`
		} else if strings.Contains(w, `"`) {
			out[i] = "'" + w + "'"
		}
	}
	return strings.Join(out, " ")
}

// number is what is typed for a number; nothing for 0.
func number(v float64) string {
	if v == 0 {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
