package core

import (
	"maps"
	"math"
	"slices"
	"strconv"
)

// Driver returns the parameter that sets the number at a path, and its target there; false where none does. One that
// multiplies the number leaves it to be set.
func (m *Model) Driver(path string) (Parameter, Target, bool) {
	path = m.canonical(path)
	for _, p := range m.Parameters {
		for _, t := range p.Targets {
			if !t.Multiplies && m.canonical(t.Path) == path {
				return p, t, true
			}
		}
	}
	return Parameter{}, Target{}, false
}

// Solve returns the x at which the target is v; false if there is none.
func (t Target) Solve(v float64) (x float64, ok bool) {
	const digits = 12 // 0.005 is 5 thousandths, not 5.000000000000001
	x = math.Pow((v-t.Offset)/orOne(t.Factor), 1/orOne(t.Power))
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, false
	}
	x, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64)
	return x, err == nil && math.Abs(t.Apply(x)-v) <= 1e-9*math.Abs(v)
}

// solve is Solve for a value that p may have.
func (p Parameter) solve(t Target, v float64) (x float64, ok bool) {
	x, ok = t.Solve(v)
	return x, ok && p.check(x) == nil
}

// Put returns settings with another value of a number, named by a parameter or by a path. What a parameter sets has one
// name, that of the parameter, unless that cannot have the value; what else sets the same number is taken out.
func (m *Model) Put(settings map[string]float64, name string, v float64) map[string]float64 {
	out := maps.Clone(settings)
	if out == nil {
		out = map[string]float64{}
	}
	p, byName := m.Parameter(name)
	if !byName {
		driver, t, driven := m.Driver(name)
		if x, ok := driver.solve(t, v); driven && ok {
			p, v, byName = driver, x, true
		} else if driven {
			delete(out, driver.Name)
		}
	}
	if byName {
		maps.DeleteFunc(out, func(key string, _ float64) bool { return p.sets(m, key) })
		name = p.Name
	}
	out[name] = v
	return out
}

// sets reports whether a path is that of a number that p sets.
func (p Parameter) sets(m *Model, path string) bool {
	driver, _, ok := m.Driver(path)
	return ok && driver.Name == p.Name
}

// Named returns the same configuration with the names of parameters in place of paths, where parameters say the same: one
// quantity has one name. The result may be the argument.
func (m *Model) Named(settings map[string]float64) map[string]float64 {
	out := settings
	for _, path := range sortedKeys(settings) {
		p, t, ok := m.Driver(path)
		if !ok {
			continue
		}
		_, twice := settings[p.Name]
		if x, can := p.solve(t, settings[path]); can && !twice && m.says(p, x, settings) {
			out = m.Put(out, p.Name, x)
		}
	}
	if len(out) == 0 || maps.Equal(out, settings) {
		return settings
	}
	was := m.Resolved(settings)
	for _, p := range m.inTurn() { // what follows a parameter does not follow a path
		if v, follows := m.Resolved(out)[p.Name]; follows {
			before, set := was[p.Name]
			if !set {
				before = p.Default
			}
			if _, named := out[p.Name]; !named && v != before {
				out[p.Name] = before
			}
		}
	}
	return out
}

// says reports whether settings give every target of p what p = x does.
func (m *Model) says(p Parameter, x float64, settings map[string]float64) bool {
	return !slices.ContainsFunc(p.Targets, func(t Target) bool {
		if t.Multiplies {
			return math.Abs(t.Apply(x)-1) > 1e-6
		}
		k, err := m.Lookup(t.Path)
		if err != nil {
			return true
		}
		is := k.Value
		for path, v := range settings {
			if m.canonical(path) == k.Path {
				is = v
			}
		}
		return math.Abs(t.Apply(x)-is) > 1e-9*math.Abs(is)
	})
}

// inTurn returns the parameters that follow others, those that are followed before those that follow them.
func (m *Model) inTurn() []Parameter {
	depth := func(p Parameter) (n int) {
		for p.Follows != nil && n < len(m.Parameters) {
			p, _ = m.Parameter(p.Follows.Parameter)
			n++
		}
		return n
	}
	out := slices.DeleteFunc(slices.Clone(m.Parameters), func(p Parameter) bool { return p.Follows == nil })
	slices.SortStableFunc(out, func(a, b Parameter) int { return depth(a) - depth(b) })
	return out
}
