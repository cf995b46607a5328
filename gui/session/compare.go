package session

import (
	"context"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/gui/recipe"
	"tierscope/simulation"
	"tierscope/simulation/output"
)

// SideKind is what can be compared with what.
type SideKind string

// Kinds of sides.
const (
	ScenarioSide SideKind = "scenario"
	RunSide      SideKind = "run"
	BuildSide    SideKind = "build"    // the model of another build, in the current scenario
	MeasuredSide SideKind = "measured" // a file of measurements, in the current scenario
)

// Side is one of two things that are compared, by its kind and its name: of a
// scenario, the ID of a run, the path of another build, the name of a file.
type Side struct {
	Kind SideKind
	Name string
}

// Label names a side on screens.
func (s *Session) Label(x Side) string {
	switch x.Kind {
	case RunSide:
		if r, ok := s.Run(x.Name); ok {
			return "run " + RunName(r)
		}
	case BuildSide:
		label := "build " + strings.TrimSuffix(filepath.Base(x.Name), filepath.Ext(x.Name))
		if slices.ContainsFunc(s.recent, func(other string) bool { return other != x.Name && filepath.Base(other) == filepath.Base(x.Name) }) {
			label += " in " + filepath.Dir(x.Name) // builds of one program are often called the same
		}
		return label
	case MeasuredSide:
		return "measured " + x.Name
	case ScenarioSide:
		if len(x.Name) == 1 { // not to be taken for a side
			return "scenario " + x.Name
		}
	}
	return x.Name
}

// Pair is what every page compares: A, the reference, and B.
type Pair struct{ A, B Side }

// Comparing returns the sides that are compared, nil if none are.
func (s *Session) Comparing() *Pair { return s.deck.pair }

// Compare shows two sides on every page, until StopComparing; it can be undone.
func (s *Session) Compare(a, b Side) {
	if p := s.deck.pair; p != nil && *p == (Pair{a, b}) {
		return
	}
	s.change("compare "+s.Label(a)+" with "+s.Label(b), "", func(d *deck) { d.pair = &Pair{a, b} })
}

// CompareScenario compares the current scenario with the baseline, or with the
// one that is before it.
func (s *Session) CompareScenario() {
	other := s.deck.scenarios[0].Name
	if s.deck.current == 0 && len(s.deck.scenarios) > 1 {
		s.Compare(Side{ScenarioSide, other}, Side{ScenarioSide, s.deck.scenarios[len(s.deck.scenarios)-1].Name})
		return
	}
	s.Compare(Side{ScenarioSide, other}, Side{ScenarioSide, s.Scenario().Name})
}

// Swap exchanges the sides.
func (s *Session) Swap() {
	if p := s.deck.pair; p != nil {
		s.Compare(p.B, p.A)
	}
}

// StopComparing shows one thing on every page again.
func (s *Session) StopComparing() {
	if s.deck.pair != nil {
		s.change("stop comparing", "", func(d *deck) { d.pair = nil })
	}
}

// SidesOffered lists what can be compared: scenarios, the latest runs, other
// builds that were open before, and measurements.
func (s *Session) SidesOffered() []Side {
	var out []Side
	for _, c := range s.deck.scenarios {
		out = append(out, Side{ScenarioSide, c.Name})
	}
	if s.model == nil {
		return out
	}
	const latest = 5
	hash := s.Hash()
	for i := len(s.runs.all) - 1; i >= 0 && len(out) < len(s.deck.scenarios)+latest; i-- {
		if r := s.runs.all[i]; r.Result.ModelHash == hash && !r.Result.Interrupted && r.Asked(s.model) {
			out = append(out, Side{RunSide, r.ID})
		}
	}
	for _, f := range s.measured {
		out = append(out, Side{MeasuredSide, f.Name()})
	}
	for _, path := range s.recent {
		if path != s.path {
			out = append(out, Side{BuildSide, path})
		}
	}
	return out
}

// ScenarioOf returns the scenario that a side stands for; a build and
// measurements stand for the current one.
func (s *Session) ScenarioOf(x Side) (Scenario, bool) {
	switch x.Kind {
	case ScenarioSide:
		for _, c := range s.deck.scenarios {
			if c.Name == x.Name {
				return c, true
			}
		}
		return Scenario{}, false
	case RunSide:
		r, ok := s.Run(x.Name)
		if !ok {
			return Scenario{}, false
		}
		return Scenario{Name: s.Label(x), Settings: s.model.Named(r.Result.Configuration), Edits: r.Edits}, true
	case BuildSide, MeasuredSide:
	}
	return s.Scenario(), true
}

// ResultOf returns what is known of a side; nil while it is simulated, which
// ResultOf starts, or if nothing can be known of it.
func (s *Session) ResultOf(x Side) *simulation.Result {
	switch x.Kind {
	case ScenarioSide:
		c, ok := s.ScenarioOf(x)
		if !ok {
			return nil
		}
		if o := s.Outcome(c); o != nil && (o.Result != nil || o.Err != nil) {
			return o.Result
		}
		s.Simulate(c)
	case RunSide:
		if r, ok := s.Run(x.Name); ok {
			return r.Result
		}
	case BuildSide:
		return s.build(x.Name)
	case MeasuredSide:
		return s.measurement(x.Name)
	}
	return nil
}

