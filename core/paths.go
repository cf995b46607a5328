package core

import (
	"fmt"
	"math"
	"strings"
)

// Knob is one number of a model that a configuration can set: its path, its
// present value and what values make sense.
//
// A path is kind/id/field, for example
//
//	cpu/cores                            pools/worker/size
//	sources/clients/rate_per_s           queues/tasks/capacity
//	locks/L3/permits                     disks/sda/speed
//	graphs/worker/fragments/parse/scale  graphs/worker/groups/render/scale
//
// Model.Knobs lists all of them. Identifiers may contain slashes.
type Knob struct {
	Path    string
	Value   float64
	Unit    string
	Integer bool
	Least   float64 // smallest value that With accepts
	Most    float64 // largest value; 0: no limit
}

// field is one settable number of an element of type T.
type field[T any] struct {
	name    string
	alias   string // another name that a path may use
	unit    string
	integer bool
	least   float64
	most    float64 // 0: no limit
	get     func(*T) float64
	set     func(*T, float64)
	// applies says whether the element has the field at all; nil: always.
	applies func(*T) bool
}

func (f field[T]) knob(prefix string, element *T) Knob {
	return Knob{Path: prefix + f.name, Value: f.get(element), Unit: f.unit, Integer: f.integer, Least: f.least, Most: f.most}
}

// orOne reads an omitted factor: 0 means 1.
func orOne(v float64) float64 {
	if v == 0 {
		return 1
	}
	return v
}

// tiny is the least scale, speed or rate that a configuration may set: 0 would
// mean "not given" to the document.
const tiny = 1e-12

// ofMean sets the expectation of a duration that is drawn from a distribution
// and keeps its shape; one that was not given or always 0 becomes constant.
func ofMean(d *Distribution, mean float64) {
	if old := d.Expectation(); old > 0 && !math.IsInf(old, 1) && mean > 0 {
		*d = d.Scaled(mean / old)
		return
	}
	*d = Const(mean)
}

var cpuFields = []field[CPU]{
	{name: "cores", unit: "cores", integer: true, least: 1, most: MostCores,
		get: func(c *CPU) float64 { return float64(c.Cores) },
		set: func(c *CPU, v float64) {
			c.Cores = int(v)
			for n := len(c.Speed); n > 0 && len(c.Speed) < c.Cores; { // new cores are like the last one
				c.Speed = append(c.Speed[:len(c.Speed):len(c.Speed)], c.Speed[n-1])
			}
		}},
	{name: "speed", least: tiny, // of all cores
		get: func(c *CPU) float64 { return c.meanSpeed() },
		set: func(c *CPU, v float64) {
			c.Speed = make([]float64, c.Cores)
			for i := range c.Speed {
				c.Speed[i] = v
			}
		}},
	{name: "switch_s", unit: "s",
		get: func(c *CPU) float64 { return c.Switch },
		set: func(c *CPU, v float64) { c.Switch = v }},
	{name: "spin_s", unit: "s",
		get: func(c *CPU) float64 { return c.Spin },
		set: func(c *CPU, v float64) { c.Spin = v }},
	{name: "quantum_s", unit: "s", least: tiny,
		applies: func(c *CPU) bool { return !c.Quantum.IsZero() },
		get:     func(c *CPU) float64 { return c.Quantum.Expectation() },
		set:     func(c *CPU, v float64) { ofMean(&c.Quantum, v) }},
}

// Faster returns the CPU with the speed of each core multiplied by a factor.
func (c CPU) Faster(factor float64) CPU {
	speeds := make([]float64, c.Cores)
	for i := range speeds {
		speeds[i] = factor
		if i < len(c.Speed) {
			speeds[i] *= orOne(c.Speed[i])
		}
	}
	c.Speed = speeds
	return c
}

// meanSpeed is the mean speed of the cores, relative to 1.
func (c *CPU) meanSpeed() float64 {
	given := c.Speed[:min(len(c.Speed), max(c.Cores, 0))]
	if len(given) == 0 {
		return 1
	}
	sum := float64(c.Cores - len(given))
	for _, v := range given {
		sum += orOne(v)
	}
	return sum / float64(c.Cores)
}

