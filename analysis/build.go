package analysis

import (
	"errors"
	"fmt"

	"tierscope/core"
)

// Scaling says what happens to the work of a pool that shares it statically
// when the number of its threads changes.
type Scaling string

// Rules of scaling.
const (
	ScalingAuto   Scaling = ""       // as the evidence says, strong without any
	ScalingStrong Scaling = "strong" // a fixed amount of work is divided among the threads
	ScalingWeak   Scaling = "weak"   // every thread brings its own work
)

// Options of Build. The zero value is the default.
type Options struct {
	Threshold float64 // t of §4.3.1 as a fraction; 0: DefaultThreshold; negative: keep everything
	Scaling   Scaling
	Library   Library // splits nodes; nil: the whole calling context
}

// Input is what the stages before found out. Only Trace is needed.
type Input struct {
	Workload Workload
	Samples  *Samples
	Facts    *Facts
	Trace    *Trace
}

// Report says what Build did and how far the model can be trusted.
type Report struct {
	Groups    []GroupReport `json:"groups"`
	Unmatched unmatched     `json:"unmatched"`
	Trust     Trust         `json:"trust"`
}

// GroupReport says what became of a thread group.
type GroupReport struct {
	Name       string `json:"name"`
	Kind       string `json:"kind"`
	Threads    int    `json:"threads"`
	MaxAlive   int    `json:"max_alive"`
	Modelled   bool   `json:"modelled"`
	NaiveNodes int    `json:"naive_nodes"` // code fragments seen
	NaiveEdges int    `json:"naive_edges"`
	Nodes      int    `json:"nodes"` // of the reduced graph
	Edges      int    `json:"edges"`
	CPU        int64  `json:"cpu_ns"`
}

// build is the state of one Build.
type build struct {
	in           Input
	opt          Options
	t            *Trace
	nodes        *nodeTable
	groups       []*group // all
	modelled     []*group
	resources    []*resource
	calls        map[uint64]*resource // objects that calls make for themselves
	flows        map[*group]taskFlow
	errands      errands
	graphs       map[*group]*pcg
	forests      map[*group][]*loop
	phaseCPU     int64        // ns of CPU of all threads of the program in the phase that is modelled
	hiddenWaits  int64        // ns at locks whose operations were not recorded
	halves       int          // operations on locks without their other half
	delays       int64        // ns that the model takes as given
	slowdown     float64      // of a computation while all other cores are busy; 0: none
	interfered   int64        // ns of CPU taken off because of it
	cold         *core.Cold   // what computing costs more after a pause; nil: nothing
	warmth       float64      // part of the recorded CPU time that it costs without pauses; 0: all
	stages       []core.Stage // of the compilers' work, in times of the recorded run; none: nothing is known of it
	uncompiled   float64      // ns of CPU taken off because code was not compiled yet
	pace         float64      // by which CPU times were multiplied; see anchor.go
	systemPace   float64      // and those of the run-time system's own threads
	report       Report
	server       bool
	source       bool       // requests enter through a source
	disk         *diskTrace // nil: the program caused no requests
	noDisk       error      // why a disk is not modelled
	diskWarnings []string
	assumed      []string
}

// queueRequests is the queue through which requests from outside enter.
const queueRequests = "requests"

// ErrNoWork says that a trace has nothing to make a model of.
var ErrNoWork = errors.New("the trace has no work of the program in it")

// finer is by how much less matters where a model without insignificant computations is not sound,
// and leastThreshold the least that is tried.
const (
	finer          = 0.1
	leastThreshold = 1e-5
)

// Build makes a model of a program from one run of it (Tarvo & Reiss 2014,
// §4.3.1 to §4.4). A thread that goes round and round and computes next to nothing would go round
// at one moment for ever if that were left out: then less is.
func Build(in Input, opt Options) (*core.Model, *Report, error) {
	if in.Trace == nil {
		return nil, nil, errors.New("build: no trace")
	}
	if opt.Threshold == 0 {
		opt.Threshold = DefaultThreshold
	}
	m, report, err := buildWith(in, opt, nil)
	if err != nil || opt.Threshold < 0 || m.Validate() == nil {
		return m, report, err
	}
	for t := opt.Threshold * finer; t >= leastThreshold; t *= finer {
		says := fmt.Sprintf("computations are significant from %.2g %% of their threads' CPU time on: with %.2g %% a thread would go round and round without time", 100*t, 100*opt.Threshold)
		less := opt
		less.Threshold = t
		again, with, err := buildWith(in, less, []string{says})
		if err == nil && again.Validate() == nil {
			return again, with, nil
		}
	}
	return m, report, nil
}

