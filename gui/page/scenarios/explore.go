package scenarios

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"tierscope/core"
	"tierscope/gui/background"
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
	drawing *background.Turns[drawing]
}

func newExplorer(s *session.Session, changed func()) *explorer {
	e := &explorer{ses: s, changed: changed}
	e.forget()
	return e
}

// forget drops what is known: another model is open.
func (e *explorer) forget() {
	e.rest()
	e.results = map[string]*simulation.Result{}
	e.drawn, e.drawing = map[string]drawing{}, background.NewTurns[drawing](e.ses.Runner)
}

func (e *explorer) stop() {
	if e.job != nil {
		e.job.Cancel()
		e.job = nil
	}
}

// rest stops until it is asked again; what it knows it keeps.
func (e *explorer) rest() {
	e.stop()
	e.asked = ""
}

// busy reports whether something is being simulated.
func (e *explorer) busy() bool { return e.job != nil && e.job.State == session.Running }

// key identifies a configuration of a model under the present preferences.
func (e *explorer) key(of session.Subject, settings map[string]float64) string {
	full := of.Model.Defaults()
	maps.Copy(full, settings)
	return fmt.Sprint(of.Build, full, of.Scenario.Edits, whatif.Inputs(e.ses.Options()))
}

// result returns what is known of a configuration, nil if nothing.
func (e *explorer) result(of session.Subject, settings map[string]float64) *simulation.Result {
	return e.results[e.key(of, settings)]
}

// of is a scenario of the open model.
func (e *explorer) of(c session.Scenario) session.Subject {
	return session.Subject{Model: e.ses.Model(), Scenario: c}
}

// question is what is asked about a scenario: the curve of a knob, or the map of
// two.
type question struct {
	of    session.Subject
	knobs []core.Parameter
	// around is the configuration whose values of the knobs are asked about, nil: that of the scenario.
	around map[string]float64
}

// settings are those of the scenario, in which nothing but the knobs themselves sets what they set.
func (q question) settings() map[string]float64 {
	out := q.of.Scenario.Settings
	for _, k := range q.knobs {
		out = q.of.Model.Put(out, k.Name, value(q.of.Scenario, k))
	}
	return out
}

// arrival is a part of the answer.
type arrival struct {
	of     session.Subject
	points []experiment.Point
}

// ask simulates what is missing of some questions, in their order; what was
// asked before and is not wanted any more is stopped.
func (e *explorer) ask(all []question) {
	want := fmt.Sprint(whatif.Inputs(e.ses.Options()))
	for _, q := range all {
		want += fmt.Sprint(q.of.Build, q.of.Scenario.Settings, q.of.Scenario.Edits)
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
		simulated := make([][]experiment.Point, len(all))
		of := func(i int, simulate func(*experiment.Runner, whatif.Question, func([]experiment.Point)) error) error {
			q, r := all[i], runner
			m, err := session.Scenario{Edits: q.of.Scenario.Edits}.Apply(*q.of.Model)
			if err != nil {
				return err
			}
			r.Model = m
			if q.of.Build != "" {
				r.Ledger = nil // it is that of the open project
			}
			return simulate(&r, whatif.Question{Settings: q.settings(), Knobs: q.knobs, Around: q.around}, func(p []experiment.Point) {
				known, simulated[i] = append(known, arrival{q.of, p}), append(simulated[i], p...)
				report(slices.Clone(known))
			})
		}
		for i := range all {
			if err := of(i, func(r *experiment.Runner, q whatif.Question, arrived func([]experiment.Point)) error {
				return whatif.Run(ctx, r, q, options, arrived)
			}); err != nil {
				return struct{}{}, err
			}
		}
		for i := range all { // when all are there
			if err := of(i, func(r *experiment.Runner, q whatif.Question, arrived func([]experiment.Point)) error {
				return whatif.Refine(ctx, r, q, options, simulated[i], arrived)
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
	var fresh []experiment.Run
	for _, a := range known {
		for _, p := range a.points {
			k := e.key(a.of, p.Settings)
			if p.Result == nil || p.Result.Interrupted || e.results[k] == p.Result {
				continue
			}
			e.results[k], news = p.Result, true
			if !p.Known && a.of.Build == "" {
				fresh = append(fresh, experiment.Run{ID: p.ID, Time: time.Now().UTC(), Scenario: whatif.Name, Edits: a.of.Scenario.Edits, Inputs: whatif.Inputs(o), Result: p.Result})
			}
		}
	}
	e.ses.AddRuns(fresh...)
	if news {
		e.changed()
	}
}
