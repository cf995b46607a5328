package core

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"
)

// With returns the model under a configuration: every setting names a
// parameter or a path (see Knob). The receiver is not changed and shares with
// the result what the settings do not touch; the result of a valid model is
// valid. The error reports every bad setting.
//
// A parameter that follows another one (Parameter.Follows) is set with it,
// unless the settings say otherwise. A parameter's targets that count something are rounded to the nearest whole
// number; a whole-number knob set directly takes whole numbers only. Two
// settings that drive the same path are an error, so the order of the settings
// never matters.
func (m Model) With(settings map[string]float64) (Model, error) {
	if len(settings) == 0 {
		return m, nil
	}
	var errs []error
	values := map[string]float64{} // by path
	factors := map[string]float64{}
	by := map[string]string{} // path → setting that drives it
	drive := func(setting, path string, v float64) {
		if other, taken := by[path]; taken {
			errs = append(errs, fmt.Errorf("settings %q and %q both set %s; keep one", other, setting, path))
			return
		}
		values[path], by[path] = v, setting
	}
	settings = m.Resolved(settings)
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		v := settings[name]
		if p, ok := m.Parameter(name); ok {
			if err := p.check(v); err != nil {
				errs = append(errs, err)
				continue
			}
			for _, t := range p.Targets {
				path := m.canonical(t.Path)
				k, err := m.Lookup(path)
				if err != nil {
					errs = append(errs, fmt.Errorf("parameter %q: target: %w", name, err))
					continue
				}
				to := t.Apply(v)
				if t.Multiplies {
					if _, other := factors[k.Path]; !other {
						factors[k.Path] = 1
					}
					factors[k.Path] *= to
					continue
				}
				if k.Integer {
					to = math.Round(to)
				}
				drive(name, path, to)
			}
			continue
		}
		k, err := m.Lookup(name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if k.Integer && v != math.Trunc(v) {
			errs = append(errs, fmt.Errorf("setting %q: %v is not a whole number", name, v))
			continue
		}
		drive(name, k.Path, v)
	}
	out := m.elements()
	if slices.ContainsFunc(append(slices.Collect(maps.Keys(values)), slices.Collect(maps.Keys(factors))...), inGraph) {
		out.ownFragments()
	}
	for _, path := range slices.Sorted(maps.Keys(values)) {
		if err := out.set(path, values[path]); err != nil {
			errs = append(errs, fmt.Errorf("setting %q: %w", by[path], err))
		}
	}
	for _, path := range slices.Sorted(maps.Keys(factors)) {
		k, err := out.Lookup(path)
		if err != nil {
			panic("core: a number that was there is not: " + err.Error())
		}
		to := k.Value * factors[path]
		if k.Integer {
			to = math.Round(to)
		}
		if err := out.set(path, max(to, k.Least)); err != nil {
			errs = append(errs, err)
		}
	}
	if len(errs) > 0 {
		return Model{}, errors.Join(errs...)
	}
	return out, nil
}

// Parameter returns the parameter with the given name.
func (m *Model) Parameter(name string) (Parameter, bool) {
	for _, p := range m.Parameters {
		if p.Name == name {
			return p, true
		}
	}
	return Parameter{}, false
}

// ParameterNames returns the names of the parameters in their order.
func (m *Model) ParameterNames() []string {
	names := make([]string, len(m.Parameters))
	for i, p := range m.Parameters {
		names[i] = p.Name
	}
	return names
}

// Defaults returns the configuration of the representative run: every
// parameter at its default.
func (m *Model) Defaults() map[string]float64 {
	settings := make(map[string]float64, len(m.Parameters))
	for _, p := range m.Parameters {
		settings[p.Name] = p.Default
	}
	return settings
}

// Extrapolations returns a warning for every parameter outside the values that
// the measuring run supports, whether it is set or a number that it sets is.
func (m *Model) Extrapolations(settings map[string]float64) []string {
	var warnings []string
	values := maps.Clone(m.Resolved(settings))
	for _, path := range sortedKeys(settings) {
		if p, t, ok := m.Driver(path); ok {
			if x, ok := t.Solve(settings[path]); ok {
				values[p.Name] = x
			}
		}
	}
	for _, p := range m.Parameters {
		v, ok := values[p.Name]
		known := p.SupportedMin != 0 || p.SupportedMax != 0
		if ok && known && (v < p.SupportedMin || v > p.SupportedMax) {
			warnings = append(warnings, fmt.Sprintf("%s = %g is an extrapolation: the measuring run supports %g…%g",
				p.Name, v, p.SupportedMin, p.SupportedMax))
		}
	}
	return warnings
}

