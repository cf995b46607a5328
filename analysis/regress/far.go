package regress

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
)

// Far is how the large inputs of a kind of thread are predicted from the small ones: what a prediction by a table is worth
// outside of it.
type Far struct {
	Program    string  `json:"program,omitempty"`
	ThreadType string  `json:"thread_type,omitempty"`
	Variable   string  `json:"variable"` // by which inputs are large: the one that spans most
	Edge       float64 `json:"edge"`     // its largest value that was fitted
	Least      float64 `json:"least"`    // and the smallest that was predicted
	Fitted     int     `json:"fitted"`   // runs
	Tries      []Try   `json:"tries"`
}

// Try is a behaviour of a run that had no part in the fit.
type Try struct {
	Behaviour string   `json:"behaviour"`
	Measured  float64  `json:"measured"`
	Predicted float64  `json:"predicted"`
	Lo        float64  `json:"lo"`
	Hi        float64  `json:"hi"`
	Doubt     float64  `json:"doubt"`              // probability, told beforehand, of missing by more than a tenth
	Warnings  []string `json:"warnings,omitempty"` // why it is not to be believed
}

// Missed is the relative error.
func (t Try) Missed() float64 { return math.Abs(t.Predicted-t.Measured) / math.Abs(t.Measured) }

// Warned reports whether the prediction was said not to be believed.
func (t Try) Warned() bool { return len(t.Warnings) > 0 }

// Inside reports whether the measured value lies in the prediction interval.
func (t Try) Inside() bool { return t.Lo <= t.Measured && t.Measured <= t.Hi }

// Wrong reports whether a warning would have been right.
func (t Try) Wrong() bool { return t.Missed() > doubtful }

// Far predicts the runs that are larger than the largest divided by a factor from those that are not, for every kind of
// thread: up to that factor outside of what is fitted. It is an error if a kind has too few runs that small.
func (s Study) Far(ctx context.Context, rows []Row, factor float64) ([]Far, error) {
	if !(factor > 1) {
		return nil, fmt.Errorf("regress: %g times as far: give a factor above 1", factor)
	}
	s.Phases = PhasesNever
	var out []Far
	for _, g := range Groups(rows) {
		if g.Phase != "" {
			continue
		}
		f, near, far, err := g.part(factor, s.Options)
		if err != nil {
			return nil, err
		}
		report, err := s.Run(ctx, near)
		if err != nil {
			return nil, err
		}
		for i := range report.Behaviours {
			if b := &report.Behaviours[i]; b.Acceptable() {
				f.Tries = append(f.Tries, b.try(far)...)
			}
		}
		out = append(out, f)
	}
	return out, nil
}

// leastValues of a variable: two determine a line, and one is left to contradict. From fewer nothing follows beyond.
const leastValues = 3

// part divides the rows by the variable that spans most, of those of which enough values are small.
func (g Group) part(factor float64, o Options) (f Far, near, far []Row, err error) {
	f = Far{Program: g.Program, ThreadType: g.ThreadType}
	var all []Sample
	for _, r := range g.Rows {
		all = append(all, Sample{Variables: r.Variables, Threads: r.Threads, Given: r.Given})
	}
	names, _ := Variables(all, o.With...)
	span := 1.0
	for _, name := range names {
		lo, hi := rangeOf(all, valueOf(name))
		var small []float64
		for _, s := range all {
			if v := s.Variables[name]; v <= hi/factor {
				small = append(small, v)
			}
		}
		if lo > 0 && hi/lo > span && distinct(small) >= leastValues && !slices.Contains(o.Without, name) {
			f.Variable, span = name, hi/lo
		}
	}
	if f.Variable == "" {
		return f, nil, nil, fmt.Errorf("regress: %s %s: no input has %d values of 1/%g of its largest or less", g.Program, g.ThreadType, leastValues, factor)
	}
	value := func(r Row) float64 { return r.Variables[f.Variable] }
	sorted := slices.Clone(g.Rows)
	slices.SortStableFunc(sorted, func(a, b Row) int { return cmp.Compare(value(a), value(b)) })
	largest := value(sorted[len(sorted)-1])
	f.Fitted = sort.Search(len(sorted), func(i int) bool { return value(sorted[i]) > largest/factor })
	if near, far = sorted[:f.Fitted], sorted[f.Fitted:]; f.Fitted < leastRows {
		return f, nil, nil, fmt.Errorf("regress: %s %s: %d runs have a %s of %.6g or less, 1/%g of the largest: at least %d are needed", g.Program, g.ThreadType, f.Fitted, f.Variable, largest/factor, factor, leastRows)
	}
	f.Least = value(far[0])
	f.Edge = value(near[len(near)-1])
	return f, near, far, nil
}

// try predicts rows that are not among the samples.
func (b *Behaviour) try(rows []Row) (out []Try) {
	forecast := b.Forecaster()
	for _, r := range rows {
		y, ok := r.Behaviours[b.Name]
		if !ok || y == 0 || math.IsNaN(y) || math.IsInf(y, 0) {
			continue
		}
		at := map[string]float64{Threads: r.Threads}
		for name, v := range r.Variables {
			at[name] = v
		}
		f, err := forecast(at)
		if err != nil {
			continue // a variable that this run lacks
		}
		out = append(out, Try{b.Name, y, f.Value, f.Lo, f.Hi, f.Doubt, f.Warnings})
	}
	return out
}
