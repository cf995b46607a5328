package core

import (
	"math"
	"strings"
)

// Station is one resource that work passes through: D = V·S seconds of service
// per unit of work, and how much service it gives per second.
type Station struct {
	Of       string  // as in simulation.Metric: cpu, disk/ID, lock/ID, pool/ID
	Demand   float64 // D, seconds per task (or per program run)
	Capacity float64 // seconds of service per second: cores·speed, 1, permits, threads; +Inf: no limit
}

// Limit is the throughput at which the station is busy all the time, in units
// of work per second; +Inf when it has no demand.
func (s Station) Limit() float64 {
	if s.Demand == 0 {
		return math.Inf(1)
	}
	return s.Capacity / s.Demand
}

// Demands are the service demands of a model by operational analysis (Denning
// & Buzen 1978): what one unit of work asks of every resource, whatever the
// contention.
type Demands struct {
	// Batch: the unit is one run of the program. Otherwise it is one task that
	// a source sends, averaged over the sources by their rates.
	Batch    bool
	Stations []Station // cpu first, then disks, locks, pools
	// Response is the time that a task spends from its source to a sink (or a
	// program from start to end on its longest thread) when nothing is in its
	// way.
	Response float64
	Rate     float64 // of all open sources, tasks per second; 0: none
	Users    int     // of all closed sources; 0: none
	Think    float64 // of a user between two tasks, mean over users
	Away     float64 // part of Response: outside of the program, mean over the sources
	Notes    []string

	pools      []poolDemand
	speed      float64 // of a core
	background float64 // factor by which background work inflates CPU demands
}

// poolDemand is the work of one pool per unit of work.
type poolDemand struct {
	pool  *Pool
	queue []string // that it fetches from
	runs  float64  // units of the graph per unit of work
	own   float64  // those of them that serve the unit's own task
	waits float64  // for answers of idle pools, seconds per unit
	room  int      // places in its queue, −1: no limit
	drops bool     // a full queue drops tasks
	apart bool     // each of its threads has a queue of its own
	graphDemand
}

// at returns what one unit of the pool's graph asks of a station: the service
// time that it queues for, and the capacity that it uses up. CPU time under a
// lock is queued for as part of the hold time.
func (p *poolDemand) at(station string) (work, load float64) {
	kind, id, _ := strings.Cut(station, "/")
	switch kind {
	case "cpu":
		return p.cpu - p.held, p.cpu
	case "disk":
		return p.disk[id], p.load[id]
	case "lock":
		return p.hold[id], p.hold[id]
	}
	return 0, 0
}

// resources are the stations that work of a pool asks for: all but the pools.
func (d *Demands) resources() []Station { return d.Stations[:len(d.Stations)-len(d.pools)] }

// Station returns the station with the given name.
func (d *Demands) Station(of string) (Station, bool) {
	for _, s := range d.Stations {
		if s.Of == of {
			return s, true
		}
	}
	return Station{}, false
}

