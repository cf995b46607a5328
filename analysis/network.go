package analysis

import (
	"fmt"
	"slices"

	"tierscope/core"
)

// classRequest is the class of the tasks that come from outside, or the only
// one.
const classRequest = "task"

// model puts the three tiers together (§4.4).
func (b *build) model() *core.Model {
	m := &core.Model{Name: b.t.Program}
	classes := b.classes(m)
	m.Provenance = core.Provenance{Program: b.t.Program, Machine: b.t.Calibration.Machine}
	used := map[*resource]bool{}
	ends := false
	b.weighSemaphores()
	for _, g := range b.modelled {
		a := assembly{g: g, pcg: b.graphs[g], flow: b.flows[g], classes: classes, disk: b.disk}
		graph := a.graph()
		m.Graphs = append(m.Graphs, graph)
		m.Pools = append(m.Pools, b.pool(g))
		r := b.reportOf(g)
		r.Nodes, r.Edges = len(graph.Fragments), a.pcg.edges()
		for _, v := range a.pcg.vertices {
			if v.lock != nil && !v.isCPU() && v.key.from.class != core.DelayFragment {
				used[v.lock] = true
				if v.lock.monitor != nil {
					used[v.lock.monitor] = true
				}
			}
			if c := v.key.from.caseLock; c != nil && !v.isCPU() && !c.timer {
				used[c] = true
			}
			ends = ends || v.key.from.virtual == "done"
		}
	}
	for _, r := range b.resources {
		if !used[r] {
			continue
		}
		if r.task {
			m.Queues = append(m.Queues, core.Queue{ID: r.id, Capacity: r.room(), Scope: r.modelScope(), Origin: origin(r.place)})
			continue
		}
		m.Locks = append(m.Locks, b.lock(r))
	}
	if ends || len(m.Queues) > 0 || b.source {
		m.Sinks = []core.Sink{{ID: sinkDone}}
	}
	b.addDisks(m)
	b.addSource(m)
	b.addPrefill(m, used)
	m.CPU = b.cpu()
	m.Background = b.background()
	m.Parameters = b.parameters(m)
	return m
}

// classes gives every queue into which new tasks are sent a class of tasks,
// with statistics of its own, and adds them to the model. Requests from
// outside, and the tasks of a program that has one kind, are of class "task".
func (b *build) classes(m *core.Model) map[*resource]string {
	var queues []*resource
	for _, g := range b.modelled {
		for _, v := range b.graphs[g].vertices {
			n := v.key.from
			if !v.isCPU() && n.class == core.OutFragment && v.lock != nil && !b.flows[g].passesOn(n) && !slices.Contains(queues, v.lock) {
				queues = append(queues, v.lock)
			}
		}
	}
	classes := map[*resource]string{}
	if b.source || len(queues) <= 1 {
		m.Classes = append(m.Classes, core.Class{ID: classRequest})
	}
	for _, q := range queues {
		if !b.source && len(queues) == 1 {
			break
		}
		classes[q] = "in " + q.id
		m.Classes = append(m.Classes, core.Class{ID: classes[q]})
	}
	return classes
}

func origin(f Frame) core.Origin {
	return core.Origin{Function: f.Function, File: f.File, Line: f.Line}
}

// pool returns the pool of a group.
func (b *build) pool(g *group) core.Pool {
	p := core.Pool{ID: g.name, Graph: g.name, Size: g.size(), Origin: origin(g.place)}
	p.Origin.Note = fmt.Sprintf("%s; threads in the run: %d, at most %d at a time", g.kind, len(g.threads), g.maxAlive)
	switch {
	case g.kind == GroupConnection && b.source:
		p.Kind, p.Size, p.From = core.TaskPool, 0, queueRequests
	case g.kind == GroupMain:
		p.Kind, p.Size, p.Main = core.FixedPool, 1, !b.server
	case b.isSpawned(g):
		p.Kind = core.SpawnPool
	default:
		p.Kind = core.FixedPool
	}
	return p
}

// modelScope is the scope as a model writes it.
func (r *resource) modelScope() core.Scope {
	if r.scope == core.PerProgram {
		return ""
	}
	return r.scope
}

// lock returns the lock of a resource with the parameters that its
// constructor or its use showed.
func (b *build) lock(r *resource) core.Lock {
	l := core.Lock{ID: r.id, Kind: r.kind, Scope: r.modelScope(), Origin: origin(r.place)}
	n, ws := r.stripes()
	if n > 1 {
		l.Instances, l.Weights = n, ws
	}
	switch r.kind {
	case core.Mutex:
		switch b.t.Language {
		case "go":
			l.Fairness = core.GoMutex
		case "java": // monitors of HotSpot and locks of java.util.concurrent unless they are asked for order
			l.Fairness = core.Barging
		}
	case core.Semaphore:
		l.Permits = max(r.capacity, 1)
	case core.Barrier:
		l.Parties = r.parties
		l.Origin.Note = fmt.Sprintf("recognised by its use: %d threads meet at every round", r.parties)
	case core.Channel:
		if l.Capacity = r.room(); r.gathered() {
			l.Origin.Note = fmt.Sprintf("%d channels, one for each partner, taken as one", r.together)
		}
	case core.Monitor, core.RWLock, core.Latch, core.Condition, core.Once, core.BlockingQueue,
		core.Park, core.Phaser, core.Exchanger: // no parameters that a trace shows
	}
	return l
}

