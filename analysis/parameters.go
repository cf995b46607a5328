package analysis

import (
	"fmt"
	"slices"
	"strings"

	"tierscope/core"
)

// parameters finds the knobs that an analyst may turn, with the value of the
// run and how the program is given it: "To start using the model the analyst
// must specify the model's configuration parameters (the numbers of threads
// in the thread pools, intensity of the workload, sizes of the queues, the
// numbers of CPU cores etc)" (Tarvo & Reiss 2014, §4.4).
func (b *build) parameters(m *core.Model) []core.Parameter {
	ps := []core.Parameter{b.coresParameter(m)}
	for _, g := range b.modelled {
		if p, ok := b.poolParameter(m, g); ok {
			ps = append(ps, p)
		}
	}
	for i := range m.Sources {
		ps = append(ps, sourceParameter(&m.Sources[i]))
	}
	for _, q := range m.Queues {
		if q.Capacity > 0 {
			ps = append(ps, capacityParameter("queues/"+q.ID+"/capacity", q.ID, q.Capacity, "tasks"))
		}
	}
	for _, l := range m.Locks {
		if l.Kind == core.Channel && l.Capacity > 1 {
			ps = append(ps, capacityParameter("locks/"+l.ID+"/capacity", l.ID, l.Capacity, "items"))
		}
		if l.Kind == core.Semaphore {
			ps = append(ps, capacityParameter("locks/"+l.ID+"/permits", l.ID, l.Permits, "permits"))
		}
	}
	b.nameByInputs(ps)
	return ps
}

func (b *build) coresParameter(m *core.Model) core.Parameter {
	n := float64(m.CPU.Cores)
	p := core.Parameter{Name: "cores", Unit: "cores", Default: n, Min: 1, Max: 256, Integer: true,
		Targets: []core.Target{{Path: "cpu/cores"}}, SupportedMin: 1, SupportedMax: max(n, float64(b.t.Calibration.Cores)),
		Description: "cores that the program may use"}
	if b.t.Language == "go" {
		p.How = "GOMAXPROCS={value}"
	}
	return p
}

// rangeFactor is how far from the measured value a parameter may be turned
// before a prediction counts as an extrapolation.
const rangeFactor = 8

// poolParameter returns the size of a pool, with everything in the model that
// depends on it.
func (b *build) poolParameter(m *core.Model, g *group) (core.Parameter, bool) {
	if g.kind != GroupFixed || b.isSpawned(g) && !g.burst {
		return core.Parameter{}, false
	}
	n := float64(g.maxAlive)
	p := core.Parameter{Name: g.name + "-threads", Unit: "threads", Default: n, Min: 1, Max: 1024, Integer: true,
		Targets:      []core.Target{{Path: "pools/" + g.name + "/size"}},
		SupportedMin: 1, SupportedMax: n * rangeFactor,
		Description: "threads started at " + shortPlace(g.place)}
	p.Targets = append(p.Targets, b.follows(m, g)...)
	return p, true
}

// follows returns what else changes with the size of pool g: barriers at
// which its threads meet, loops that do something for each of them, and, if
// its work is shared out in equal parts, the work of each thread.
func (b *build) follows(m *core.Model, g *group) []core.Target {
	n := float64(g.maxAlive)
	var ts []core.Target
	for _, r := range b.resources {
		if r.kind == core.Barrier && r.parties >= g.maxAlive && usedBy(r, g) {
			ts = append(ts, core.Target{Path: "locks/" + r.id + "/parties", Offset: float64(r.parties) - n})
		}
	}
	if b.sharesStatically(g) {
		ts = append(ts, b.divides(m, g)...)
	}
	return ts
}

func usedBy(r *resource, g *group) bool {
	for _, u := range r.uses {
		if u.group == g {
			return true
		}
	}
	return false
}

// sharesStatically reports whether each thread of the pool does a fixed part
// of a fixed amount of work, so that more threads have less to do each. A
// pool that takes tasks from a queue shares dynamically: nothing has to
// change.
func (b *build) sharesStatically(g *group) bool {
	if b.opt.Scaling == ScalingWeak {
		return false
	}
	for _, q := range g.seqs {
		for i := range q.steps {
			if q.steps[i].node.fetched() {
				return false
			}
		}
	}
	if b.opt.Scaling == ScalingStrong {
		return true
	}
	b.assumed = append(b.assumed, fmt.Sprintf("pool %s takes no tasks from a queue: a fixed amount of work is assumed to be divided among its threads (--scaling weak: every thread brings its own)", g.name))
	return true
}

