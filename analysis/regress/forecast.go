package regress

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
)

// Forecast is what a behaviour is expected to be for a new input, with its 95 %
// prediction interval.
type Forecast struct {
	Value    float64   `json:"value"`
	Lo       float64   `json:"lo"`
	Hi       float64   `json:"hi"` // math.MaxFloat64: nothing bounds it
	Derived  []string  `json:"derived,omitempty"`
	Outside  []Outside `json:"outside,omitempty"`
	Doubt    float64   `json:"doubt,omitempty"`    // probability that a run differs by more than a tenth, of inputs outside
	Warnings []string  `json:"warnings,omitempty"` // why not to believe it
}

// Outside says that an input lies outside of what was seen.
type Outside struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"`
	Lo     float64 `json:"lo"` // seen
	Hi     float64 `json:"hi"`
	Factor float64 `json:"factor"` // of the nearer end, above 1; 0: the signs differ
}

// String says by how much.
func (o Outside) String() string {
	far := "with another sign"
	if o.Factor > 0 {
		far = fmt.Sprintf("%.3g times the %s", o.Factor, map[bool]string{true: "largest", false: "smallest"}[o.Value > o.Hi])
		if o.Value < o.Lo {
			far = fmt.Sprintf("1/%.3g of the smallest", o.Factor)
		}
	}
	return fmt.Sprintf("%s = %.6g is outside of what was seen, %.6g … %.6g: %s", o.Name, o.Value, o.Lo, o.Hi, far)
}

// ThreadsKey is the name under which the number of threads of a type is given, such
// as n[main.main:main.go:30]; Threads alone is that of a single type.
func ThreadsKey(threadType string) string { return Threads + "[" + threadType + "]" }

// Threads is the name of the number of threads.
const Threads = "n"

// MissingError says which inputs a behaviour needs that were not given and follow
// from nothing that was.
type MissingError struct {
	Behaviour string
	Names     []string
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("%s needs %s", e.Behaviour, strings.Join(e.Names, ", "))
}

