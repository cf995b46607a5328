package scenarios

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"tierscope/core"
	"tierscope/gui/session"
	"tierscope/simulation"
	"tierscope/simulation/experiment"
	"tierscope/simulation/whatif"
)

// explorer simulates, in the background, the configurations around the
// current one: the points of the curve of one knob, or the cells of the map of two.
type explorer struct {
	ses     *session.Session
	changed func() // something arrived
	job     *session.Job
	asked   string
	results map[string]*simulation.Result // by configuration and inputs
	drawn   map[string]drawing
	drawing map[string]bool // on its way
}

func newExplorer(s *session.Session, changed func()) *explorer {
	e := &explorer{ses: s, changed: changed}
	e.forget()
	return e
}

// forget drops what is known: another model is open.
func (e *explorer) forget() {
	e.stop()
	e.asked, e.results = "", map[string]*simulation.Result{}
	e.drawn, e.drawing = map[string]drawing{}, map[string]bool{}
}

func (e *explorer) stop() {
	if e.job != nil {
		e.job.Cancel()
		e.job = nil
	}
}

// busy reports whether something is being simulated.
func (e *explorer) busy() bool { return e.job != nil && e.job.State == session.Running }

// key identifies a configuration of the model under the present preferences.
func (e *explorer) key(m *core.Model, c session.Scenario, settings map[string]float64) string {
	full := m.Defaults()
	maps.Copy(full, settings)
	return fmt.Sprint(full, c.Edits, whatif.Inputs(e.ses.Options()))
}

// result returns what is known of a configuration, nil if nothing.
func (e *explorer) result(c session.Scenario, settings map[string]float64) *simulation.Result {
	return e.results[e.key(e.ses.Model(), c, settings)]
}

// question is what is asked about a scenario: the curve of a knob, or the map of
// two.
type question struct {
	of    session.Scenario
	knobs []core.Parameter
	// around is the configuration whose values of the knobs are asked about, nil: that of the scenario.
	around map[string]float64
}

// arrival is a part of the answer.
type arrival struct {
	of     session.Scenario
	points []experiment.Point
}

// ask simulates what is missing of some questions, in their order; what was
// asked before and is not wanted any more is stopped.
func (e *explorer) ask(all []question) {
	want := fmt.Sprint(whatif.Inputs(e.ses.Options()))
	for _, q := range all {
		want += fmt.Sprint(q.of.Settings, q.of.Edits)
		for _, k := range q.knobs {
			want += " " + k.Name
		}
	}
	if want == e.asked || len(all) == 0 {
		return
	}
	e.stop()
	e.asked = want
	model, options := e.ses.Model(), e.ses.Options()
	runner := *e.ses.Experimenter(nil)
	title := "Curve of " + all[0].knobs[0].Name
	if len(all[0].knobs) > 1 {
		title = "Map of " + all[0].knobs[0].Name + " and " + all[0].knobs[1].Name
	}
	e.job = session.StartJob(e.ses, title, func(ctx context.Context, report func([]arrival)) (struct{}, error) {
		var known []arrival // a report replaces the one before
		for _, q := range all {
			m, err := session.Scenario{Edits: q.of.Edits}.Apply(*model)
			if err != nil {
				return struct{}{}, err
			}
			r := runner
			r.Model = m
			if err := whatif.Run(ctx, &r, whatif.Question{Settings: q.of.Settings, Knobs: q.knobs, Around: q.around}, options, func(p []experiment.Point) {
				known = append(known, arrival{q.of, p})
				report(slices.Clone(known))
			}); err != nil {
				return struct{}{}, err
			}
		}
		return struct{}{}, nil
	}, func(_ *session.Job, known []arrival) {
		if e.ses.Model() == model {
			e.take(known, options)
		}
	}, nil)
}

// take notes what has arrived.
func (e *explorer) take(known []arrival, o simulation.Options) {
	news := false
	for _, a := range known {
		for _, p := range a.points {
			k := e.key(e.ses.Model(), a.of, p.Settings)
			if p.Result == nil || p.Result.Interrupted || e.results[k] == p.Result {
				continue
			}
			e.results[k], news = p.Result, true
			if !p.Known {
				e.ses.AddRun(experiment.Run{ID: p.ID, Time: time.Now().UTC(), Scenario: whatif.Name, Edits: a.of.Edits, Inputs: whatif.Inputs(o), Result: p.Result})
			}
		}
	}
	if news {
		e.changed()
	}
}