var classFields = []field[Class]{
	{name: "priority", integer: true, least: -1000,
		get: func(c *Class) float64 { return float64(c.Priority) },
		set: func(c *Class, v float64) { c.Priority = int(v) }},
}

var sourceFields = []field[Source]{
	{name: "rate_per_s", alias: "rate", unit: "1/s", least: tiny,
		applies: func(s *Source) bool { return s.Kind != Closed && s.Kind != Batch },
		get:     func(s *Source) float64 { return s.MeanRate() },
		set:     func(s *Source, v float64) { s.Rate = v }},
	{name: "population", unit: "users", integer: true, least: 1, most: MostUsers,
		applies: func(s *Source) bool { return s.Kind == Closed },
		get:     func(s *Source) float64 { return float64(s.Population) },
		set:     func(s *Source, v float64) { s.Population = int(v) }},
	{name: "think_s", alias: "think", unit: "s",
		applies: func(s *Source) bool { return s.Kind == Closed },
		get:     func(s *Source) float64 { return s.Think.Expectation() },
		set:     func(s *Source, v float64) { ofMean(&s.Think, v) }},
	{name: "away_s", alias: "away", unit: "s",
		applies: func(s *Source) bool { return s.Away > 0 },
		get:     func(s *Source) float64 { return s.Away },
		set:     func(s *Source, v float64) { s.Away = v }},
	{name: "count", unit: "tasks", integer: true, least: 1,
		applies: func(s *Source) bool { return s.Count > 0 },
		get:     func(s *Source) float64 { return float64(s.Count) },
		set:     func(s *Source, v float64) { s.Count = int(v) }},
}

// MeanRate returns the long-run rate of an open source in arrivals per second,
// whether it is given or follows from the interarrival law or the replayed
// times; 0 for a closed source or a batch. Tasks per second are MeanRate times
// the expected group size.
func (s *Source) MeanRate() float64 {
	switch {
	case s.Kind == Closed || s.Kind == Batch:
		return 0
	case s.Rate > 0:
		return s.Rate
	case s.Kind == Renewal && s.Interarrival.Expectation() > 0:
		return 1 / s.Interarrival.Expectation()
	case s.Kind == Replay && len(s.Times) > 0 && s.Times[len(s.Times)-1] > 0:
		return float64(len(s.Times)) / s.Times[len(s.Times)-1]
	}
	return 0
}

var queueFields = []field[Queue]{
	{name: "capacity", unit: "tasks", integer: true, least: Unbounded,
		get: func(q *Queue) float64 { return float64(q.Capacity) },
		set: func(q *Queue, v float64) { q.Capacity = int(v) }},
	{name: "full_timeout_s", unit: "s", least: tiny,
		applies: func(q *Queue) bool { return q.WhenFull == Timeout },
		get:     func(q *Queue) float64 { return q.FullTimeout },
		set:     func(q *Queue, v float64) { q.FullTimeout = v }},
	{name: "patience_s", unit: "s",
		applies: func(q *Queue) bool { return !q.Patience.IsZero() },
		get:     func(q *Queue) float64 { return q.Patience.Expectation() },
		set:     func(q *Queue, v float64) { ofMean(&q.Patience, v) }},
}

// size is how many threads a pool has, of which kinds need so many at least.
func size(least float64, of func(*Pool) bool) field[Pool] {
	return field[Pool]{name: "size", unit: "threads", integer: true, least: least, most: MostThreads, applies: of,
		get: func(p *Pool) float64 { return float64(p.Size) },
		set: func(p *Pool, v float64) { p.Size = int(v) }}
}

var poolFields = []field[Pool]{
	size(1, func(p *Pool) bool { return p.Kind == "" || p.Kind == FixedPool }),
	size(0, func(p *Pool) bool { return p.Kind == SpawnPool }),
	{name: "limit", unit: "threads", integer: true,
		applies: func(p *Pool) bool { return p.Kind == SpawnPool || p.Kind == TaskPool },
		get:     func(p *Pool) float64 { return float64(p.Limit) },
		set:     func(p *Pool, v float64) { p.Limit = int(v) }},
	{name: "weight",
		least: tiny,
		get:   func(p *Pool) float64 { return orOne(p.Weight) },
		set:   func(p *Pool, v float64) { p.Weight = v }},
}