// Check reports names of inputs that no run has, and a number of threads that may be
// that of several types.
func (r *Report) Check(at map[string]float64) error {
	known := map[string]bool{}
	threads := map[string][]float64{}
	for _, b := range r.Behaviours {
		known[ThreadsKey(b.ThreadType)] = true
		var n []float64
		for _, s := range b.Samples {
			n = append(n, s.Threads)
			for name := range s.Variables {
				known[name] = true
			}
		}
		if b.Phase == "" && len(n) > len(threads[b.ThreadType]) {
			threads[b.ThreadType] = n
		}
	}
	types := slices.Sorted(maps.Keys(threads))
	for _, name := range slices.Sorted(maps.Keys(at)) {
		switch {
		case known[name]:
		case name != Threads:
			return fmt.Errorf("there is no input %q; there are %s", name, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		case slices.ContainsFunc(types, func(t string) bool { return !slices.Equal(threads[t], threads[types[0]]) }):
			return fmt.Errorf("n of which threads? They differ: give %s", ThreadsKey(strings.Join(types, "]= or n["))+"=")
		}
	}
	return nil
}

// Forecast predicts the behaviour for given variables. What its model needs beside
// them, variables and the number of threads, is computed from them as it was in all
// runs seen, or else missing.
func (b *Behaviour) Forecast(at map[string]float64) (Forecast, error) {
	return b.Forecaster()(at)
}

// Forecaster does what Forecast does, for several inputs in less time.
func (b *Behaviour) Forecaster() func(at map[string]float64) (Forecast, error) {
	rivals := sync.OnceValue(b.rivalsOf)
	return func(at map[string]float64) (Forecast, error) { return b.forecast(at, rivals) }
}

func (b *Behaviour) forecast(at map[string]float64, rivals func() []rival) (Forecast, error) {
	var f Forecast
	m := b.Selection.Model
	v, missing := b.complete(at, &f)
	if len(missing) > 0 {
		return f, &MissingError{b.Label(), missing}
	}
	threads := v[Threads]
	f.Value = m.Predict(v, threads)
	raw := m.formula(v, threads)
	u := b.Evaluation.uncertainty(b.Samples, -1)
	limit := u.quantile(confidence)
	b.outside(v, &f)
	f.Lo, f.Hi = u.around(f.Value, limit)
	switch {
	case m.Absent.holds(v, threads):
	case m.NonNegative && raw <= 0:
		f.Doubt, f.Hi = 1, math.Max(f.Hi, u.largest(b.Samples))
		f.Warnings = append(f.Warnings, fmt.Sprintf("the formula gives %.4g, which is impossible: it does not hold here", raw))
	case len(f.Outside) > 0:
		b.doubt(rivals(), b.extended(rivals(), v), &f)
	}
	f.Lo, f.Hi = math.Max(f.Lo, -math.MaxFloat64), math.Min(f.Hi, math.MaxFloat64)
	return f, nil
}

// largest is the largest value seen: what is known where a formula fails.
func (u Uncertainty) largest(samples []Sample) float64 {
	_, hi := rangeOf(samples, func(s Sample) float64 { return s.Y })
	return hi
}

// complete returns the values that the model needs, with the number of threads under
// its name, and what is missing.
func (b *Behaviour) complete(at map[string]float64, f *Forecast) (v map[string]float64, missing []string) {
	v = maps.Clone(at)
	if n, ok := at[ThreadsKey(b.ThreadType)]; ok {
		v[Threads] = n
	}
	need := b.Selection.Model.Inputs()
	if b.Selection.Model.PerThread() {
		need = append([]string{Threads}, need...)
	}
	for _, name := range need {
		if _, ok := v[name]; ok {
			continue
		}
		r, ok := b.relation(name, v)
		if !ok {
			if name == Threads {
				name = ThreadsKey(b.ThreadType)
			}
			missing = append(missing, name)
			continue
		}
		v[name] = r.Value(v)
		f.Derived = append(f.Derived, fmt.Sprintf("%s = %s = %.6g", name, r, v[name]))
	}
	return v, missing
}

// relation finds how a variable, or the number of threads, follows from those that
// are known.
func (b *Behaviour) relation(name string, known map[string]float64) (Relation, bool) {
	value := func(s Sample, name string) (float64, bool) {
		if name == Threads {
			return s.Threads, true
		}
		v, ok := s.Variables[name]
		return v, ok
	}
	var from []string
	for k := range known {
		if !slices.ContainsFunc(b.Samples, func(s Sample) bool { _, ok := value(s, k); return !ok }) {
			from = append(from, k)
		}
	}
	slices.Sort(from)
	var rows []map[string]float64
	var values []float64
	for _, s := range b.Samples {
		y, ok := value(s, name)
		if !ok {
			return Relation{}, false
		}
		row := map[string]float64{}
		for _, k := range from {
			row[k], _ = value(s, k)
		}
		rows, values = append(rows, row), append(values, y)
	}
	if len(rows) == 0 {
		return Relation{}, false
	}
	return relate(rows, values, from)
}

// extended are the values with what rivals need beside them, where that follows from them.
func (b *Behaviour) extended(rivals []rival, v map[string]float64) map[string]float64 {
	out := maps.Clone(v)
	tried := map[string]bool{}
	for i := range rivals {
		for _, name := range rivals[i].inputs() {
			if _, ok := out[name]; ok || tried[name] {
				continue
			}
			tried[name] = true
			if r, ok := b.relation(name, v); ok {
				out[name] = r.Value(v)
			}
		}
	}
	return out
}

// outside notes which inputs lie outside of what was seen: those of the model, and others that are given. What made no difference
// where it was seen may make one beyond.
func (b *Behaviour) outside(v map[string]float64, f *Forecast) {
	names := b.Selection.Model.Inputs()
	if b.Selection.Model.PerThread() {
		names = append(names, Threads)
	}
	for _, name := range append(slices.Clone(b.Selection.Variables), Threads) {
		if _, ok := v[name]; ok && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		lo, hi := rangeOf(b.Samples, valueOf(name))
		x := v[name]
		if x >= lo && x <= hi {
			continue
		}
		o := Outside{Name: name, Value: x, Lo: lo, Hi: hi}
		switch {
		case x > hi && hi > 0:
			o.Factor = x / hi
		case x < lo && x > 0:
			o.Factor = lo / x
		}
		f.Outside = append(f.Outside, o)
	}
}

// valueOf returns the variable of a sample, or its number of threads.
func valueOf(name string) func(Sample) float64 {
	if name == Threads {
		return func(s Sample) float64 { return s.Threads }
	}
	return func(s Sample) float64 { return s.Variables[name] }
}
