package analysis

import (
	"errors"
	"fmt"
	"slices"

	"tierscope/core"
)

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
	others       float64      // cores that computed for the program beside one while it was not
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

// finer is by how much less matters where a model without insignificant computations is not sound,
// and leastThreshold the least that is tried.
const (
	finer          = 0.1
	leastThreshold = 1e-5
)

// Build makes a model of a program from one run of it (Tarvo & Reiss 2014,
// §4.3.1 to §4.4). A thread that goes round and round and computes next to nothing would go round
// at one moment for ever if that were left out: then less is. A model that is returned is valid;
// of a trace that gives none the error names every element that is not (ErrNoModel).
func Build(in Input, opt Options) (*core.Model, *Report, error) {
	if in.Trace == nil {
		return nil, nil, errors.New("build: no trace")
	}
	if opt.Threshold == 0 {
		opt.Threshold = DefaultThreshold
	}
	m, report, err := buildWith(in, opt, nil)
	if err != nil {
		return nil, report, err
	}
	defects := m.Validate()
	if defects == nil {
		return m, report, nil
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
	return nil, report, fmt.Errorf("build: %w: %w", ErrNoModel, defects)
}

// buildWith is Build with one threshold; the trust report tells also what the caller assumed.
func buildWith(in Input, opt Options, assumed []string) (*core.Model, *Report, error) {
	t, permits := polledPermits(onceCalls(sharedTickers(childrenCompute(in.Trace))))
	t, joins := polledJoins(closePoisoned(waitOnce(monitorQueues(counterQueues(t)))))
	b := &build{in: in, opt: opt, t: t, assumed: slices.Concat(assumed, permits, joins), flows: map[*group]taskFlow{}, graphs: map[*group]*pcg{}, forests: map[*group][]*loop{}}
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
	b.report.Evidence = b.evidence()
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
