package simulation

import (
	"cmp"
	"fmt"
	"slices"

	"tierscope/core"
	"tierscope/simulation/des"
	"tierscope/simulation/resource"
	"tierscope/simulation/variate"
)

// compiler turns a model into a program. Elements are numbered in canonical
// order: at[i] is the new number of element i of the document.
type compiler struct {
	*program
	m   *core.Model // configured
	ids identities  // of the base
	ix  index
	err error

	classAt, queueAt, lockAt, poolAt, graphAt, diskAt, cacheAt []int32
	fragmentAt                                                 [][]int32
	groupAt                                                    map[string]int32
}

// compile compiles a configured model. base is the same model before its
// configuration, which gives the elements their identity; both are valid and
// have the same elements in the same order, as core.Model.With guarantees.
func compile(base, configured *core.Model) (*program, error) {
	c, err := newCompiler(base, configured)
	return c.program, err
}

// newCompiler returns a compiler that has compiled.
func newCompiler(base, configured *core.Model) (*compiler, error) {
	c := &compiler{program: new(program), m: configured, ids: identify(base), ix: newIndex(configured), groupAt: map[string]int32{}}
	c.cpu, c.spin = configured.CPU, des.Seconds(configured.CPU.Spin)
	c.cpuStream = hashOf("cpu", nil)
	c.number()
	c.compileClasses()
	c.compileObjects()
	c.compilePools()
	c.compileCaches()
	for _, i := range order(c.ids.graphs) {
		c.compileGraph(i)
	}
	c.compileSources()
	for _, i := range order(c.ids.disks) {
		c.disks = append(c.disks, c.m.Disks[i])
		c.diskStream = append(c.diskStream, c.ids.disks[i])
	}
	for _, i := range order(c.ids.background) {
		b := c.m.Background[i]
		d := backgroundDef{
			Background: b, stream: c.stream(c.ids.background[i], "background"),
			interval: variate.Compile(b.Interval, 1), demand: variate.Compile(b.Demand, orOne(b.Scale)), pause: variate.Compile(b.Pause, pauseScale(&b, c.m.CPU.Cores)),
		}
		d.Threads = max(1, b.Threads)
		c.background = append(c.background, d)
	}
	c.ending = c.endsByItself()
	c.begets()
	c.findComputing()
	c.findClosers()
	c.measured = c.listQuantities()
	return c, c.err
}

// pauseScale is what stopping all the cores takes over what it took in the run
// that the pause was measured in: the one that stops the others needs no
// stopping.
func pauseScale(b *core.Background, cores int) float64 {
	if b.PauseCores < 2 {
		return 1
	}
	return float64(cores-1) / float64(b.PauseCores-1)
}

func orOne(x float64) float64 {
	if x == 0 {
		return 1
	}
	return x
}

// fail remembers the first defect.
func (c *compiler) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

// stream makes a random stream for a purpose of an element.
func (c *compiler) stream(identity uint64, purpose string) int32 {
	c.streams = append(c.streams, hashOf(purpose, identity))
	return int32(len(c.streams) - 1)
}

// number assigns the canonical numbers.
func (c *compiler) number() {
	c.classAt = inverse(order(c.ids.classes), 0)
	c.lockAt = inverse(order(c.ids.locks), 0)
	c.firstQueue = int32(len(c.m.Locks))
	c.queueAt = inverse(order(c.ids.queues), c.firstQueue)
	c.poolAt = inverse(order(c.ids.pools), 0)
	graphs := order(c.ids.graphs)
	c.graphAt = inverse(graphs, 0)
	c.diskAt = inverse(order(c.ids.disks), 0)
	c.fragmentAt = make([][]int32, len(c.m.Graphs))
	first := int32(0)
	for _, g := range graphs {
		c.fragmentAt[g] = inverse(order(c.ids.fragments[g]), first)
		first += int32(len(c.m.Graphs[g].Fragments))
	}
}

// inverse turns an order into numbers starting at first.
func inverse(order []int, first int32) []int32 {
	out := make([]int32, len(order))
	for i, element := range order {
		out[element] = first + int32(i)
	}
	return out
}

func (c *compiler) compileClasses() {
	classes, identity := c.m.Classes, c.ids.classes
	if len(classes) == 0 {
		classes, identity = []core.Class{{ID: core.DefaultClass}}, []uint64{0}
		c.classAt = []int32{0}
	}
	var priorities []int
	for _, e := range classes {
		priorities = append(priorities, e.Priority)
	}
	slices.SortFunc(priorities, func(a, b int) int { return cmp.Compare(b, a) })
	priorities = slices.Compact(priorities)
	c.ranks = len(priorities)
	for _, i := range order(identity) {
		c.classList = append(c.classList, classDef{classes[i].ID, int32(slices.Index(priorities, classes[i].Priority))})
	}
}

func (c *compiler) class(id string) int32 {
	if id == "" {
		return c.classAt[0]
	}
	if i, ok := c.ix.classes[id]; ok {
		return c.classAt[i]
	}
	return c.classAt[0] // the one class of a model that lists none
}

// object returns the number of a lock or queue, or none (a sink).
func (c *compiler) object(id string) int32 {
	if i, ok := c.ix.locks[id]; ok {
		return c.lockAt[i]
	}
	if i, ok := c.ix.queues[id]; ok {
		return c.queueAt[i]
	}
	return none
}