// SizesPools reports whether a parameter says how many threads pools have, and not how many cores there are.
func (p Parameter) SizesPools() bool {
	sizes := false
	for _, t := range p.Targets {
		if t.Path == "cpu/cores" {
			return false
		}
		sizes = sizes || strings.HasPrefix(t.Path, "pools/") && strings.HasSuffix(t.Path, "/size")
	}
	return sizes
}

// LimitsThreads reports whether a parameter says how many may have been let in at once: by a semaphore, or by room in a queue
// or channel.
func (p Parameter) LimitsThreads() bool {
	return slices.ContainsFunc(p.Targets, func(t Target) bool {
		kind, rest, _ := strings.Cut(t.Path, "/")
		return kind == "locks" && (strings.HasSuffix(rest, "/permits") || strings.HasSuffix(rest, "/capacity")) || kind == "queues" && strings.HasSuffix(rest, "/capacity")
	})
}

// check says whether a configuration may give the parameter the value v.
func (p Parameter) check(v float64) error {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return fmt.Errorf("parameter %q: %v is not a finite number", p.Name, v)
	case v < p.Min || v > p.Max:
		return fmt.Errorf("parameter %q: %g is outside %g…%g", p.Name, v, p.Min, p.Max)
	case p.Integer && v != math.Trunc(v):
		return fmt.Errorf("parameter %q: %g is not a whole number", p.Name, v)
	}
	return nil
}

// Apply returns what the target becomes when the parameter is v: Factor·v^Power + Offset.
func (t Target) Apply(v float64) float64 {
	return orOne(t.Factor)*math.Pow(v, orOne(t.Power)) + t.Offset
}

// clone copies what set may change: the slices of elements, not what their
// distributions point to.
func (m Model) clone() Model {
	m = m.elements()
	m.ownFragments()
	return m
}

// elements is clone of all but the fragments of the graphs.
func (m Model) elements() Model {
	m.Classes = slices.Clone(m.Classes)
	m.Sources = slices.Clone(m.Sources)
	m.Queues = slices.Clone(m.Queues)
	m.Pools = slices.Clone(m.Pools)
	m.Disks = slices.Clone(m.Disks)
	m.Caches = slices.Clone(m.Caches)
	m.Locks = slices.Clone(m.Locks)
	m.Background = slices.Clone(m.Background)
	m.Graphs = slices.Clone(m.Graphs)
	return m
}

// ownFragments is the rest of clone.
func (m *Model) ownFragments() {
	for i := range m.Graphs {
		m.Graphs[i].Fragments = slices.Clone(m.Graphs[i].Fragments)
	}
}

// inGraph reports whether a path is that of a number of a graph.
func inGraph(path string) bool { return strings.HasPrefix(path, "graphs/") }

// set changes one number of m in place.
func (m *Model) set(path string, v float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("%s: %v is not a finite number", path, v)
	}
	for k, assign := range m.settable(path) {
		if k.Path != path {
			continue
		}
		if v < k.Least {
			if k.Least == tiny {
				return fmt.Errorf("%s: %g is too small; give a number > 0", path, v)
			}
			return fmt.Errorf("%s: %g is too small; the least is %g", path, v, k.Least)
		}
		if most := k.most(); v > most {
			return fmt.Errorf("%s: %g is too large; the most is %g", path, v, most)
		}
		assign(v)
		return nil
	}
	return &UnknownSettingError{Name: path, Hint: m.hint(path)}
}

// most is the largest value that a configuration may set.
func (k Knob) most() float64 {
	switch {
	case k.Most > 0:
		return k.Most
	case k.Integer:
		return math.MaxInt32
	default:
		return math.MaxFloat64
	}
}

// knobs yields the knobs whose path may be path; all when path is "".
func (m *Model) knobs(path string) iter.Seq[Knob] {
	return func(yield func(Knob) bool) {
		for k := range m.settable(path) {
			if !yield(k) {
				return
			}
		}
	}
}

// canonical replaces aliases at the end of a path: "sources/c/rate".
func (m *Model) canonical(path string) string {
	head, last, found := cutLast(path)
	if !found {
		return path
	}
	if strings.HasPrefix(path, "sources/") {
		for _, f := range sourceFields {
			if f.alias != "" && f.alias == last {
				return head + "/" + f.name
			}
		}
	}
	return path
}