var fragmentFields = []field[Fragment]{
	{name: "scale", least: tiny,
		applies: func(f *Fragment) bool {
			return f.Class == CPUFragment || f.Class == IOFragment || f.Class == DelayFragment
		},
		get: func(f *Fragment) float64 { return orOne(f.Scale) },
		set: func(f *Fragment, v float64) { f.Scale = v }},
	{name: "timeout_s", unit: "s",
		applies: func(f *Fragment) bool { t := f.TimeoutOf(); return t != nil && !t.IsZero() },
		get:     func(f *Fragment) float64 { return f.TimeoutOf().Expectation() },
		set: func(f *Fragment, v float64) {
			switch { // the parameter is shared with the model that this one was made from
			case f.Sync != nil:
				s := *f.Sync
				f.Sync = &s
			case f.In != nil:
				in := *f.In
				f.In = &in
			case f.Out != nil:
				out := *f.Out
				f.Out = &out
			case f.Join != nil:
				j := *f.Join
				f.Join = &j
			}
			ofMean(f.TimeoutOf(), v)
		}},
	{name: "permits", unit: "permits", integer: true, least: 1,
		applies: func(f *Fragment) bool { return f.Sync != nil && f.Sync.N > 0 && f.Sync.Op == Enter },
		get:     syncCount, set: setSyncCount},
	{name: "delta", unit: "arrivals", integer: true, least: 1,
		applies: func(f *Fragment) bool { return f.Sync != nil && f.Sync.N > 0 && f.Sync.Op == Add },
		get:     syncCount, set: setSyncCount},
	{name: "iterations",
		applies: func(f *Fragment) bool { return f.Loop != nil && !f.Loop.Gathered }, // the tasks say how often that one goes round
		get:     func(f *Fragment) float64 { return f.Loop.Count.Expectation() },
		set: func(f *Fragment, v float64) {
			l := *f.Loop
			ofMean(&l.Count, v)
			f.Loop = &l
		}},
}

// syncCount is how many permits or arrivals a synchronization is of.
func syncCount(f *Fragment) float64 { return float64(f.Sync.N) }

func setSyncCount(f *Fragment, v float64) {
	s := *f.Sync // shared with the model that this one was made from
	s.N = int(v)
	f.Sync = &s
}

// TimeoutOf returns the fragment's timeout in s, nil when its class has none.
func (f *Fragment) TimeoutOf() *Distribution {
	switch {
	case f.Sync != nil:
		return &f.Sync.Timeout
	case f.In != nil:
		return &f.In.Timeout
	case f.Out != nil:
		return &f.Out.Timeout
	case f.Join != nil:
		return &f.Join.Timeout
	}
	return nil
}

var lockFields = []field[Lock]{
	{name: "permits", unit: "permits", integer: true,
		applies: describedBy("permits"),
		get:     func(l *Lock) float64 { return float64(l.Permits) },
		set:     func(l *Lock, v float64) { l.Permits = int(v) }},
	{name: "parties", unit: "threads", integer: true, least: 1,
		applies: describedBy("parties"),
		get:     func(l *Lock) float64 { return float64(l.Parties) },
		set:     func(l *Lock, v float64) { l.Parties = int(v) }},
	{name: "capacity", unit: "items", integer: true, least: Unbounded,
		applies: describedBy("capacity"),
		get:     func(l *Lock) float64 { return float64(l.Capacity) },
		set:     func(l *Lock, v float64) { l.Capacity = int(v) }},
	{name: "instances", unit: "stripes", integer: true, least: 1, most: MostThreads,
		applies: describedBy("instances"),
		get:     func(l *Lock) float64 { return float64(max(l.Instances, 1)) },
		set: func(l *Lock, v float64) {
			if l.Instances = int(v); len(l.Weights) != l.Instances {
				l.Weights = nil
			}
		}},
	{name: "speed_up", least: tiny,
		applies: describedBy("speed_up"),
		get:     func(l *Lock) float64 { return orOne(l.SpeedUp) },
		set:     func(l *Lock, v float64) { l.SpeedUp = v }},
}

