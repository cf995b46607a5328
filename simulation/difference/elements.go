package difference

import (
	"reflect"

	"tierscope/core"
)

// threads is the part of the attribution that added and removed pools, queues,
// sources and sinks are in, and all paths with them.
const threads = "threads and queues"

// attribute is a number that says how an element is made.
type attribute[T any] struct {
	what, unit string
	of         func(*T) float64
}

// network lists what differs in tier 1.
func network(before, after *core.Model) []Change {
	all := elements("sources/", threads, before.Sources, after.Sources, func(s *core.Source) *string { return &s.ID }, []attribute[core.Source]{
		{"arrival rate", "1/s", (*core.Source).MeanRate},
		{"population", "users", func(s *core.Source) float64 { return float64(s.Population) }},
		{"think time", "s", func(s *core.Source) float64 { return s.Think.Expectation() }},
		{"time outside", "s", func(s *core.Source) float64 { return s.Away }},
		{"tasks", "tasks", func(s *core.Source) float64 { return float64(s.Count) }},
	})
	all = append(all, elements("queues/", threads, before.Queues, after.Queues, func(q *core.Queue) *string { q.Origin = core.Origin{}; return &q.ID }, []attribute[core.Queue]{
		{"capacity", "tasks", func(q *core.Queue) float64 { return float64(q.Capacity) }},
	})...)
	all = append(all, elements("sinks/", threads, before.Sinks, after.Sinks, func(s *core.Sink) *string { return &s.ID }, nil)...)
	return append(all, elements("pools/", threads, before.Pools, after.Pools, func(p *core.Pool) *string { p.Origin = core.Origin{}; return &p.ID }, []attribute[core.Pool]{
		{"threads", "threads", func(p *core.Pool) float64 { return float64(p.Size) }},
		{"limit", "threads", func(p *core.Pool) float64 { return float64(p.Limit) }},
	})...)
}