// buildWith is Build with one threshold; the trust report tells also what the caller assumed.
func buildWith(in Input, opt Options, assumed []string) (*core.Model, *Report, error) {
	t, polls := polledJoins(closePoisoned(relayed(monitorQueues(counterQueues(onceCalls(sharedTickers(childrenCompute(in.Trace))))))))
	b := &build{in: in, opt: opt, t: t, assumed: append(assumed, polls...), flows: map[*group]taskFlow{}, graphs: map[*group]*pcg{}, forests: map[*group][]*loop{}}
	b.assumeChildren()
	b.server = b.t.WorkEnd > b.t.WorkStart
	b.sequences()
	b.toldLoops()
	b.removeInterference()
	b.removeColdness()
	b.removeWarmup()
	b.anchor()
	b.identifyResources()
	b.startAndWork()
	b.chooseGroups()
	if len(b.modelled) == 0 {
		return nil, &b.report, fmt.Errorf("build: %w: no thread of the program did anything between probes; was it instrumented, and did it run long enough?", ErrNoWork)
	}
	b.threadsAndWaits()
	b.tasks()
	b.reduceGraphs()
	b.splitByLocks()
	b.exactLoops()
	for _, g := range b.modelled {
		b.graphs[g] = countGroup(g)
	}
	m := b.model()
	b.reportTrust(m)
	m.Provenance.Warnings = b.report.Trust.Warnings
	return m, &b.report, nil
}

// sequences makes groups and code fragments of the records.
func (b *build) sequences() {
	b.nodes = newNodeTable(b.t.Sites, b.opt.Library)
	b.nodes.offers = b.t.Offers
	b.groups = groupThreads(b.t, b.in.Facts)
	unwrapStarts(b.groups, b.t, b.in.Facts)
	probe := b.t.probeCost()
	wake := int64(meanOf(b.t.Calibration.WakerCost) * 1e9)
	for _, g := range b.groups {
		b.nodes.scope = g.name
		for _, th := range g.threads {
			q := b.nodes.sequenceOf(th, probe, &b.report.Unmatched)
			if g.kind == GroupMain && !b.server {
				q.endsWith(b.t, b.nodes)
			}
			chargeOperations(q, wake)
			g.seqs = append(g.seqs, q)
		}
	}
	b.attributeRequests()
	for _, g := range b.groups {
		naive := countGroup(g)
		b.report.Groups = append(b.report.Groups, GroupReport{Name: g.name, Kind: g.kind, Threads: len(g.threads),
			MaxAlive: g.maxAlive, NaiveNodes: len(naive.vertices), NaiveEdges: naive.edges(), CPU: naive.cpuTime()})
	}
}

// identifyResources finds locks, channels and barriers.
func (b *build) identifyResources() {
	b.resources = findResources(b.t, b.groups)
	b.calls = findCalls(b.resources, b.groups)
	findTaskQueues(b.resources, b.groups)
	if closeOnce(b.resources) {
		b.collectUses()
	}
	findMonitors(b.groups)
	findWaits(b.resources)
	if findBarriers(b.resources, b.groups, b.nodes) != nil {
		b.collectUses()
	}
	if queues := findBuffers(b.resources, b.groups, b.nodes); queues != nil {
		b.resources = append(b.resources, queues...)
		b.collectUses()
	}
}

// collectUses finds the uses of all resources again after sequences were
// rewritten.
func (b *build) collectUses() {
	for _, r := range b.resources {
		r.uses = nil
	}
	for _, g := range b.groups {
		for _, q := range g.seqs {
			for i := range q.steps {
				if r := q.steps[i].lock; r != nil {
					r.uses = append(r.uses, use{g, q, i})
				}
			}
		}
	}
}

// startAndWork cuts the run of a server to its work phase, and the threads of
// its connections to requests.
func (b *build) startAndWork() {
	if !b.server {
		return
	}
	for _, r := range b.resources {
		r.countPrefill(b.t.WorkStart)
	}
	done := b.nodes.virtual("done", nil, core.OutFragment)
	for _, g := range b.groups {
		var pieces []*sequence
		for _, q := range g.seqs {
			q.workPhase(b.t.WorkStart, b.t.WorkEnd, b.nodes)
			if g.kind == GroupConnection {
				pieces = append(pieces, q.requests(b.nodes, done)...)
			}
		}
		if g.kind == GroupConnection {
			g.seqs = pieces
			b.source = b.source || len(pieces) > 0
		}
	}
	if !b.source {
		b.acceptRequests()
	}
	b.collectUses()
	for _, r := range b.resources {
		if r.scope != core.PerCall && r.madePerRequest() {
			r.scope = core.PerTask
			if b.startedInCalls(r) {
				r.scope = core.PerCall
			}
			if m := r.monitor; m != nil && len(m.objects) > 1 {
				m.scope = core.PerTask
			}
		}
	}
}

