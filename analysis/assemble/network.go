package assemble

import (
	"fmt"
	"slices"

	"tierscope/analysis/demand"
	"tierscope/analysis/settings"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// classRequest is the class of the tasks that come from outside, or the only
// one.
const classRequest = "task"

// Model puts the three tiers together (§4.4).
func Model(tr *trail.Trail) *core.Model {
	m := &core.Model{Name: tr.Trace.Program}
	classes := classes(tr, m)
	m.Provenance = core.Provenance{Program: tr.Trace.Program, Machine: tr.Trace.Calibration.Machine}
	used := map[*trail.Resource]bool{}
	names := map[*trail.Pool]map[*trail.Vertex]string{} // of fragments
	ends := false
	settings.WeighSemaphores(tr)
	for _, g := range tr.Modelled {
		a := Assembly{G: g, Pcg: tr.Graphs[g], forest: tr.Forests[g], flow: tr.Flows[g], classes: classes, disk: tr.Disk}
		graph := a.Graph()
		names[g] = a.Ids
		m.Graphs = append(m.Graphs, graph)
		m.Pools = append(m.Pools, pool(tr, g))
		r := tr.ReportOf(g)
		r.Nodes, r.Edges = len(graph.Fragments), a.Pcg.Edges()
		for _, v := range a.Pcg.Vertices {
			if v.Lock != nil && !v.IsCPU() && v.Key.From.Class != core.DelayFragment {
				used[v.Lock] = true
				if v.Lock.Monitor != nil {
					used[v.Lock.Monitor] = true
				}
			}
			if c := v.Key.From.CaseLock; c != nil && !v.IsCPU() && !c.Timer {
				used[c] = true
			}
			ends = ends || v.Key.From.Virtual == "done"
		}
	}
	for _, r := range tr.Resources {
		if !used[r] {
			continue
		}
		if r.Task {
			m.Queues = append(m.Queues, core.Queue{ID: r.ID, Capacity: r.Room(), Scope: r.ModelScope(), Origin: origin(r.Place)})
			continue
		}
		m.Locks = append(m.Locks, lock(tr, r))
	}
	if ends || len(m.Queues) > 0 || tr.Source {
		m.Sinks = []core.Sink{{ID: SinkDone}}
	}
	addDisks(tr, m)
	addSource(tr, m)
	addPrefill(tr, m, used)
	m.CPU = cpu(tr)
	m.Background = demand.Background(tr)
	m.Parameters = settings.Parameters(tr, m)
	rename(tr, m, names)
	addWalks(tr, m, names)
	return m
}

// classes gives every queue into which new tasks are sent a class of tasks,
// with statistics of its own, and adds them to the model. Requests from
// outside, and the tasks of a program that has one kind, are of class "task".
func classes(tr *trail.Trail, m *core.Model) map[*trail.Resource]string {
	var queues []*trail.Resource
	for _, g := range tr.Modelled {
		for _, v := range tr.Graphs[g].Vertices {
			n := v.Key.From
			if !v.IsCPU() && n.Class == core.OutFragment && v.Lock != nil && !tr.Flows[g].PassesOn(n) && !slices.Contains(queues, v.Lock) {
				queues = append(queues, v.Lock)
			}
		}
	}
	classes := map[*trail.Resource]string{}
	if tr.Source || len(queues) <= 1 {
		m.Classes = append(m.Classes, core.Class{ID: classRequest})
	}
	for _, q := range queues {
		if !tr.Source && len(queues) == 1 {
			break
		}
		classes[q] = classOf(q.ID)
		m.Classes = append(m.Classes, core.Class{ID: classes[q]})
	}
	return classes
}

// classOf is the class of the new tasks that are sent into a queue.
func classOf(queue string) string { return "in " + queue }

func origin(f trace.Frame) core.Origin {
	return core.Origin{Function: f.Function, File: f.File, Line: f.Line}
}

// pool returns the pool of the model.
func pool(tr *trail.Trail, g *trail.Pool) core.Pool {
	p := core.Pool{ID: g.Name, Graph: g.Name, Size: g.Size(), StandsIn: g.StandsIn(), Origin: origin(g.Place)}
	p.Origin.Note = fmt.Sprintf("%s; threads in the run: %d, at most %d at a time", g.Kind, len(g.Threads), g.MaxAlive)
	switch {
	case g.Kind == trail.PoolPerConnection && tr.Source:
		p.Kind, p.Size, p.From = core.TaskPool, 0, trail.QueueRequests
	case g.Kind == trail.PoolMain:
		p.Kind, p.Size, p.Main = core.FixedPool, 1, !tr.Server
	case tr.IsSpawned(g):
		p.Kind = core.SpawnPool
	default:
		p.Kind = core.FixedPool
	}
	return p
}

// lock returns the lock of a resource with the parameters that its
// constructor, its use or the rules of the run-time system showed.
func lock(tr *trail.Trail, r *trail.Resource) core.Lock {
	l := core.Lock{ID: r.ID, Kind: r.Kind, Scope: r.ModelScope(), Origin: origin(r.Place)}
	n, ws := r.Stripes()
	if n > 1 {
		l.Instances, l.Weights = n, ws
	}
	rules := tr.Trace.Runtime.Locks[r.Kind]
	l.Fairness, l.Preference = rules.Fairness, rules.Preference
	switch {
	case r.Kind.Rationed():
		l.Permits = r.Capacity
		if !r.Gate {
			l.Permits = max(r.Capacity, 1)
		}
	case r.Kind.Has("parties"):
		l.Parties, l.Spin = r.Parties, r.Spin
		if l.Origin.Note = fmt.Sprintf("recognised by its use: %d threads meet at every round", r.Parties); r.Spin > 0 {
			l.Origin.Note = fmt.Sprintf("of a team of OpenMP: who waits looks again and again for %g ms", 1e3*r.Spin)
		}
	case r.Kind.Has("capacity"):
		if l.Capacity = r.Room(); r.Gathered() {
			l.Origin.Note = fmt.Sprintf("%d channels, one for each partner, taken as one", r.Together)
		}
		l.Stream = r.Kind.Has("stream") && r.Streams()
	}
	return l
}

// addDisks adds the disks that fragments use.
func addDisks(tr *trail.Trail, m *core.Model) {
	if tr.Disk == nil {
		return
	}
	for _, d := range tr.Disk.Models {
		used := slices.ContainsFunc(m.Graphs, func(g core.Graph) bool {
			return slices.ContainsFunc(g.Fragments, func(f core.Fragment) bool { return f.IO != nil && f.IO.Disk == d.ID })
		})
		if used {
			m.Disks = append(m.Disks, d)
		}
	}
}

// addSource adds the source of requests and their queue.
func addSource(tr *trail.Trail, m *core.Model) {
	if !tr.Source {
		return
	}
	if !slices.ContainsFunc(m.Queues, func(q core.Queue) bool { return q.ID == trail.QueueRequests }) {
		m.Queues = append(m.Queues, core.Queue{ID: trail.QueueRequests, Capacity: core.Unbounded,
			Origin: core.Origin{Note: "requests that connections deliver"}})
	}
	s := core.Source{ID: "clients", Kind: core.Poisson, Class: classRequest, To: trail.QueueRequests}
	load := tr.Input.Workload.Load
	switch {
	case load != nil && load.Rate == 0 && load.Connections > 0:
		s.Kind, s.Population = core.Closed, load.Connections
		s.Think = core.Distribution{Kind: core.Exponential, Mean: load.Think}
		if load.Think == 0 {
			s.Think = core.Distribution{}
		}
	case load != nil && load.Rate > 0:
		s.Rate = load.Rate
		if load.Constant {
			s.Kind = core.Deterministic
		}
	default:
		s.Rate = requestRate(tr)
	}
	m.Sources = append(m.Sources, s)
}

// requestRate is the rate of requests that the run saw, per second.
func requestRate(tr *trail.Trail) float64 {
	n := 0
	for _, g := range tr.Modelled {
		if g.Kind == trail.PoolPerConnection {
			n += len(g.Sequences)
			continue
		}
		for _, q := range g.Sequences {
			for i := range q.Steps {
				if s := &q.Steps[i]; s.Node.Op == trace.OpAccept && !s.Open && s.Node.Virtual == "" {
					n++
				}
			}
		}
	}
	return float64(n) / (float64(tr.Trace.WorkEnd-tr.Trace.WorkStart) * 1e-9)
}

// addPrefill adds a thread that puts the tokens into channels that were in
// them when the work phase began.
func addPrefill(tr *trail.Trail, m *core.Model, used map[*trail.Resource]bool) {
	g := core.Graph{ID: "startup", Entry: "begin", Fragments: []core.Fragment{{ID: "begin", Class: core.DispatchFragment}}}
	for _, r := range tr.Resources {
		if !used[r] || r.Prefill == 0 || r.Task {
			continue
		}
		last := &g.Fragments[len(g.Fragments)-1]
		loop, send := "loop "+r.ID, "send "+r.ID
		last.Next = []core.Edge{{To: loop, Probability: 1}}
		g.Fragments = append(g.Fragments,
			core.Fragment{ID: send, Class: core.SyncFragment, Sync: &core.Sync{Lock: r.ID, Op: core.Send}, Next: []core.Edge{{To: loop, Probability: 1}}},
			core.Fragment{ID: loop, Class: core.LoopFragment, Loop: &core.Loop{Count: core.Distribution{Kind: core.Constant, Value: float64(r.Prefill)}, Body: send}})
	}
	if len(g.Fragments) == 1 {
		return
	}
	m.Graphs = append(m.Graphs, g)
	m.Pools = append(m.Pools, core.Pool{ID: g.ID, Graph: g.ID, Size: 1, Origin: core.Origin{Note: "tokens from the startup phase"}})
}

// cpu returns the CPU of the measuring run with the calibrated costs of the
// scheduler.
func cpu(tr *trail.Trail) core.CPU {
	c := tr.Trace.Calibration
	cpu := core.CPU{Cores: max(tr.Trace.Cores, 1), Switch: c.Switch, Spin: c.Spin, Policy: tr.Trace.Runtime.Scheduler}
	cpu.BusyFactor = demand.BusyFactor(tr)
	if tr.Cold != nil {
		cold := *tr.Cold
		cold.Work *= tr.Pace
		cold.Search *= tr.Pace
		cpu.Cold = &cold
	}
	if c.Quantum > 0 {
		cpu.Quantum = core.Distribution{Kind: core.Constant, Value: c.Quantum}
	}
	cpu.WakeIdleCore = trail.SecondsOf(slices.Clone(c.WakeIdle))
	if h := c.Halt; len(h.Wake) > 0 {
		cpu.Halt = &core.Halt{After: h.After, Wake: trail.SecondsOf(slices.Clone(h.Wake)), Adapts: h.Adapts}
	}
	cpu.WakeQueued = trail.SecondsOf(slices.Clone(c.WakeQueued))
	cpu.WakeSameCore = trail.SecondsOf(slices.Clone(c.WakeLocal))
	cpu.WakerCost = trail.SecondsOf(slices.Clone(c.WakerCost))
	return cpu
}