// Demands computes the service demands of the model. It panics if the model is
// not valid. Notes say what operational analysis cannot see in this model.
func (m *Model) Demands() Demands {
	if len(m.Checked) > 0 {
		corrected := m.AsChecked()
		m = &corrected
	}
	m = m.inTimes().withHitRatios()
	d := Demands{}
	speed := m.CPU.meanSpeed()
	external := m.externalFlow(&d)
	private := m.privateLocks()
	graphs := make(map[string]graphDemand, len(m.Graphs))
	for i := range m.Graphs {
		graphs[m.Graphs[i].ID] = m.demand(&m.Graphs[i], speed, private)
	}
	runs := m.flows(external, graphs, d.Batch, func(g graphDemand) map[string]float64 { return g.sends })
	// The unit's own task, without the tasks that are made on its way.
	own := m.flows(external, graphs, d.Batch, func(g graphDemand) map[string]float64 { return g.moves })

	var cpu, longest float64
	disks, locks := map[string]float64{}, map[string]float64{}
	queues := make(map[string]*Queue, len(m.Queues))
	for i := range m.Queues {
		queues[m.Queues[i].ID] = &m.Queues[i]
	}
	for i := range m.Pools {
		p := &m.Pools[i]
		g := graphs[p.Graph]
		pd := poolDemand{pool: p, runs: runs[i], own: own[i], graphDemand: g, queue: sortedKeys(g.gets)}
		if p.Kind == TaskPool {
			pd.queue = []string{p.From}
		}
		pd.queueOf(queues)
		d.pools = append(d.pools, pd)
		if g.unit == CycleUnit {
			d.Notes = append(d.Notes, "pool "+p.ID+" runs for ever without fetching tasks; its load is not counted")
		}
		cpu += pd.runs * g.cpu
		for name, t := range g.load {
			disks[name] += pd.runs * t
		}
		for name, t := range g.hold {
			locks[name] += pd.runs * t
		}
		if pd.runs > 0 {
			if d.Batch && g.unit == RunUnit {
				longest = max(longest, g.busy())
			}
		}
	}
	for i := range d.pools {
		p := &d.pools[i]
		p.waits = d.awaited(p, atLeast, func(callee *poolDemand, lock string) float64 { return callee.answers[lock] })
		if p.runs > 0 && (p.unit == TaskUnit || p.pool.Kind == TaskPool) {
			d.Response += p.own * (p.carryOf(p.pool) + p.waits)
		}
	}
	d.Response += d.Away
	if d.Batch {
		d.Response = longest
	}
	capacity, loaded := m.cpuCapacity(cpu)
	d.speed, d.background = speed, 1
	if cpu > 0 {
		d.background = loaded / cpu
	}
	d.Stations = append(d.Stations, Station{Of: "cpu", Demand: loaded * speed, Capacity: capacity})
	for _, disk := range m.Disks {
		d.Stations = append(d.Stations, Station{Of: "disk/" + disk.ID, Demand: disks[disk.ID], Capacity: 1})
	}
	for i := range m.Locks {
		if l := &m.Locks[i]; l.Kind.Held() {
			d.Stations = append(d.Stations, Station{Of: "lock/" + l.ID, Demand: locks[l.ID], Capacity: l.capacity()})
		}
	}
	for _, p := range d.pools {
		d.Stations = append(d.Stations, Station{Of: "pool/" + p.pool.ID, Demand: p.runs * (p.busy() + p.waits), Capacity: p.pool.capacity()})
	}
	return d
}

// queueOf fills in what the pool's only queue does when it is full.
func (p *poolDemand) queueOf(all map[string]*Queue) {
	p.room = -1
	if len(p.queue) != 1 {
		return
	}
	q := all[p.queue[0]]
	if q == nil {
		return
	}
	p.apart = q.Scope == PerThread
	if q.Capacity != Unbounded {
		p.room, p.drops = q.Capacity, q.WhenFull == Drop
	}
}

// carryOf is the time for which a task that the pool fetched is its own.
func (g *graphDemand) carryOf(p *Pool) float64 {
	if p.Kind == TaskPool && g.unit == RunUnit && len(g.moves) == 0 {
		return g.busy()
	}
	return g.carry
}

// externalFlow returns the tasks that sources put into each queue per unit of
// work, and fills in the load.
func (m *Model) externalFlow(d *Demands) map[string]float64 {
	external := map[string]float64{}
	var open, users, think, away float64
	batch := 0
	for i := range m.Sources {
		s := &m.Sources[i]
		switch s.Kind {
		case Closed:
			users += float64(s.Population)
			think += float64(s.Population) * s.Think.Expectation()
			away += float64(s.Population) * s.Away
		case Batch:
			batch += s.Count
		default:
			open += s.TaskRate()
		}
	}
	d.Rate, d.Users = open, int(users)
	if users > 0 {
		d.Think, d.Away = think/users, away/users
	}
	if open > 0 {
		d.Away = 0
	}
	d.Batch = open == 0 && users == 0
	for i := range m.Sources {
		s := &m.Sources[i]
		switch {
		case s.Kind == Batch && d.Batch:
			external[s.To] += float64(s.Count)
		case s.Kind == Closed && open == 0:
			external[s.To] += float64(s.Population) / users
		case s.Kind != Closed && s.Kind != Batch:
			external[s.To] += s.TaskRate() / open
			d.Away += s.Away * s.TaskRate() / open
		}
	}
	if open > 0 && users > 0 {
		d.Notes = append(d.Notes, "open and closed sources are mixed; demands are those of the open sources' tasks")
	}
	if batch > 0 && !d.Batch {
		d.Notes = append(d.Notes, "batch sources beside others are not counted")
	}
	return external
}