// resources lists what differs in tier 3. A lock that only one model has belongs
// to the paths that take it.
func resources(before, after *core.Model) []Change {
	var all []Change
	cpu := []core.CPU{before.CPU}
	now := []core.CPU{after.CPU}
	all = append(all, elements("cpu", "", cpu, now, func(*core.CPU) *string { return new(string) }, []attribute[core.CPU]{
		{"cores", "cores", func(c *core.CPU) float64 { return float64(c.Cores) }},
		{"context switch", "s", func(c *core.CPU) float64 { return c.Switch }},
		{"wake-up of an idle core", "s", func(c *core.CPU) float64 { return c.WakeIdleCore.Expectation() }},
		{"wake-up for a thread in a queue", "s", func(c *core.CPU) float64 { return c.WakeQueued.Expectation() }},
		{"wake-up of a core that has halted, longer by", "s", func(c *core.CPU) float64 {
			if c.Halt == nil {
				return 0
			}
			return c.Halt.Wake.Expectation()
		}},
		{"slowdown after idleness", "", func(c *core.CPU) float64 {
			if c.Cold == nil {
				return 0
			}
			return c.Cold.Slowdown
		}},
		{"search for work before idleness", "s", func(c *core.CPU) float64 {
			if c.Cold == nil {
				return 0
			}
			return c.Cold.Search
		}},
		{"slowdown after others", "", func(c *core.CPU) float64 {
			if c.Turns == nil {
				return 0
			}
			return c.Turns.Slowdown
		}},
		{"wake-up on the same core", "s", func(c *core.CPU) float64 { return c.WakeSameCore.Expectation() }},
	})...)
	all = append(all, elements("disks/", "", before.Disks, after.Disks, func(d *core.Disk) *string { d.Origin = core.Origin{}; return &d.ID }, []attribute[core.Disk]{
		{"read alone", "s", func(d *core.Disk) float64 { alone, _ := d.ServiceTime(core.RequestType{Type: "read"}); return alone }},
		{"dispatch limit", "requests", func(d *core.Disk) float64 { return float64(max(d.Depth, 1)) }},
		{"latency", "s", func(d *core.Disk) float64 { return d.Latency }},
		{"setup", "s", func(d *core.Disk) float64 { return d.Setup }},
		{"bandwidth", "B/s", func(d *core.Disk) float64 { return d.Bandwidth }},
		{"doorbell of an idle device", "s", func(d *core.Disk) float64 {
			if len(d.Doorbell) == 0 {
				return 0
			}
			return d.Doorbell[0]
		}},
		{"speed", "", func(d *core.Disk) float64 { return d.Speed }},
	})...)
	all = append(all, elements("caches/", "", before.Caches, after.Caches, func(c *core.Cache) *string { c.Origin = core.Origin{}; return &c.ID }, []attribute[core.Cache]{
		{"size", "objects", func(c *core.Cache) float64 { return float64(c.Size) }},
		{"objects that there are", "objects", func(c *core.Cache) float64 { return float64(c.Items) }},
		{"skew", "", func(c *core.Cache) float64 { return c.Skew }},
	})...)
	all = append(all, elements("locks/", "", before.Locks, after.Locks, func(l *core.Lock) *string { l.Origin = core.Origin{}; return &l.ID }, []attribute[core.Lock]{
		{"instances", "locks", func(l *core.Lock) float64 { return float64(max(l.Instances, 1)) }},
		{"permits", "permits", func(l *core.Lock) float64 { return float64(l.Permits) }},
		{"parties", "threads", func(l *core.Lock) float64 { return float64(l.Parties) }},
		{"time of looking again", "s", func(l *core.Lock) float64 { return l.Spin }},
		{"capacity", "tasks", func(l *core.Lock) float64 { return float64(l.Capacity) }},
	})...)
	return append(all, elements("background/", "background work", before.Background, after.Background, func(b *core.Background) *string { b.Origin = core.Origin{}; return &b.ID }, []attribute[core.Background]{
		{"interval", "", func(b *core.Background) float64 { return b.Interval.Expectation() }},
		{"CPU time", "s", func(b *core.Background) float64 { return b.Demand.Expectation()*orOne(b.Scale) + b.Work() }},
		{"slowdown at the start", "", func(b *core.Background) float64 {
			if len(b.Stages) == 0 {
				return 0
			}
			return b.Stages[0].Slowdown
		}},
	})...)
}

func orOne(v float64) float64 {
	if v == 0 {
		return 1
	}
	return v
}

// elements compares the elements of one kind. The identifier is reached through
// id, which also clears what only documents. What is in only one of the models
// belongs to the part whole, what differs in both to a part of its own.
func elements[T any](prefix, whole string, before, after []T, id func(*T) *string, attributes []attribute[T]) []Change {
	var all []Change
	name := func(e T) string { return *id(&e) }
	old := map[string]T{}
	for _, e := range before {
		old[name(e)] = e
	}
	present := map[string]bool{}
	for _, e := range after {
		path := prefix + name(e)
		present[name(e)] = true
		was, both := old[name(e)]
		if !both {
			all = append(all, Change{Kind: Added, Of: path, Significant: Given, Part: whole})
			continue
		}
		id(&was)
		id(&e)
		if reflect.DeepEqual(was, e) {
			continue
		}
		n := len(all)
		for _, a := range attributes {
			if x, y := a.of(&was), a.of(&e); x != y {
				all = append(all, Change{Kind: Changed, Of: path, What: a.what, Unit: a.unit, Old: x, New: y, Significant: Given, Part: path})
			}
		}
		if len(all) == n { // something that is no number
			all = append(all, Change{Kind: Changed, Of: path, What: "settings", Significant: Given, Part: path})
		}
	}
	for _, e := range before {
		if !present[name(e)] {
			all = append(all, Change{Kind: Removed, Of: prefix + name(e), Significant: Given, Part: whole})
		}
	}
	return all
}
