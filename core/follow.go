package core

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// Linear is a number that depends on another one: Factor·x + Offset, within
// Min…Max. The zero value is x itself.
type Linear struct {
	Factor float64 `json:"factor,omitempty"` // 0 means 1
	Offset float64 `json:"offset,omitempty"`
	Min    float64 `json:"min,omitempty"` // 0: no bound
	Max    float64 `json:"max,omitempty"` // 0: no bound
}

// Plus returns what is n more, in every way.
func (l Linear) Plus(n float64) Linear {
	l.Offset += n
	for _, bound := range []*float64{&l.Min, &l.Max} {
		if *bound != 0 {
			*bound += n
		}
	}
	if l.Factor == 1 && l.Offset == 0 {
		l.Factor = 0
	}
	return l
}

// At returns the number for x.
func (l Linear) At(x float64) float64 {
	v := orOne(l.Factor)*x + l.Offset
	if l.Max != 0 {
		v = min(v, l.Max)
	}
	if l.Min != 0 {
		v = max(v, l.Min)
	}
	return v
}

// Count is At for numbers that are whole, rounded down as programs divide.
func (l Linear) Count(x float64) float64 {
	return math.Floor(l.At(x) + 1e-9) // a third of three is one
}

// Of is the formula with the name of x: "cores", "2·cores − 1, at most 8".
func (l Linear) Of(x string) string {
	if k := orOne(l.Factor); k != 1 {
		x = fmt.Sprintf("%.4g·%s", k, x)
	}
	switch {
	case l.Offset > 0:
		x += fmt.Sprintf(" + %g", l.Offset)
	case l.Offset < 0:
		x += fmt.Sprintf(" − %g", -l.Offset)
	}
	if l.Min != 0 {
		x += fmt.Sprintf(", at least %g", l.Min)
	}
	if l.Max != 0 {
		x += fmt.Sprintf(", at most %g", l.Max)
	}
	return x
}

// Follow says what a parameter is in a configuration that sets another one and
// not it. A pool with two threads for every core follows the parameter "cores"
// with Factor 2; a whole number is rounded down.
type Follow struct {
	Parameter string `json:"parameter"`
	Linear
}

// String is the formula.
func (f Follow) String() string { return f.Of(f.Parameter) }

// follower returns the value that p has where the one that it follows is x.
func (p Parameter) follower(x float64) float64 {
	v := p.Follows.At(x)
	if p.Integer {
		v = p.Follows.Count(x)
	}
	return min(max(v, p.Min), p.Max)
}

// Resolved returns the settings with those parameters that follow one of them
// and are not set themselves, by name or by a path that they drive. The result
// may be the argument.
func (m *Model) Resolved(settings map[string]float64) map[string]float64 {
	out, cloned := settings, false
	for range m.Parameters { // a parameter may follow one that follows another
		before := len(out)
		for _, p := range m.Parameters {
			if p.Follows == nil {
				continue
			}
			x, led := out[p.Follows.Parameter]
			if _, set := out[p.Name]; set || !led || p.drivenBy(settings) {
				continue
			}
			if !cloned {
				out, cloned = maps.Clone(settings), true
			}
			out[p.Name] = p.follower(x)
		}
		if len(out) == before {
			break
		}
	}
	return out
}

// Beside returns the defaults of the parameters that settings leave alone: that
// they neither set nor make follow to another value.
func (m *Model) Beside(settings map[string]float64) map[string]float64 {
	rest := m.Defaults()
	for name, v := range m.Resolved(settings) {
		if _, set := settings[name]; set || rest[name] != v {
			delete(rest, name)
		}
	}
	return rest
}

// drivenBy reports whether settings name a path that the parameter drives.
func (p Parameter) drivenBy(settings map[string]float64) bool {
	return slices.ContainsFunc(p.Targets, func(t Target) bool { _, set := settings[t.Path]; return set })
}

// follows checks what the parameters follow.
func (c *checker) follows(p Parameter, where string) {
	f := p.Follows
	for _, n := range []float64{f.Factor, f.Offset, f.Min, f.Max} {
		if math.IsNaN(n) || math.IsInf(n, 0) {
			c.add(where, "follows: factor, offset, min or max is not a finite number; give finite numbers")
			return
		}
	}
	if f.Min != 0 && f.Max != 0 && f.Min > f.Max {
		c.add(where, "follows: min %g is above max %g; exchange them", f.Min, f.Max)
	}
	leader, ok := c.m.Parameter(f.Parameter)
	if !ok {
		c.add(where, "follows %q, which is no parameter; %s", f.Parameter, suggest(f.Parameter, c.m.ParameterNames()))
		return
	}
	for range c.m.Parameters {
		switch {
		case leader.Name == p.Name:
			c.add(where, "follows itself; remove one \"follows\"")
			return
		case leader.Follows == nil:
			return
		}
		if leader, ok = c.m.Parameter(leader.Follows.Parameter); !ok {
			return // reported there
		}
	}
}