// TaskRate returns the long-run rate of an open source in tasks per second.
func (s *Source) TaskRate() float64 {
	if s.GroupSize.IsZero() {
		return s.MeanRate()
	}
	return s.MeanRate() * s.GroupSize.Expectation()
}

// flows solves the traffic equations of tier 1: how many units of its graph
// each pool executes per unit of work, when the pools send on what sends says.
func (m *Model) flows(external map[string]float64, graphs map[string]graphDemand, batch bool, sends func(graphDemand) map[string]float64) []float64 {
	runs := make([]float64, len(m.Pools))
	servers := map[string]float64{} // threads that fetch from a queue
	serves := func(p *Pool) []string {
		if p.Kind == TaskPool {
			return []string{p.From}
		}
		return sortedKeys(graphs[p.Graph].gets)
	}
	for i := range m.Pools {
		for _, q := range serves(&m.Pools[i]) {
			servers[q] += m.Pools[i].weightOf()
		}
	}
	// A task network has few hops, but tasks may come back to a queue (retry):
	// iterate to the fixed point. A network that makes more tasks than it gets
	// has none; stop and let the numbers be large.
	const rounds = 10_000
	for range rounds {
		next := map[string]float64{}
		for q, n := range external {
			next[q] += n
		}
		spawned := map[string]float64{}
		for i := range m.Pools {
			p := &m.Pools[i]
			g := graphs[p.Graph]
			for to, n := range sends(g) {
				next[to] += runs[i] * n
			}
			for to, n := range g.spawn {
				spawned[to] += runs[i] * n
			}
		}
		change := 0.0
		for i := range m.Pools {
			p := &m.Pools[i]
			g := graphs[p.Graph]
			var r float64
			switch {
			case p.Kind == SpawnPool:
				if r = spawned[p.ID]; g.unit == TaskUnit {
					r = 0
				}
			case g.unit == RunUnit && p.Kind != TaskPool:
				if batch {
					r = float64(p.Size)
				}
			}
			if g.unit == TaskUnit || p.Kind == TaskPool {
				var fetches float64
				for _, n := range g.gets {
					fetches += n
				}
				for _, q := range serves(p) {
					r += next[q] * p.weightOf() / servers[q] / max(fetches, 1)
				}
			}
			change = max(change, math.Abs(r-runs[i])/max(1, r))
			runs[i] = r
		}
		if change < 1e-12 {
			break
		}
	}
	return runs
}

// weightOf is the pool's share of the tasks of a queue that several pools
// fetch from.
func (p *Pool) weightOf() float64 { return float64(max(p.Size, 1)) }

func (p *Pool) capacity() float64 {
	switch {
	case p.Kind == "" || p.Kind == FixedPool:
		return float64(p.Size)
	case p.Limit > 0:
		return float64(p.Limit)
	}
	return math.Inf(1)
}

func (l *Lock) capacity() float64 {
	if l.Scope != "" && l.Scope != PerProgram {
		return math.Inf(1) // as many as there are tasks, threads or calls
	}
	n := float64(max(l.Instances, 1))
	if l.Kind.Rationed() {
		if l.Permits == 0 {
			return math.Inf(1) // a signal, not a resource
		}
		return n * float64(l.Permits)
	}
	if len(l.Weights) > 0 { // the busiest stripe limits
		busiest := 0.0
		for _, w := range l.Weights {
			busiest = max(busiest, w)
		}
		return 1 / busiest
	}
	return n
}

// cpuCapacity returns the CPU seconds per second that are left for the model's
// threads, and the demand with what background work costs per unit of work.
func (m *Model) cpuCapacity(demand float64) (capacity, loaded float64) {
	capacity = float64(m.CPU.Cores) * m.CPU.meanSpeed()
	if f := m.CPU.Contention(); len(f) > 0 {
		capacity *= f[min(len(f), m.CPU.Cores)-1]
	}
	for i := range m.Background {
		b := &m.Background[i]
		work := b.Demand.Expectation() * orOne(b.Scale)
		switch b.Trigger {
		case EveryPeriod:
			capacity -= work / (b.Interval.Expectation() + b.Pause.Expectation())
		case EveryCPU:
			demand *= 1 + work/b.Interval.Expectation()
		case EveryArrival:
			demand += work / b.Interval.Expectation()
		case WarmingUp: // it comes to an end
		}
	}
	return max(capacity, 0), demand
}