func (c *compiler) compileObjects() {
	for _, i := range order(c.ids.locks) {
		l := c.m.Locks[i]
		d := objectDef{
			id: l.ID, lock: l, plain: resource.Plain(l.Kind), scope: l.Scope, stripes: int32(max(1, l.Instances)), monitor: none, starts: none,
			speedUp: orOne(l.SpeedUp), spin: des.Seconds(l.Spin), stream: c.stream(c.ids.locks[i], "stripe"),
		}
		if len(l.Weights) > 0 {
			d.choose = variate.NewAlias(l.Weights)
		} else if d.stripes > 1 {
			d.choose = variate.NewAlias(slices.Repeat([]float64{1}, int(d.stripes)))
		}
		d.tracked = d.stripes > 1 || d.speedUp != 1
		d.capacity, d.rationed = float64(l.Units())*float64(d.stripes), l.Kind.Rationed()
		d.held = l.Kind.Held() || l.Kind.Owned()
		c.objects = append(c.objects, d)
	}
	for _, i := range order(c.ids.queues) {
		q := c.m.Queues[i]
		c.objects = append(c.objects, objectDef{
			id: q.ID, queue: q, isQueue: true, scope: q.Scope, stripes: 1, monitor: none, starts: none, speedUp: 1,
			patience: variate.Compile(q.Patience, 1), impatient: !q.Patience.IsZero(),
			stream: c.stream(c.ids.queues[i], "patience"),
		})
	}
}

func (c *compiler) compilePools() {
	for _, i := range order(c.ids.pools) {
		e := c.m.Pools[i]
		c.standIns = c.standIns || e.StandsIn
		d := poolDef{
			id: e.ID, kind: e.Kind, graph: c.graphAt[c.ix.graphs[e.Graph]], size: e.Size, limit: e.Limit,
			from: none, main: e.Main, weight: orOne(e.Weight), spawn: none, standsIn: e.StandsIn,
		}
		switch d.kind {
		case "":
			d.kind = core.FixedPool
		case core.TaskPool:
			d.from = c.object(e.From)
			c.objects[d.from].starts = int32(len(c.pools))
		case core.SpawnPool:
			d.spawn = int32(c.spawnPools)
			c.spawnPools++
		case core.FixedPool:
		}
		c.pools = append(c.pools, d)
	}
}

// findComputing finds the graphs whose threads compute.
func (c *compiler) findComputing() {
	for i := range c.fragments {
		f := &c.fragments[i]
		if work, constant := f.parameter.Constant(); f.op == opCPU && !(constant && work == 0) {
			c.graphs[f.graph].computes = true
		}
	}
}

func (c *compiler) compileSources() {
	for _, i := range order(c.ids.sources) {
		e := c.m.Sources[i]
		d := sourceDef{
			id: e.ID, kind: e.Kind, class: c.class(e.Class), to: c.object(e.To), count: e.Count, population: e.Population,
			think: variate.Compile(e.Think, 1), away: des.Seconds(e.Away), group: variate.Compile(e.GroupSize, 1), grouped: !e.GroupSize.IsZero(),
			stream: c.stream(c.ids.sources[i], "source"), among: c.stream(c.ids.sources[i], "among threads"),
		}
		switch e.Kind {
		case core.Poisson:
			d.interarrival = variate.Compile(core.Distribution{Kind: core.Exponential, Mean: 1 / e.Rate}, 1)
		case core.Deterministic:
			d.interarrival = variate.Compile(core.Distribution{Kind: core.Constant, Value: 1 / e.Rate}, 1)
		case core.Renewal:
			factor := 1.0
			if e.Rate > 0 {
				factor = 1 / (e.Rate * e.Interarrival.Expectation())
			}
			d.interarrival = variate.Compile(e.Interarrival, factor)
		case core.Replay:
			d.times, d.period = replay(e)
		case core.Closed, core.Batch:
		}
		c.sources = append(c.sources, d)
	}
}

// replay scales recorded times so that their mean rate is the source's rate.
// The record repeats after its last arrival and one mean gap.
func replay(e core.Source) (times []des.Time, period des.Time) {
	n := float64(len(e.Times))
	last := e.Times[len(e.Times)-1]
	length := last * (n + 1) / n
	if n > 1 {
		length = last + (last-e.Times[0])/(n-1)
	}
	factor := 1.0
	if e.Rate > 0 {
		factor = n / e.Rate / length
	}
	for _, t := range e.Times {
		times = append(times, des.Seconds(t*factor))
	}
	return times, max(1, des.Seconds(length*factor))
}

// endsByItself: the end of the main pool, of a batch of tasks, or of threads
// that all come to an end, is the end of the run.
func (c *compiler) endsByItself() bool {
	finite := len(c.sources) > 0
	for _, s := range c.sources {
		finite = finite && (s.kind == core.Batch || s.count > 0 && s.kind != core.Closed)
	}
	if finite {
		return true
	}
	ends := len(c.sources) == 0
	for _, p := range c.pools {
		if p.main {
			return true
		}
		if p.kind == core.FixedPool {
			ends = ends && c.mayEnd(c.graphs[p.graph].entry)
		}
	}
	return ends
}

// mayEnd reports whether a fragment at which a thread ends can be reached.
func (c *compiler) mayEnd(from int32) bool {
	seen := map[int32]bool{from: true}
	for todo := []int32{from}; len(todo) > 0; todo = todo[1:] {
		f := &c.fragments[todo[0]]
		next := f.successors()
		if len(next) == 0 {
			return true
		}
		for _, to := range next {
			if !seen[to] {
				seen[to] = true
				todo = append(todo, to)
			}
		}
	}
	return false
}

// successors returns all fragments that may follow.
func (f *fragment) successors() []int32 {
	var out []int32
	add := func(to int32) {
		if to != none && !slices.Contains(out, to) {
			out = append(out, to)
		}
	}
	add(f.next)
	for _, to := range f.targets {
		add(to)
	}
	add(f.otherwise)
	add(f.body)
	add(f.fallback)
	for _, k := range f.cases {
		add(k.to)
	}
	return out
}
