package experiment

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"math"
	"strconv"
	"strings"

	"tierscope/core"
	"tierscope/simulation"
)

// Format is the file format of an Experiment.
var Format = core.Format{Name: "tierscope-experiment", Version: 1}

// Experiment is a grid of configurations of one model and how to simulate
// each of them.
type Experiment struct {
	Name  string `json:"name,omitempty"`
	Model string `json:"model,omitempty"` // path of the model or project, relative to the experiment's file
	// Settings are common to all points; axes come on top.
	Settings    map[string]float64 `json:"settings,omitempty"`
	Axes        []Axis             `json:"axes"`
	Constraints []string           `json:"constraints,omitempty"` // Expressions over parameters; a point that breaks one is left out

	Seed            uint64   `json:"seed,omitempty"`
	Replications    int      `json:"replications,omitempty"`
	MaxReplications int      `json:"max_replications,omitempty"`
	Precision       float64  `json:"precision,omitempty"` // relative half-width; 0.05 is ±5 %
	PrecisionOf     []string `json:"precision_of,omitempty"`
	Confidence      float64  `json:"confidence,omitempty"`
	ModelAsItIs     bool     `json:"model_as_it_is,omitempty"` // intervals without what is not known of the model
	Duration        float64  `json:"duration_s,omitempty"`
	Warmup          float64  `json:"warmup_s,omitempty"`

	// Only are beginnings of the keys of the metrics to keep, such as "R" or "X class": the ledger is small then; empty: everything.
	Only    []string `json:"only,omitempty"`
	Metrics []string `json:"metrics,omitempty"` // keys to show in tables; empty: R mean, R p95 and X, or T
}

// Axis is a parameter, or a path of the model, with the values that it takes:
// either Values, or From to To in steps of Step, or in Points points spaced
// evenly or, with Log, by a constant factor. A Real axis has no points; only a search takes it.
type Axis struct {
	Parameter string    `json:"parameter"`
	Values    []float64 `json:"values,omitempty"`
	From      float64   `json:"from,omitempty"`
	To        float64   `json:"to,omitempty"`
	Step      float64   `json:"step,omitempty"`
	Points    int       `json:"points,omitempty"`
	Log       bool      `json:"log,omitempty"`
	// What a search makes of the axis: every number From…To, or values without an order.
	Real     bool `json:"real,omitempty"`
	Category bool `json:"category,omitempty"`
}

// mostPoints bounds an experiment, against typing errors.
const mostPoints = 1_000_000

// Decode reads an experiment and checks it as far as that is possible without
// its model.
func Decode(r io.Reader) (Experiment, error) {
	var e Experiment
	if err := Format.Decode(r, &e); err != nil {
		return Experiment{}, err
	}
	return e, e.Validate()
}

// Encode writes an experiment; equal experiments give equal bytes.
func Encode(w io.Writer, e Experiment) error { return Format.Encode(w, e) }

// Validate reports every defect that can be seen without the model.
func (e *Experiment) Validate() error {
	var errs []error
	total := 1.0
	seen := map[string]bool{}
	for i, a := range e.Axes {
		values, err := a.Expand()
		if err != nil {
			errs = append(errs, fmt.Errorf("axes[%d]: %w", i, err))
		}
		if seen[a.Parameter] {
			errs = append(errs, fmt.Errorf("axes[%d]: %q has an axis already; keep one", i, a.Parameter))
		}
		seen[a.Parameter] = true
		total *= float64(max(len(values), 1))
	}
	if total > mostPoints {
		errs = append(errs, fmt.Errorf("the axes make %.0f points; at most %d are possible", total, mostPoints))
	}
	for i, c := range e.Constraints {
		if _, err := Parse(c); err != nil {
			errs = append(errs, fmt.Errorf("constraints[%d]: %w", i, err))
		}
	}
	if e.Confidence != 0 && !(e.Confidence > 0 && e.Confidence < 1) {
		errs = append(errs, fmt.Errorf("confidence %g: expected a number between 0 and 1, such as 0.95", e.Confidence))
	}
	for _, c := range []struct {
		key string
		v   float64
	}{{"precision", e.Precision}, {"duration_s", e.Duration}, {"replications", float64(e.Replications)}, {"max_replications", float64(e.MaxReplications)}} {
		if c.v < 0 {
			errs = append(errs, fmt.Errorf("%s %g: expected a number > 0, or none", c.key, c.v))
		}
	}
	return errors.Join(errs...)
}