// build simulates another build in the current scenario, as far as it has the
// same parameters.
func (s *Session) build(path string) *simulation.Result {
	c := clone(s.Scenario())
	key := path + "\x00" + s.key(c)
	if o, ok := s.builds[key]; ok {
		return o
	}
	s.builds[key] = nil // on its way
	model, options := s.model, s.OptionsOf(c)
	simulate, pool := s.Simulator()
	options.Pool = pool
	type built struct {
		model  core.Model
		result *simulation.Result
	}
	StartJob(s, "Simulate build "+filepath.Base(path), func(ctx context.Context, report func(simulation.Progress)) (built, error) {
		o, err := Read(path)
		if err != nil {
			return built{}, err
		}
		if o.Ledger != nil {
			if err := o.Ledger.Close(); err != nil {
				return built{}, err
			}
		}
		options.Progress = report
		r, err := simulate(ctx, o.Model, fitting(&o.Model, c).Settings, options)
		return built{o.Model, r}, err
	}, func(j *Job, p simulation.Progress) {
		j.Fraction, j.Remaining, j.Fact = p.Done, p.Remaining, Precision(p)
	}, func(_ *Job, b built, err error) {
		if err == nil && s.model == model {
			s.builds[key], s.others[path] = b.result, &b.model
			s.emit(ResultsChanged)
		}
	})
	return nil
}

// measurement is what was measured in the current scenario as a result.
func (s *Session) measurement(name string) *simulation.Result {
	now := s.model.Defaults()
	maps.Copy(now, s.Scenario().Settings)
	for _, f := range s.measured {
		if f.Name() != name {
			continue
		}
		r := &simulation.Result{Model: s.model.Name, ModelHash: s.Hash(), Configuration: s.Scenario().Settings}
		for _, o := range recipe.FromMeasured(f.Table, s.model) {
			if !within(o.Configuration, now) {
				continue
			}
			metric, of, stat, ok := simulation.ParseKey(o.Metric)
			if !ok {
				continue
			}
			r.Replications = max(r.Replications, o.N)
			r.Metrics = append(r.Metrics, simulation.Metric{Name: metric, Of: of, Stat: stat, Unit: o.Unit,
				Estimate: output.Estimate{Mean: o.Value, Lo: o.Lo, Hi: o.Hi, N: o.N, Confidence: s.settings.Confidence}})
		}
		if len(r.Metrics) > 0 {
			return r
		}
	}
	return nil
}

// within reports whether a configuration says nothing else than another.
func within(a, b map[string]float64) bool {
	for name, v := range b {
		if w, ok := a[name]; ok && w != v {
			return false
		}
	}
	return true
}

// Difference says in one sentence what B is beside A, with its interval; "" as
// long as one of them is not known.
func (s *Session) Difference() string {
	p := s.deck.pair
	if p == nil {
		return ""
	}
	a, b := s.ResultOf(p.A), s.ResultOf(p.B)
	if a == nil || b == nil {
		return ""
	}
	all := simulation.Compare(a, b, ofAll)
	for _, name := range []string{"T", "R", "X"} {
		for _, c := range all {
			if c.Name != name {
				continue
			}
			words := map[string]string{"T": "makespan", "R": "response time", "X": "throughput"}[name]
			from := fmt.Sprintf("%s %s instead of %s", words, quantity.Format(c.B.Mean, c.Unit), quantity.Format(c.A.Mean, c.Unit))
			d := c.Absolute
			switch {
			case d.N == 0 || min(c.A.N, c.B.N) < 2:
				return fmt.Sprintf("%s: %s.", s.Label(p.B), from)
			case d.Lo <= 0 && d.Hi >= 0:
				return fmt.Sprintf("%s and %s: %s, %s.", s.Label(p.A), s.Label(p.B), ChangeWords(c), from)
			}
			return fmt.Sprintf("%s has a %s, %s.", s.Label(p.B), from, ChangeWords(c))
		}
	}
	return ""
}

// ChangeWords says a change: with its interval, "+7.6 % [+7.4, +7.8]"; that there is none, within how much; or that nothing is
// clear.
func ChangeWords(c simulation.Comparison) string {
	if within, ok := Unchanged(c); ok {
		return "same, " + within
	}
	d, r := c.Absolute, c.Relative
	switch {
	case math.IsInf(d.Lo, -1) && math.IsInf(d.Hi, 1):
		return quantity.Change(r.Mean) + " (no interval)"
	case d.Lo <= 0 && d.Hi >= 0 || math.IsNaN(d.Mean):
		return "no clear change"
	case !(r.Lo <= r.Hi) || math.IsInf(r.Lo, 0) || math.IsInf(r.Hi, 0):
		return quantity.Change(r.Mean)
	}
	return quantity.ChangeInterval(r.Mean, r.Lo, r.Hi)
}
