package inspector

import (
	"fmt"
	"strings"

	"tierscope/core"
	"tierscope/core/quantity"
	"tierscope/gui/diagram"
)

// element is what the pane says about an element of the model.
type element struct {
	title, class     string
	facts            *facts
	laws             []law
	observed, origin *facts
	note, open       string
}

// law is a distribution with its name and unit.
type law struct {
	name, unit string
	law        core.Distribution
}

// describe finds an element by its path.
func describe(m *core.Model, path string) (element, bool) {
	e := element{facts: newFacts(), observed: newFacts(), origin: newFacts()}
	kind, id, _ := strings.Cut(path, "/")
	switch kind {
	case "cpu":
		e.cpu(&m.CPU)
		return e, true
	case "sources":
		for i := range m.Sources {
			if m.Sources[i].ID == id {
				e.source(&m.Sources[i])
				return e, true
			}
		}
	case "queues":
		for i := range m.Queues {
			if m.Queues[i].ID == id {
				e.queue(&m.Queues[i])
				return e, true
			}
		}
	case "pools":
		for i := range m.Pools {
			if m.Pools[i].ID == id {
				e.pool(m, &m.Pools[i])
				return e, true
			}
		}
	case "sinks":
		e.title, e.class = id, "sink"
		e.facts.add("Records", "the response time of every task that arrives")
		return e, true
	case "disks":
		for i := range m.Disks {
			if m.Disks[i].ID == id {
				e.disk(&m.Disks[i])
				return e, true
			}
		}
	case "locks":
		for i := range m.Locks {
			if m.Locks[i].ID == id {
				e.lock(m, &m.Locks[i])
				return e, true
			}
		}
	case "background":
		for i := range m.Background {
			if b := &m.Background[i]; b.ID == id {
				e.title, e.class = id, "background work"
				e.facts.add("Started by", string(b.Trigger))
				if len(b.Stages) > 0 {
					e.facts.add("Compile work", quantity.Format(b.Work(), "s"))
					e.facts.add("Program slower at the start by", quantity.Share(b.Stages[0].Slowdown))
				} else {
					e.laws = []law{{"CPU time of one unit", "s", b.Demand}}
				}
				e.from(b.Origin)
				return e, true
			}
		}
	case "graphs":
		graph, fragment, _ := strings.Cut(id, "/fragments/")
		for i := range m.Graphs {
			if m.Graphs[i].ID == graph {
				if f := m.Graphs[i].Fragment(fragment); f != nil {
					e.fragment(&m.Graphs[i], f)
					return e, true
				}
			}
		}
	}
	return e, false
}

func (e *element) from(o core.Origin) {
	e.origin.add("Function", o.Function)
	if o.File != "" {
		e.origin.add("File", fmt.Sprintf("%s:%d", o.File, o.Line))
	}
	e.note = o.Note
}

func (e *element) cpu(c *core.CPU) {
	e.title, e.class = "CPU", "processor and thread scheduler"
	e.facts.add("Cores", quantity.Count(int64(c.Cores)))
	policy := c.Policy
	if policy == "" {
		policy = core.EEVDF
	}
	e.facts.add("Scheduler", string(policy))
	if c.Switch > 0 {
		e.facts.add("Context switch", quantity.Format(c.Switch, "s"))
	}
	if halt := c.Halt; halt != nil {
		e.facts.add("An idle core halts after", quantity.Format(halt.After, "s"))
	}
	if cold := c.Cold; cold != nil {
		if cold.Slowdown > 0 {
			e.facts.add("After idleness slower by", quantity.Share(cold.Slowdown))
			e.facts.add("until so much work is done", quantity.Format(cold.Work, "s"))
		}
		if cold.Search > 0 {
			e.facts.add("Searches for work before idleness", quantity.Format(cold.Search, "s"))
		}
	}
	if turns := c.Turns; turns != nil {
		e.facts.add("At a turn, after others, slower by", quantity.Share(turns.Slowdown))
		e.facts.add("for the first", quantity.Format(turns.Work, "s"))
	}
	e.laws = []law{{"Wake-up of an idle core", "s", c.WakeIdleCore}}
	if c.Halt != nil {
		e.laws = append(e.laws, law{"Longer if it has halted", "s", c.Halt.Wake})
	}
	if !c.WakeQueued.IsZero() {
		e.laws = append(e.laws, law{"Wake-up for a thread in a queue", "s", c.WakeQueued})
	}
}

func (e *element) source(s *core.Source) {
	e.title, e.class = s.ID, "source, "+string(s.Kind)
	if s.Kind == core.Closed {
		e.facts.add("Users", quantity.Count(int64(s.Population)))
	} else if s.Kind != core.Batch {
		e.facts.add("Rate", quantity.Format(s.MeanRate(), "1/s"))
	}
	if s.Count > 0 {
		e.facts.add("Tasks", quantity.Count(int64(s.Count)))
	}
	if s.Away > 0 {
		e.facts.add("Time outside", quantity.Format(s.Away, "s"))
	}
	e.facts.add("Sends to", s.To)
	e.laws = []law{{"Time between arrivals", "s", s.Interarrival}, {"Think time", "s", s.Think}}
}

func (e *element) queue(q *core.Queue) {
	e.title, e.class = q.ID, "task queue"
	if q.Capacity == core.Unbounded {
		e.facts.add("Capacity", "unbounded")
	} else {
		e.facts.add("Capacity", quantity.Count(int64(q.Capacity)))
	}
	order := q.Discipline
	if order == "" {
		order = core.FIFO
	}
	full := q.WhenFull
	if full == "" {
		full = core.Block
	}
	e.facts.add("Order", string(order))
	e.facts.add("When full", string(full))
	e.laws = []law{{"Patience", "s", q.Patience}}
	e.from(q.Origin)
}

