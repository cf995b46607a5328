package regress

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Form is a function of the pool.
type Form string

// Functions, in the order in which they are tried.
const (
	Linear   Form = "linear"  // y = β₀ + Σ βᵢ·xᵢ
	LogLog   Form = "log-log" // log y = β₀ + Σ βᵢ·log xᵢ
	TreeForm Form = "tree"    // regression tree
	Sum      Form = "phases"  // y = Σ executions·behaviour over the phases of a thread
)

// Model predicts one behaviour. It is a plain value: JSON round trips, and
// concurrent use is safe.
type Model struct {
	Form         Form      `json:"form"`
	Terms        []Term    `json:"terms,omitempty"`
	Coefficients []float64 `json:"coefficients,omitempty"` // β₀ first
	Tree         *Tree     `json:"tree,omitempty"`
	Parts        []Part    `json:"parts,omitempty"`
	// Absent says where the behaviour is 0, whatever the function says; nil: nowhere.
	Absent *Absence `json:"absent,omitempty"`
	// NonNegative says that the behaviour is never negative: where a linear formula
	// is, Predict returns 0.
	NonNegative bool `json:"non_negative,omitempty"`
	// CrossValidated is the accuracy that selected the model, Training the
	// one on the rows it was fitted to. Neither has seen the held-out rows.
	CrossValidated float64 `json:"cross_validated_accuracy"`
	Training       float64 `json:"training_accuracy"`
	// Rung is the target of the ladder that the search reached; 0: none.
	Rung float64 `json:"rung"`
}

// Predict returns the behaviour expected for a run.
func (m Model) Predict(variables map[string]float64, threads float64) float64 {
	if m.Absent.holds(variables, threads) {
		return 0
	}
	y := m.formula(variables, threads)
	if m.NonNegative {
		return math.Max(0, y)
	}
	return y
}

// formula returns what the formula says, possible or not.
func (m Model) formula(variables map[string]float64, threads float64) float64 {
	switch m.Form {
	case TreeForm:
		return m.Tree.predict(variables, threads)
	case Sum:
		y := 0.0
		for _, p := range m.Parts {
			y += float64(p.Times.Predict(variables, threads) * p.Model.Predict(variables, threads))
		}
		return y
	case Linear, LogLog:
	}
	y := m.Coefficients[0]
	for i, t := range m.Terms {
		v := t.Value(variables, threads)
		if m.Form == LogLog {
			v = math.Log(v)
		}
		y += float64(m.Coefficients[i+1] * v) // not fused, so that exported source gives the same on every machine
	}
	if m.Form == LogLog {
		return math.Exp(y)
	}
	return y
}

// PerThread reports whether the model depends on the number of threads.
func (m Model) PerThread() bool {
	if m.Absent != nil && m.Absent.Name == Threads {
		return true
	}
	if m.Form == TreeForm {
		return m.Tree.perThread()
	}
	if slices.ContainsFunc(m.Parts, func(p Part) bool { return p.Times.PerThread() || p.Model.PerThread() }) {
		return true
	}
	return slices.ContainsFunc(m.Terms, func(t Term) bool { return t.PerThread })
}

// Varies reports whether the model depends on anything.
func (m Model) Varies() bool { return len(m.Inputs()) > 0 }

// Formula returns the model as a person would write it.
func (m Model) Formula() string {
	if m.Absent != nil {
		return fmt.Sprintf("0 where %s, else %s", m.Absent, m.function())
	}
	return m.function()
}

func (m Model) function() string {
	switch m.Form {
	case TreeForm:
		return fmt.Sprintf("tree of %d leaves, %d levels", m.Tree.leaves(), m.Tree.levels())
	case Sum:
		var parts []string
		for _, p := range m.Parts {
			parts = append(parts, fmt.Sprintf("(%s)·(%s)", p.Times.Formula(), p.Model.Formula()))
		}
		return strings.Join(parts, " + ")
	case LogLog:
		var b strings.Builder
		fmt.Fprintf(&b, "%.4g", math.Exp(m.Coefficients[0]))
		for i, t := range m.Terms {
			fmt.Fprintf(&b, " · (%s)^%.3g", t, m.Coefficients[i+1])
		}
		return b.String()
	case Linear:
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%.4g", m.Coefficients[0])
	for i, t := range m.Terms {
		c, sign := m.Coefficients[i+1], " + "
		if c < 0 {
			c, sign = -c, " − "
		}
		fmt.Fprintf(&b, "%s%.4g·%s", sign, c, t)
	}
	return b.String()
}