// addDisks adds the disks that fragments use.
func (b *build) addDisks(m *core.Model) {
	if b.disk == nil {
		return
	}
	for _, d := range b.disk.models {
		used := slices.ContainsFunc(m.Graphs, func(g core.Graph) bool {
			return slices.ContainsFunc(g.Fragments, func(f core.Fragment) bool { return f.IO != nil && f.IO.Disk == d.ID })
		})
		if used {
			m.Disks = append(m.Disks, d)
		}
	}
}

// addSource adds the source of requests and their queue.
func (b *build) addSource(m *core.Model) {
	if !b.source {
		return
	}
	if !slices.ContainsFunc(m.Queues, func(q core.Queue) bool { return q.ID == queueRequests }) {
		m.Queues = append(m.Queues, core.Queue{ID: queueRequests, Capacity: core.Unbounded,
			Origin: core.Origin{Note: "requests that connections deliver"}})
	}
	s := core.Source{ID: "clients", Kind: core.Poisson, Class: classRequest, To: queueRequests}
	load := b.in.Workload.Load
	switch {
	case load != nil && load.Rate == 0 && load.Connections > 0:
		s.Kind, s.Population = core.Closed, load.Connections
		s.Think = core.Distribution{Kind: core.Exponential, Mean: load.Think}
		if load.Think == 0 {
			s.Think = core.Distribution{}
		}
	case load != nil && load.Rate > 0:
		s.Rate = load.Rate
	default:
		s.Rate = b.requestRate()
	}
	m.Sources = append(m.Sources, s)
}

// requestRate is the rate of requests that the run saw, per second.
func (b *build) requestRate() float64 {
	n := 0
	for _, g := range b.modelled {
		if g.kind == GroupConnection {
			n += len(g.seqs)
			continue
		}
		for _, q := range g.seqs {
			for i := range q.steps {
				if s := &q.steps[i]; s.node.op == OpAccept && !s.open && s.node.virtual == "" {
					n++
				}
			}
		}
	}
	return float64(n) / (float64(b.t.WorkEnd-b.t.WorkStart) * 1e-9)
}

// addPrefill adds a thread that puts the tokens into channels that were in
// them when the work phase began.
func (b *build) addPrefill(m *core.Model, used map[*resource]bool) {
	g := core.Graph{ID: "startup", Entry: "begin", Fragments: []core.Fragment{{ID: "begin", Class: core.DispatchFragment}}}
	for _, r := range b.resources {
		if !used[r] || r.prefill == 0 || r.task {
			continue
		}
		last := &g.Fragments[len(g.Fragments)-1]
		loop, send := "loop "+r.id, "send "+r.id
		last.Next = []core.Edge{{To: loop, Probability: 1}}
		g.Fragments = append(g.Fragments,
			core.Fragment{ID: send, Class: core.SyncFragment, Sync: &core.Sync{Lock: r.id, Op: core.Send}, Next: []core.Edge{{To: loop, Probability: 1}}},
			core.Fragment{ID: loop, Class: core.LoopFragment, Loop: &core.Loop{Count: core.Distribution{Kind: core.Constant, Value: float64(r.prefill)}, Body: send}})
	}
	if len(g.Fragments) == 1 {
		return
	}
	m.Graphs = append(m.Graphs, g)
	m.Pools = append(m.Pools, core.Pool{ID: g.ID, Graph: g.ID, Size: 1, Origin: core.Origin{Note: "tokens from the startup phase"}})
}

// cpu returns the CPU of the measuring run with the calibrated costs of the
// scheduler.
func (b *build) cpu() core.CPU {
	c := b.t.Calibration
	cpu := core.CPU{Cores: max(b.t.Cores, 1), Switch: c.Switch}
	if b.t.Language == "go" {
		cpu.Policy = core.GoScheduler
	}
	cpu.BusyFactor, cpu.Single = b.busyFactor(), b.singleSpeed()
	if b.cold != nil {
		cold := *b.cold
		cold.Work *= b.pace
		cold.Search *= b.pace
		cpu.Cold = &cold
	}
	if c.Quantum > 0 {
		cpu.Quantum = core.Distribution{Kind: core.Constant, Value: c.Quantum}
	}
	cpu.WakeIdleCore = secondsOf(slices.Clone(c.WakeIdle))
	cpu.WakeSameCore = secondsOf(slices.Clone(c.WakeLocal))
	cpu.WakerCost = secondsOf(slices.Clone(c.WakerCost))
	return cpu
}