func (e *element) pool(m *core.Model, p *core.Pool) {
	e.title, e.class = p.ID, "thread pool"
	kind := p.Kind
	if kind == "" {
		kind = core.FixedPool
	}
	e.facts.add("Kind", string(kind))
	if p.Size > 0 {
		e.facts.add("Threads", quantity.Count(int64(p.Size)))
	}
	if p.Limit > 0 {
		e.facts.add("At most", quantity.Count(int64(p.Limit)))
	}
	if p.StandsIn {
		e.facts.add("Stands in", "for what threads of the program do by turns")
	}
	for _, g := range m.Graphs {
		if g.ID == p.Graph {
			e.facts.add("Call graph", fmt.Sprintf("%s, %d fragments", g.ID, len(g.Fragments)))
		}
	}
	e.open = "tier2/" + p.ID
	e.from(p.Origin)
}

func (e *element) disk(d *core.Disk) {
	e.title, e.class = d.ID, "disk"
	order := d.Order
	if order == "" {
		order = core.DiskFIFO
	}
	e.facts.add("Order", string(order))
	e.facts.add("Dispatch limit", quantity.Count(int64(max(d.Depth, 1))))
	if d.Latency > 0 {
		e.facts.add("Latency beside the service", quantity.Format(d.Latency, "s"))
	}
	if d.Setup > 0 {
		e.facts.add("Setup of an idle device", quantity.Format(d.Setup, "s"))
	}
	if d.Sleep.Wake > 0 {
		e.facts.add("More after idleness of "+quantity.Format(d.Sleep.After, "s"), quantity.Format(d.Sleep.Wake, "s"))
	}
	if d.Delivery == core.DeliverIdle {
		e.facts.add("Told complete", "together, when none is left to serve")
	}
	if len(d.Doorbell) > 0 {
		e.facts.add("CPU time to tell an idle device", quantity.Format(d.Doorbell[0], "s"))
	}
	for _, s := range d.Service {
		name := "Service time"
		if s.Type != "" {
			name += " of " + s.Type
		}
		for k, r := range s.Rows {
			if k == 0 {
				e.laws = append(e.laws, law{fmt.Sprintf("%s (x = %d)", name, r.X), "s", r.Time})
				continue
			}
			e.facts.add(fmt.Sprintf("%s, x = %d", name, r.X), quantity.Format(r.Time.Expectation(), "s"))
		}
	}
	e.from(d.Origin)
}

func (e *element) lock(m *core.Model, l *core.Lock) {
	e.title, e.class = l.ID, string(l.Kind)
	e.facts.add("Fairness", string(l.Fairness))
	e.facts.add("Rule", string(l.Preference))
	if l.Permits > 0 {
		e.facts.add("Permits", quantity.Count(int64(l.Permits)))
	}
	if l.Parties > 0 {
		e.facts.add("Parties", quantity.Count(int64(l.Parties)))
	}
	if l.Spin > 0 {
		e.facts.add("Looks again for", quantity.Format(l.Spin, "s"))
	}
	if l.Instances > 1 {
		e.facts.add("Stripes", quantity.Count(int64(l.Instances)))
	}
	var users []string
	for _, g := range m.Graphs {
		for i := range g.Fragments {
			if s := g.Fragments[i].Sync; s != nil && s.Lock == l.ID {
				users = append(users, g.ID+" "+g.Fragments[i].ID)
			}
		}
	}
	const most = 6
	if len(users) > most {
		users = append(users[:most], fmt.Sprintf("and %d more", len(users)-most))
	}
	e.facts.add("Used by", strings.Join(users, ", "))
	e.from(l.Origin)
}

func (e *element) fragment(g *core.Graph, f *core.Fragment) {
	e.title, e.class = diagram.FragmentTitle(f), string(f.Class)+" fragment of "+g.ID
	e.facts.add("Costs", diagram.FragmentDetail(f))
	for i := range g.Fragments {
		if g.Fragments[i].ID == f.ID {
			v := g.Visits()
			e.facts.add("Executed", quantity.Digits(v.Count[i], 3)+" times per "+string(v.Unit))
		}
	}
	var next []string
	for _, s := range g.Successors(f) {
		to := s.To
		if t := g.Fragment(s.To); t != nil {
			to = diagram.FragmentTitle(t)
		}
		next = append(next, fmt.Sprintf("%s (%s)", to, quantity.Digits(s.Probability, 2)))
	}
	e.facts.add("Leads to", strings.Join(next, ", "))
	e.facts.add("Reported with", f.Group)
	e.facts.add("Called from", strings.Join(f.Context, "\n"))
	e.laws = []law{{"CPU time per execution", "s", f.Demand}, {"Delay", "s", f.Delay}}
	if f.IO != nil {
		for _, r := range f.IO.Requests {
			name := "Requests of type " + r.Type
			if r.InTurn {
				name += ", in turn"
			}
			e.laws = append(e.laws, law{name, "", r.Count})
		}
	}
	if f.Loop != nil {
		e.laws = append(e.laws, law{"Iterations", "", f.Loop.Count})
	}
	o := f.Observed
	if o.Count > 0 {
		e.observed.add("Executions", quantity.Count(o.Count))
	}
	if o.MeanWall > 0 {
		e.observed.add("Wall clock", quantity.Format(o.MeanWall, "s"))
	}
	if o.MeanCPU > 0 {
		e.observed.add("CPU", quantity.Format(o.MeanCPU, "s"))
	}
	e.observed.add("By", o.Source)
	e.from(f.Origin)
}