// Options returns how every point is simulated.
func (e *Experiment) Options() simulation.Options {
	return simulation.Options{
		Seed: e.Seed, Replications: e.Replications, MaxReplications: e.MaxReplications,
		Precision: e.Precision, PrecisionOf: e.PrecisionOf, Confidence: e.Confidence, ModelAsItIs: e.ModelAsItIs,
		Duration: e.Duration, Warmup: e.Warmup,
	}
}

// Expand returns the values of the axis in their order.
func (a Axis) Expand() ([]float64, error) {
	ranged := a.From != 0 || a.To != 0 || a.Step != 0 || a.Points != 0 || a.Log
	fail := func(format string, args ...any) ([]float64, error) {
		return nil, fmt.Errorf("%q: %s", a.Parameter, fmt.Sprintf(format, args...))
	}
	var values []float64
	switch {
	case a.Parameter == "":
		return nil, errors.New("\"parameter\" is missing")
	case a.Real:
		return fail("a real range has no points; give a step, or search it with optimize")
	case len(a.Values) > 0 && ranged:
		return fail("give either values or a range")
	case len(a.Values) > 0:
		values = a.Values
	case !ranged:
		return fail("no values")
	case a.Step != 0 && a.Points != 0:
		return fail("give either step or points")
	case a.Log && (a.From <= 0 || a.To <= 0 || a.Points < 2):
		return fail("a logarithmic range needs from > 0, to > 0 and points ≥ 2")
	case a.Points != 0:
		if a.Points < 2 || a.Points > mostPoints {
			return fail("points %d: expected 2 to %d", a.Points, mostPoints)
		}
		for i := range a.Points {
			t := float64(i) / float64(a.Points-1)
			if a.Log {
				values = append(values, tidy(a.From*math.Pow(a.To/a.From, t)))
			} else {
				values = append(values, tidy(a.From+(a.To-a.From)*t))
			}
		}
	default:
		step := a.Step
		if step == 0 {
			step = 1
		}
		n := (a.To - a.From) / step
		if !(n >= 0 && n < mostPoints) {
			return fail("a range from %g to %g in steps of %g has no end", a.From, a.To, step)
		}
		for i := range int(math.Floor(n+1e-9)) + 1 {
			values = append(values, tidy(a.From+float64(i)*step))
		}
	}
	seen := make(map[float64]bool, len(values))
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fail("%v is not a finite number", v)
		}
		if seen[v] {
			return fail("%g is given twice", v)
		}
		seen[v] = true
	}
	return values, nil
}

// tidy removes what the binary representation adds to decimal steps:
// 0.1 + 2·0.1 becomes 0.3.
func tidy(x float64) float64 {
	v, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 12, 64), 64)
	return v
}