func cutLast(path string) (head, last string, found bool) {
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return "", path, false
	}
	return path[:i], path[i+1:], true
}

// settable yields every knob whose path may be path ("": all) with the
// function that assigns it.
func (m *Model) settable(path string) iter.Seq2[Knob, func(float64)] {
	return func(yield func(Knob, func(float64)) bool) {
		_ = visit("cpu/", path, cpuFields, &m.CPU, yield) &&
			visitAll("classes/", path, classFields, m.Classes, func(c *Class) string { return c.ID }, yield) &&
			visitAll("sources/", path, sourceFields, m.Sources, func(s *Source) string { return s.ID }, yield) &&
			visitAll("queues/", path, queueFields, m.Queues, func(q *Queue) string { return q.ID }, yield) &&
			visitAll("pools/", path, poolFields, m.Pools, func(p *Pool) string { return p.ID }, yield) &&
			visitAll("disks/", path, diskFields, m.Disks, func(d *Disk) string { return d.ID }, yield) &&
			visitAll("caches/", path, cacheFields, m.Caches, func(c *Cache) string { return c.ID }, yield) &&
			visitAll("locks/", path, lockFields, m.Locks, func(l *Lock) string { return l.ID }, yield) &&
			visitAll("background/", path, backgroundFields, m.Background, func(b *Background) string { return b.ID }, yield) &&
			m.visitGraphs(path, yield)
	}
}

func (m *Model) visitGraphs(path string, yield func(Knob, func(float64)) bool) bool {
	if path != "" && !strings.HasPrefix(path, "graphs/") {
		return true
	}
	transition := strings.HasSuffix(path, "/"+edgeFields[0].name) // never listed: there are too many
	for i := range m.Graphs {
		g := &m.Graphs[i]
		prefix := "graphs/" + g.ID + "/"
		if path != "" && !strings.HasPrefix(path, prefix) {
			continue
		}
		if !visit(prefix, path, groupFields, &fragmentGroup{fragments: g.Fragments, all: true}, yield) {
			return false
		}
		seen := map[string]bool{"": true}
		for _, f := range g.Fragments {
			if !seen[f.Group] {
				seen[f.Group] = true
				group := &fragmentGroup{fragments: g.Fragments, name: f.Group}
				if !visit(prefix+"groups/"+f.Group+"/", path, groupFields, group, yield) {
					return false
				}
			}
		}
		if !visitAll(prefix+"fragments/", path, fragmentFields, g.Fragments, func(f *Fragment) string { return f.ID }, yield) {
			return false
		}
		for k := range g.Fragments {
			f := &g.Fragments[k]
			for j := range f.Next {
				if transition && f.Drawn() && !visit(prefix+"fragments/"+f.ID+"/next/"+f.Next[j].To+"/", path, edgeFields, &transitionOf{f, j}, yield) {
					return false
				}
			}
		}
	}
	return true
}

// fragmentGroup is all fragments of a graph, or those with one Group.
type fragmentGroup struct {
	fragments []Fragment
	name      string
	all       bool
}

// groupFields: the scale of a group multiplies the scales of its fragments; in
// the model itself it is therefore 1.
var groupFields = []field[fragmentGroup]{
	{name: "scale", least: tiny,
		get: func(*fragmentGroup) float64 { return 1 },
		set: func(g *fragmentGroup, by float64) {
			for i := range g.fragments {
				f := &g.fragments[i]
				if scale := fragmentFields[0]; (g.all || f.Group == g.name) && scale.applies(f) {
					scale.set(f, scale.get(f)*by)
				}
			}
		}},
}

func visitAll[T any](kind, path string, fields []field[T], elements []T, id func(*T) string, yield func(Knob, func(float64)) bool) bool {
	if path != "" && !strings.HasPrefix(path, kind) {
		return true
	}
	for i := range elements {
		if !visit(kind+id(&elements[i])+"/", path, fields, &elements[i], yield) {
			return false
		}
	}
	return true
}

func visit[T any](prefix, path string, fields []field[T], element *T, yield func(Knob, func(float64)) bool) bool {
	if path != "" && !strings.HasPrefix(path, prefix) {
		return true
	}
	for _, f := range fields {
		if f.applies != nil && !f.applies(element) {
			continue
		}
		if !yield(f.knob(prefix, element), func(v float64) { f.set(element, v) }) {
			return false
		}
	}
	return true
}