// describedBy asks whether a key describes a lock.
func describedBy(key string) func(*Lock) bool {
	return func(l *Lock) bool { return l.Kind.Has(key) }
}

var diskFields = []field[Disk]{
	{name: "speed", least: tiny,
		get: func(d *Disk) float64 { return orOne(d.Speed) },
		set: func(d *Disk, v float64) { d.Speed = v }},
	{name: "depth", unit: "requests", integer: true, least: 1, most: MostThreads,
		get: func(d *Disk) float64 { return float64(max(d.Depth, 1)) },
		set: func(d *Disk, v float64) { d.Depth = int(v) }},
	{name: "latency", unit: "s",
		get: func(d *Disk) float64 { return d.Latency },
		set: func(d *Disk, v float64) { d.Latency = v }},
	{name: "bandwidth", unit: "B/s", least: tiny,
		applies: func(d *Disk) bool { return d.Bandwidth > 0 },
		get:     func(d *Disk) float64 { return d.Bandwidth },
		set:     func(d *Disk, v float64) { d.Bandwidth = v }},
	{name: "setup", unit: "s",
		get: func(d *Disk) float64 { return d.Setup },
		set: func(d *Disk, v float64) { d.Setup = v }},
}

var backgroundFields = []field[Background]{
	{name: "scale", least: tiny,
		get: func(b *Background) float64 { return orOne(b.Scale) },
		set: func(b *Background, v float64) { b.Scale = v }},
	{name: "threads", unit: "threads", integer: true, least: 1,
		get: func(b *Background) float64 { return float64(max(b.Threads, 1)) },
		set: func(b *Background, v float64) { b.Threads = int(v) }},
	{name: "interval",
		applies: func(b *Background) bool { return b.Trigger != WarmingUp },
		least:   tiny,
		get:     func(b *Background) float64 { return b.Interval.Expectation() },
		set:     func(b *Background, v float64) { ofMean(&b.Interval, v) }},
}

// UnknownSettingError says that a configuration names neither a parameter nor
// a path of the model, and what there is.
type UnknownSettingError struct{ Name, Hint string }

// Error names the setting and the closest ones that exist.
func (e *UnknownSettingError) Error() string {
	return fmt.Sprintf("setting %q is neither a parameter nor a path of the model; %s", e.Name, e.Hint)
}

// Lookup returns the knob at a path. The error of an unknown one says what
// exists.
func (m *Model) Lookup(path string) (Knob, error) {
	path = m.canonical(path)
	for k := range m.knobs(path) {
		if k.Path == path {
			return k, nil
		}
	}
	return Knob{}, &UnknownSettingError{Name: path, Hint: m.hint(path)}
}

// Knobs returns everything that a configuration can set by path, in the order
// of the model.
func (m *Model) Knobs() []Knob {
	var knobs []Knob
	for k := range m.knobs("") {
		knobs = append(knobs, k)
	}
	return knobs
}

// hint says what exists near an unknown path or parameter name.
func (m *Model) hint(name string) string {
	var names []string
	for _, p := range m.Parameters {
		names = append(names, p.Name)
	}
	if strings.Contains(name, "/") {
		kind, _, _ := strings.Cut(name, "/")
		for k := range m.knobs("") {
			if strings.HasPrefix(k.Path, kind+"/") {
				names = append(names, k.Path)
			}
		}
		if len(names) == len(m.Parameters) { // no such kind
			return "paths begin with " + quoteAll(pathKinds)
		}
	}
	if len(names) == 0 {
		return "the model has no parameters; use a path such as \"cpu/cores\""
	}
	return suggest(name, names)
}

var pathKinds = []string{"cpu", "classes", "sources", "queues", "pools", "graphs", "disks", "locks", "background"}