// ParseAxis reads the short form of an axis: "workers=1,2,4,8",
// "rate=10..130/10" (steps of 10), "rate=10..1000:7" (7 points) or
// "rate=10..1000:7log"; for a search also "speed=0.5..4:real" and "policy=0,1,2:any" (no order).
func ParseAxis(text string) (Axis, error) {
	name, spec, ok := strings.Cut(text, "=")
	a := Axis{Parameter: strings.TrimSpace(name)}
	bad := func() (Axis, error) { return Axis{}, &SpellingError{text} }
	if !ok {
		return bad()
	}
	numbers := func(texts ...string) (list []float64, good bool) {
		for _, t := range texts {
			v, err := strconv.ParseFloat(strings.TrimSpace(t), 64)
			if err != nil {
				return nil, false
			}
			list = append(list, v)
		}
		return list, true
	}
	spec, a.Category = strings.CutSuffix(spec, ":any")
	spec, a.Real = strings.CutSuffix(spec, ":real")
	from, rest, isRange := strings.Cut(spec, "..")
	if a.Real {
		if ends, good := numbers(from, rest); good && isRange && ends[0] < ends[1] {
			a.From, a.To = ends[0], ends[1]
			return a, nil
		}
		return bad()
	}
	if !isRange {
		if a.Values, ok = numbers(strings.Split(spec, ",")...); !ok {
			return bad()
		}
		_, err := a.Expand()
		return a, err
	}
	to, step, hasStep := strings.Cut(rest, "/")
	to, points, hasPoints := strings.Cut(to, ":")
	ends, good := numbers(from, to)
	if !good || hasStep && hasPoints {
		return bad()
	}
	a.From, a.To, a.Step = ends[0], ends[1], 1
	if hasStep {
		v, good := numbers(step)
		if !good || v[0] == 0 {
			return bad()
		}
		a.Step = v[0]
	}
	if hasPoints {
		n, err := strconv.Atoi(strings.TrimSuffix(points, "log"))
		if err != nil {
			return bad()
		}
		a.Step, a.Points, a.Log = 0, n, strings.HasSuffix(points, "log")
	}
	_, err := a.Expand()
	return a, err
}

// SpellingError says that the text of an axis is none.
type SpellingError struct{ Text string }

// Error says how an axis is written.
func (e *SpellingError) Error() string {
	return fmt.Sprintf("axis %q: expected name=1,2,4 or name=10..130/10 or name=10..1000:7 or name=10..1000:7log", e.Text)
}

// allowed says of every axis how many of its values its parameter cannot have, where many cannot: one by one they would be as many
// defects.
func (e *Experiment) allowed(m *core.Model) error {
	const many = 2
	var errs []error
	for _, a := range e.Axes {
		p, ok := m.Parameter(a.Parameter)
		if !ok || a.Real {
			continue
		}
		values, err := a.Expand()
		if err != nil {
			continue // told with the points
		}
		var bad []float64
		for _, v := range values {
			if v < p.Min || v > p.Max {
				bad = append(bad, v)
			}
		}
		if len(bad) >= many {
			errs = append(errs, fmt.Errorf("parameter %q: %d of %d values are outside %g…%g, such as %g", p.Name, len(bad), len(values), p.Min, p.Max, bad[0]))
		}
	}
	return errors.Join(errs...)
}

// Grid returns the configurations of the experiment in the order of the
// axes, the last one fastest, without those that break a constraint.
func (e *Experiment) Grid(m *core.Model) ([]map[string]float64, error) {
	var points []map[string]float64
	for settings, err := range e.Points(m) {
		if err != nil {
			return nil, err
		}
		points = append(points, settings)
	}
	return points, nil
}

// Points yields the configurations of Grid one by one; the error is the last that it yields.
func (e *Experiment) Points(m *core.Model) iter.Seq2[map[string]float64, error] {
	return func(yield func(map[string]float64, error) bool) {
		if err := e.Validate(); err != nil {
			yield(nil, err)
			return
		}
		axes := make([][]float64, len(e.Axes))
		for i, a := range e.Axes {
			axes[i], _ = a.Expand() // validated
		}
		rules, _ := NewRules(e.Constraints, m, e.Settings) // validated
		index := make([]int, len(axes))
		for {
			settings := maps.Clone(e.Settings)
			if settings == nil {
				settings = map[string]float64{}
			}
			for i, a := range e.Axes {
				settings[a.Parameter] = axes[i][index[i]]
			}
			keep, err := rules.Keep(settings)
			if err != nil {
				yield(nil, err)
				return
			}
			if keep && !yield(settings, nil) {
				return
			}
			i := len(axes) - 1
			for ; i >= 0; i-- {
				if index[i]++; index[i] < len(axes[i]) {
					break
				}
				index[i] = 0
			}
			if i < 0 {
				return
			}
		}
	}
}