// acceptRequests makes accepting a connection the c_in fragment through which
// requests enter, where connections go to a pool instead of threads of their
// own.
func (b *build) acceptRequests() {
	requests := &resource{id: queueRequests, kind: core.Channel, task: true, fed: true, capacity: core.Unbounded}
	for _, g := range b.groups {
		for _, q := range g.seqs {
			for i := range q.steps {
				if s := &q.steps[i]; s.node.op == OpAccept {
					s.lock = requests
					b.source = true
				}
			}
		}
	}
	if b.source {
		b.resources = append(b.resources, requests)
	}
}

// madePerRequest reports whether every request makes such a channel, wait
// group or condition anew.
func (r *resource) madePerRequest() bool {
	switch r.kind {
	case core.Channel, core.Latch, core.Condition:
	default:
		return false
	}
	connections, objects := false, map[uint64]bool{}
	for _, u := range r.uses {
		connections = connections || u.group.kind == GroupConnection
		objects[u.seq.steps[u.step].object] = true
	}
	return connections && len(objects) > 1 && !r.task
}

// chooseGroups decides which groups get a graph: those that do something in
// the phase that is modelled. What a helper computes is charged to the thread
// that started it.
func (b *build) chooseGroups() {
	of := threadsOf(b.groups)
	helper := map[int64]int64{}
	for _, g := range b.groups {
		if g.kind != GroupHelper {
			continue
		}
		for _, q := range g.seqs {
			for j := range q.steps {
				helper[q.thread.ID] += q.steps[j].gap
				b.phaseCPU += q.steps[j].gap
			}
		}
	}
	for _, g := range b.groups {
		switch g.kind {
		case GroupRuntime, GroupHelper:
			continue
		}
		cpu, steps := int64(0), 0
		for _, q := range g.seqs {
			for i := range q.steps {
				s := &q.steps[i]
				if s.node.op == OpSpawn && of[int64(s.value)] != nil && of[int64(s.value)].kind == GroupHelper && i+1 < len(q.steps) {
					q.steps[i+1].gap += helper[int64(s.value)]
				}
				cpu += s.gap
				b.phaseCPU += s.gap
				if !s.open && s.node.virtual == "" {
					steps++
				}
			}
		}
		switch {
		case g.kind == GroupTimer:
		case b.server && g.kind == GroupConnection && len(g.seqs) == 0:
		case b.server && b.hasConnections() && acceptsInPhase(g): // requests enter by themselves
		case b.server && steps == 0:
		case len(g.seqs) == 0 || cpu == 0 && steps == 0:
		default:
			b.modelled = append(b.modelled, g)
		}
	}
	for _, g := range b.modelled {
		b.reportOf(g).Modelled = true
	}
}

// hasConnections reports whether connections have threads of their own.
func (b *build) hasConnections() bool {
	for _, g := range b.groups {
		if g.kind == GroupConnection && len(g.seqs) > 0 {
			return true
		}
	}
	return false
}

func acceptsInPhase(g *group) bool {
	for _, q := range g.seqs {
		for i := range q.steps {
			if q.steps[i].node.op == OpAccept {
				return true
			}
		}
	}
	return false
}

func (b *build) reportOf(g *group) *GroupReport {
	for i := range b.report.Groups {
		if b.report.Groups[i].Name == g.name {
			return &b.report.Groups[i]
		}
	}
	panic("analysis: group " + g.name + " has no report")
}

func (b *build) isModelled(g *group) bool {
	for _, m := range b.modelled {
		if m == g {
			return true
		}
	}
	return false
}

