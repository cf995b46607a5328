package experiment

import (
	"fmt"
	"maps"

	"tierscope/core"
)

// Rules are Expressions that configurations of a model must keep.
type Rules struct {
	rules []*Expression
	known map[string]float64
}

// NewRules parses expressions. What a rule names and a configuration does not give has
// its value in settings, or in the model: the default of the parameter, or the number at
// the path.
func NewRules(texts []string, m *core.Model, settings map[string]float64) (*Rules, error) {
	r := &Rules{known: map[string]float64{}}
	for _, text := range texts {
		rule, err := Parse(text)
		if err != nil {
			return nil, err
		}
		r.rules = append(r.rules, rule)
		maps.Copy(r.known, Known(rule, m))
	}
	maps.Copy(r.known, settings)
	return r, nil
}

// Known returns the values in the model of what an expression names.
func Known(e *Expression, m *core.Model) map[string]float64 {
	known := map[string]float64{}
	for _, name := range e.Names() {
		if p, ok := m.Parameter(name); ok {
			known[name] = p.Default
		} else if k, err := m.Lookup(name); err == nil {
			known[name] = k.Value
		}
	}
	return known
}

// Keep reports whether a configuration keeps all rules. The error names what has no value.
func (r *Rules) Keep(settings map[string]float64) (bool, error) {
	if len(r.rules) == 0 {
		return true, nil
	}
	values := maps.Clone(r.known)
	maps.Copy(values, settings)
	for _, rule := range r.rules {
		v, err := rule.Eval(values)
		if err != nil {
			return false, fmt.Errorf("%w: it is neither a parameter of the model nor an axis", err)
		}
		if v == 0 {
			return false, nil
		}
	}
	return true, nil
}