// divides returns the targets that share the work of g out: outer loops whose
// rounds the threads go through together stay as they are; other loops make
// fewer iterations, and what is outside of them takes less time.
func (b *build) divides(m *core.Model, g *group) []core.Target {
	n := float64(g.maxAlive)
	inLoop := b.dividedLoops(g)
	var ts []core.Target
	for _, graph := range m.Graphs {
		if graph.ID != g.name {
			continue
		}
		ids := map[string]*vertex{}
		for i, v := range b.graphs[g].vertices {
			ids[graph.Fragments[i].ID] = v
		}
		for i := range graph.Fragments {
			f := &graph.Fragments[i]
			v := ids[f.ID]
			path := "graphs/" + graph.ID + "/fragments/" + f.ID
			switch {
			case f.Class == core.LoopFragment && inLoop[v.key.from.loop] == dividedHere:
				ts = append(ts, core.Target{Path: path + "/iterations", Factor: n, Power: -1})
			case f.Class == core.CPUFragment && !b.inside(v, inLoop):
				ts = append(ts, core.Target{Path: path + "/scale", Factor: n, Power: -1})
			}
		}
	}
	return ts
}

type division int

const (
	undivided   division = iota
	dividedHere          // this loop makes fewer iterations
)

// dividedLoops returns the outermost exact loops of g that do not go round
// together with other threads.
func (b *build) dividedLoops(g *group) map[*loop]division {
	out := map[*loop]division{}
	var visit func(l *loop)
	visit = func(l *loop) {
		lockstep := false
		for n := range l.members {
			switch {
			case n.op == OpBarrier, n.op == OpCondWait, n.op == OpWaitGroup, n.op == OpReceive, n.op == OpSend, n.op == OpSelect:
				lockstep = true
			case n.class == core.SpawnFragment, n.class == core.JoinFragment:
				lockstep = true
			}
		}
		if !lockstep && l.exact {
			out[l] = dividedHere
			return
		}
		for _, in := range l.inner {
			visit(in)
		}
	}
	for _, l := range b.forests[g] {
		visit(l)
	}
	return out
}

// inside reports whether a computation is inside a divided loop.
func (b *build) inside(v *vertex, loops map[*loop]division) bool {
	for l := range loops {
		in := func(n *node) bool { return l.members[n] || n.loop == l || n.of != nil && l.members[n.of] }
		if in(v.key.from) && in(v.key.to) {
			return true
		}
	}
	return false
}

func sourceParameter(s *core.Source) core.Parameter {
	if s.Kind == core.Closed {
		n := float64(s.Population)
		return core.Parameter{Name: "connections", Unit: "users", Default: n, Min: 1, Max: 100000, Integer: true,
			Targets:      []core.Target{{Path: "sources/" + s.ID + "/population"}},
			SupportedMin: 1, SupportedMax: n * rangeFactor, How: "load connections={value}",
			Description: "clients, each with one request at a time"}
	}
	return core.Parameter{Name: "rate", Unit: "1/s", Default: s.Rate, Min: s.Rate / 1000, Max: s.Rate * 1000,
		Targets:      []core.Target{{Path: "sources/" + s.ID + "/rate_per_s"}},
		SupportedMin: s.Rate / rangeFactor, SupportedMax: s.Rate * rangeFactor, How: "load rate={value}",
		Description: "requests per second"}
}

func capacityParameter(path, id string, n int, unit string) core.Parameter {
	name := id[strings.LastIndexByte(id, ' ')+1:] + "-capacity"
	return core.Parameter{Name: name, Unit: unit, Default: float64(n), Min: 0, Max: 1 << 20, Integer: true,
		Targets:      []core.Target{{Path: path}},
		SupportedMin: 1, SupportedMax: float64(n * rangeFactor), Description: "capacity of " + id}
}

// nameByInputs gives a parameter the name of the flag or environment variable
// that the program reads it from.
func (b *build) nameByInputs(ps []core.Parameter) {
	taken := map[string]bool{}
	for i := range ps {
		p := &ps[i]
		if p.How != "" {
			continue
		}
		name, how, note := b.inputFor(p)
		if name == "" || taken[name] {
			continue
		}
		taken[name] = true
		p.Name, p.How = name, how
		if note != "" {
			b.assumed = append(b.assumed, note)
		}
	}
	used := map[string]int{}
	for i := range ps {
		used[ps[i].Name]++
		if n := used[ps[i].Name]; n > 1 {
			ps[i].Name = fmt.Sprintf("%s-%d", ps[i].Name, n)
		}
	}
}

// inputFor finds the program argument that sets p: the flag of which the scan
// found that it bounds the loop around the go statement, or else the only
// argument with the same value.
func (b *build) inputFor(p *core.Parameter) (name, how, note string) {
	flags := flagValues(b.in.Workload.Args)
	var same []string
	for f, v := range flags {
		if v == fmt.Sprintf("%g", p.Default) {
			same = append(same, f)
		}
	}
	slices.Sort(same)
	if len(same) != 1 {
		return "", "", ""
	}
	f := same[0]
	return strings.TrimLeft(f, "-"), f + " {value}",
		fmt.Sprintf("%s is taken to set %s, because both are %g", f, p.Description, p.Default)
}

// flagValues returns the flags among the arguments with their values.
func flagValues(args []string) map[string]string {
	vs := map[string]string{}
	for i, a := range args {
		if !strings.HasPrefix(a, "-") {
			continue
		}
		if f, v, ok := strings.Cut(a, "="); ok {
			vs[f] = v
		} else if i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
			vs[a] = args[i+1]
		}
	}
	return vs
}