// threadsAndWaits settles what is neither computation nor a lock: marks,
// constructors, yields, ends of threads, waits for the world outside.
func (b *build) threadsAndWaits() {
	b.bags()
	b.worklists()
	b.shareCounters()
	b.poolTokens()
	b.collectUses()
	b.lazyPools()
	markJoins(b.resources, b.groups, b.nodes, b.isSpawned)
	markSpawns(b.groups, b.nodes, b.isSpawned)
	one, births, strangers := b.onlyOneSide(), b.findLineages(), b.strangers()
	wake, client := b.t.wake(), b.clients()
	b.errands = errandsOf(b.groups)
	for _, g := range b.modelled {
		for _, q := range g.seqs {
			q.makeBefore(births[q.thread.ID], b.nodes)
			q.rewrite(func(_ int, s step) []step {
				switch s.node.op {
				case OpMake:
					if r := b.calls[s.object]; r != nil && !r.timer && !one[r] {
						s.node, s.lock = b.nodes.virtual(made, s.node, core.SyncFragment), r
						s.node.makes = true
						return []step{s}
					}
					return nil
				case OpYield, OpTaskBegin, OpTaskEnd:
					return nil
				case OpPark: // at a lock whose operations were not recorded
					if s.lock == nil || s.lock.kind != core.Park {
						b.hiddenWaits += s.wall()
						return nil
					}
				}
				if s.lock != nil && !s.lock.timer && (one[s.lock] || s.lock.kind == core.Condition && s.lock.monitor == nil || s.lock.scope == core.PerThread) || s.node.class == core.SyncFragment && s.lock == nil && s.node.op != OpSelect {
					return nil
				}
				if s.signals(strangers) {
					return nil
				}
				return []step{s}
			})
		}
		for _, q := range g.seqs {
			b.halves += q.dropHalves()
		}
		if b.disk != nil {
			b.diskWarnings = append(b.diskWarnings, steadyCache(g)...)
		}
		b.delays += b.markWaits(g, wake, max(b.opt.Threshold, 0), client, strangers)
	}
	b.collectUses()
}

// isSpawned reports whether a group's threads come into being by spawn
// fragments.
func (b *build) isSpawned(g *group) bool {
	if !b.isModelled(g) || g.kind == GroupConnection || g.parent == nil || !b.isModelled(g.parent) || g.lazy && b.starters(g) > 1 {
		return false
	}
	if !b.server {
		return true
	}
	for _, th := range g.threads {
		if th.Born >= b.t.WorkStart {
			return true
		}
	}
	return false
}

// starters is how many threads have started some of group g.
func (b *build) starters(g *group) int {
	by := map[int64]bool{}
	for _, th := range g.threads {
		by[th.Parent] = true
	}
	return len(by)
}

// onlyOneSide returns the channels, wait groups and conditions of which the
// modelled threads do only one side in the modelled phase: tokens that nobody
// sends would block the model for ever.
func (b *build) onlyOneSide() map[*resource]bool {
	b.collectUses()
	one := map[*resource]bool{}
	for _, r := range b.resources {
		wait, wake, passed := 0, 0, 0
		for _, u := range r.uses {
			if !b.isModelled(u.group) {
				continue
			}
			s := &u.seq.steps[u.step]
			switch op := s.node.op; {
			case op == OpCondWait || op == OpWaitGroup || op == OpPark || channelOp(s) == core.Receive:
				wait++
			case op == OpOnce && s.succeeded():
				wait++
			case op == OpOnce:
				passed++
			case op == OpSignal || op == OpBroadcast || op == OpDone || op == OpUnpark || s.node.virtual == onceDone ||
				channelOp(s) == core.Send || channelOp(s) == core.Close:
				wake++
			}
		}
		switch r.kind {
		case core.Channel:
			one[r] = !r.timer && !r.fed && (wait == 0 || wake == 0) && (r.prefill == 0 || wait == 0)
		case core.Condition, core.Latch, core.Park:
			one[r] = wait == 0 || wake == 0
		case core.Once: // of no matter unless somebody came while it ran
			one[r] = wait == 0 || wake == 0 || passed == 0
		case core.Mutex, core.Monitor, core.RWLock, core.Semaphore, core.Barrier,
			core.BlockingQueue, core.Phaser, core.Exchanger: // nobody waits there for a signal
		}
	}
	return one
}

// tasks finds out how tasks flow through the groups.
func (b *build) tasks() {
	for _, g := range b.modelled {
		markRoles(g.seqs, b.nodes)
		for _, q := range g.seqs {
			q.beginAtFetch()
		}
		f := flowOf(g.seqs)
		b.flows[g] = f
		if !f.keeps {
			continue
		}
		forest := findLoops(g.seqs)
		for _, q := range g.seqs {
			q.markDone(b.nodes, forest)
		}
	}
}

// reduceGraphs takes out what is insignificant.
func (b *build) reduceGraphs() {
	if b.opt.Threshold < 0 {
		return
	}
	b.collectUses()
	quiet := quietRegions(b.modelled, b.t.Cores, b.opt.Threshold)
	for _, g := range b.modelled {
		for _, q := range g.seqs {
			q.dropRegions(quiet)
		}
	}
	b.dropOrphans()
	for _, g := range b.modelled {
		foldComputations(g.seqs, b.opt.Threshold)
	}
}

// countGroup lays the sequences of a group's threads over each other.
func countGroup(g *group) *pcg {
	p := newPCG()
	for _, q := range g.seqs {
		if len(q.steps) > 0 {
			p.add(q.steps)
		}
	}
	return p
}
