package core

import "math"

// graphDemand is what one unit (Visits.Unit) of a graph asks of resources and
// sends on, without contention. Times are seconds.
type graphDemand struct {
	unit     Unit
	cpu      float64            // CPU time, divided by the speed-up of locks held
	delay    float64            // sleeps and waits for the outside
	disk     map[string]float64 // service time at an idle disk of requests waited for
	load     map[string]float64 // the least capacity of the disk used up by all requests, in service seconds
	hold     map[string]float64 // time from entering a lock to leaving it, exclusive sections only
	enter    map[string]float64 // entries into a lock
	saved    float64            // CPU time that the speed-up of locks takes away, already taken off cpu
	held     float64            // cpu that is spent while some lock is held
	sends    map[string]float64 // tasks to queues and sinks
	moves    map[string]float64 // those of them that are the fetched task itself
	gets     map[string]float64 // fetches by queue
	spawn    map[string]float64 // executions of spawn fragments by pool, times threads
	carry    float64            // time from the fetch until the task is sent on: its own time
	scv      float64            // squared coefficient of variation of a unit's time without contention
	carryCPU float64            // the part of carry that is CPU time
	calls    []call             // tasks that it waits for
	answers  map[string]float64 // time from the fetch until a lock is signalled that one thread waits at
}

// busy is the time a thread needs for one unit when nobody is in its way.
func (d *graphDemand) busy() float64 {
	sum := d.cpu + d.delay
	for _, name := range sortedKeys(d.disk) {
		sum += d.disk[name]
	}
	return sum
}

// demand computes the demands of a graph; speed is that of a core, private are the locks that one thread waits at.
func (m *Model) demand(g *Graph, speed float64, private map[string]bool) graphDemand {
	chain := newChain(g)
	visits := chain.visitCounts()
	d := graphDemand{unit: visits.Unit, disk: map[string]float64{}, load: map[string]float64{}, hold: map[string]float64{},
		enter: map[string]float64{}, sends: map[string]float64{}, moves: map[string]float64{}, gets: map[string]float64{}, spawn: map[string]float64{}}
	own := make([]fragmentTime, len(g.Fragments))
	for i := range g.Fragments {
		f := &g.Fragments[i]
		own[i] = m.own(f, speed)
		v := visits.Count[i]
		if v == 0 || math.IsInf(v, 1) {
			continue
		}
		d.cpu += v * own[i].cpu
		d.delay += v * own[i].delay
		for name, t := range own[i].disk {
			d.disk[name] += v * t
			d.load[name] += v * own[i].load[name]
		}
		switch {
		case f.Class == FetchFragment:
			for j := range g.Fragments { // the in fragments that lead here, equally
				if in := &g.Fragments[j]; in.In != nil && leadsTo(in, f.ID) {
					d.gets[in.In.Queue] += v / float64(countLeading(g, f.ID))
				}
			}
		case f.Out != nil:
			d.sends[f.Out.To] += v * f.Out.tasks()
			if !f.Out.New {
				d.moves[f.Out.To] += v
			}
		case f.Spawn != nil:
			n := f.Spawn.Count.Expectation()
			if f.Spawn.Count.IsZero() {
				n = float64(m.poolSize(f.Spawn.Pool))
			}
			d.spawn[f.Spawn.Pool] += v * n
		}
	}
	m.holds(chain, visits, own, &d)
	carried := chain.visits(visits.start, func(f *Fragment) bool {
		return f.Class == FetchFragment || f.Out != nil && !f.Out.New
	})
	for _, i := range sortedKeys(carried) {
		if v := carried[i]; !math.IsInf(v, 1) {
			d.carry += v * own[i].total()
			d.carryCPU += v * own[i].cpu
		}
	}
	d.calls = chain.calls(carried, own, private)
	d.answers = chain.answers(visits.start, own, private)
	d.scv = chain.variability(visits, own)
	saved := min(d.saved, d.carryCPU)
	d.carry -= saved
	d.carryCPU -= saved
	return d
}

// tasks is how many an execution sends, on average.
func (o *Out) tasks() float64 {
	if o.New && !o.Count.IsZero() {
		return o.Count.Expectation()
	}
	return 1
}

func (m *Model) poolSize(id string) int {
	for _, p := range m.Pools {
		if p.ID == id {
			return p.Size
		}
	}
	return 0
}

func leadsTo(f *Fragment, id string) bool {
	for _, e := range f.Next {
		if e.To == id {
			return true
		}
	}
	return false
}

func countLeading(g *Graph, fetch string) int {
	n := 0
	for j := range g.Fragments {
		if in := &g.Fragments[j]; in.In != nil && leadsTo(in, fetch) {
			n++
		}
	}
	return n
}

// fragmentTime is the time of one execution of a fragment without contention.
type fragmentTime struct {
	cpu, delay float64
	disk, load map[string]float64
	variance   float64 // of all of it together
}

func (t fragmentTime) total() float64 {
	sum := t.cpu + t.delay
	for _, name := range sortedKeys(t.disk) {
		sum += t.disk[name]
	}
	return sum
}

func (m *Model) own(f *Fragment, speed float64) fragmentTime {
	scale := orOne(f.Scale)
	switch {
	case f.Class == CPUFragment:
		return fragmentTime{cpu: f.Demand.Expectation() * scale / speed, variance: f.Demand.Variance() * sq(scale/speed)}
	case f.Class == DelayFragment:
		return fragmentTime{delay: f.Delay.Expectation() * scale, variance: f.Delay.Variance() * sq(scale)}
	case f.IO != nil:
		t := fragmentTime{disk: map[string]float64{}, load: map[string]float64{}}
		for i := range m.Disks {
			d := &m.Disks[i]
			if d.ID != f.IO.Disk {
				continue
			}
			for _, r := range f.IO.Requests {
				n := r.Count.Expectation() * scale
				alone, loaded := d.ServiceTime(r)
				if !r.Async { // a random number of random times
					t.variance += n*sq(alone-d.way())*d.serviceSCV(r) + r.Count.Variance()*sq(scale*alone)
				}
				t.load[d.ID] += n * loaded
				if !r.Async {
					together := max(d.Depth, 1)
					if r.InTurn {
						together = 1
					}
					t.disk[d.ID] += rounds(r.Count.Scaled(scale), together) * alone
				}
			}
		}
		return t
	}
	return fragmentTime{}
}

// way is what a request takes beside its service at an idle disk.
func (d *Disk) way() float64 { return d.Setup + d.Latency }

// serviceSCV is the squared coefficient of variation of a request's service
// time at an idle disk.
func (d *Disk) serviceSCV(r RequestType) float64 {
	for _, l := range d.Service {
		if l.Type == r.Type || l.Type == "" {
			return l.Rows[0].Time.SCV()
		}
	}
	return 0
}

// variability returns the squared coefficient of variation of the time of one
// unit: E T² = Σ V(i)·(σᵢ² + τᵢ² + 2·τᵢ·E[time after i]), the executions of
// fragments being independent.
func (c *chain) variability(visits Visits, own []fragmentTime) float64 {
	stop := func(*Fragment) bool { return false }
	if visits.Unit == TaskUnit {
		stop = func(f *Fragment) bool { return f.Class == FetchFragment }
	}
	counts := c.visits(visits.start, stop)
	remaining := c.remaining(visits.start, stop, func(i int) float64 { return own[i].total() })
	var mean, square float64
	for _, i := range sortedKeys(counts) {
		v, t := counts[i], own[i].total()
		mean += v * t
		square += v * (own[i].variance + 2*t*remaining[i] - t*t) // remaining counts t itself
	}
	if !(mean > 0) || math.IsInf(square, 0) || math.IsNaN(square) {
		return 1
	}
	return max(0, square/sq(mean)-1)
}

// rounds is how many times a thread waits for the service of a group of count
// requests at a disk that serves depth at once: E⌈count/depth⌉, or its lower
// bound E count/depth where the law of the count is not a table.
func rounds(count Distribution, depth int) float64 {
	d := float64(depth)
	if depth == 1 {
		return count.Expectation()
	}
	switch count.Kind {
	case Constant:
		return math.Ceil(count.Value/d - 1e-9)
	case Discrete:
		var sum float64
		for i, v := range count.Values {
			sum += count.Weights[i] * math.Ceil(v/d-1e-9)
		}
		return sum
	default:
		return count.Expectation() / d
	}
}

// ServiceTime returns the mean time of a request at an idle disk, and
// the share of a second of the disk that it costs when the disk works at its
// best: S(n)/n for the number in flight n ≤ Depth at which that is least.
func (d *Disk) ServiceTime(r RequestType) (alone, loaded float64) {
	var law *ServiceLaw
	laws := d.Laws()
	for i := range laws {
		if l := &laws[i]; l.Type == r.Type || (l.Type == "" && law == nil) {
			law = l
		}
	}
	if law == nil || len(law.Rows) == 0 {
		return 0, 0
	}
	speed, depth, size := orOne(d.Speed), max(d.Depth, 1), r.Bytes.Expectation()
	at := func(x int) float64 {
		row := law.Rows[0]
		for i, next := range law.Rows {
			if next.X > x {
				if i == 0 {
					break
				}
				prev := law.Rows[i-1]
				share := float64(x-prev.X) / float64(next.X-prev.X)
				mix := func(a, b float64) float64 { return a + share*(b-a) }
				return mix(prev.Time.Expectation(), next.Time.Expectation()) + size*mix(prev.PerByte, next.PerByte)
			}
			row = next
		}
		return row.Time.Expectation() + size*row.PerByte
	}
	if law.Given == Distance {
		mean := law.mean() + size*law.Rows[0].PerByte
		return d.way() + mean/speed, min(mean, at(0)) / float64(depth) / speed
	}
	if law.Given != InFlight {
		best := at(0)
		for _, row := range law.Rows {
			best = min(best, at(row.X))
		}
		return d.way() + at(0)/speed, best / float64(depth) / speed
	}
	loaded = math.Inf(1)
	for n := 1; n <= depth; n++ {
		loaded = min(loaded, at(n)/float64(n))
	}
	return d.way() + at(1)/speed, loaded / speed
}

// mean is the mean service time over all rows, by the observations behind them.
func (l *ServiceLaw) mean() float64 {
	sum, n := 0.0, 0.0
	for _, r := range l.Rows {
		w := float64(max(r.Samples, 1))
		sum += w * r.Time.Expectation()
		n += w
	}
	return sum / n
}

// holds adds the times for which the graph's threads hold locks. A section
// that only reads excludes no other reader and is left out.
func (m *Model) holds(chain *chain, visits Visits, own []fragmentTime, d *graphDemand) {
	g := chain.g
	for i := range m.Locks {
		l := &m.Locks[i]
		if !l.Kind.Held() || l.Kind.Rationed() && l.Permits == 0 {
			continue
		}
		faster := orOne(l.SpeedUp)
		leaves := func(f *Fragment) bool {
			return f.Sync != nil && f.Sync.Lock == l.ID && (f.Sync.Op == Exit || f.Sync.Op == ExitRead)
		}
		for e := range g.Fragments {
			s, v := g.Fragments[e].Sync, visits.Count[e]
			if s == nil || s.Lock != l.ID || (s.Op != Enter && s.Op != EnterRead) || v == 0 || math.IsInf(v, 1) {
				continue
			}
			inside := chain.visits(map[int]float64{e: 1}, leaves)
			var cpu, rest float64
			for _, j := range sortedKeys(inside) {
				n := inside[j]
				if math.IsInf(n, 1) {
					continue // kept for ever on this way: no hold time to speak of
				}
				cpu += n * own[j].cpu
				rest += n * (own[j].total() - own[j].cpu)
			}
			saved := v * cpu * (1 - 1/faster)
			d.cpu -= saved
			d.saved += saved
			if s.Op == EnterRead {
				continue
			}
			permits := 1.0
			if l.Kind.Rationed() {
				permits = s.taken()
			}
			d.enter[l.ID] += v
			d.hold[l.ID] += v * (cpu/faster + rest) * permits
			d.held += v * cpu / faster
		}
	}
	d.held = min(d.held, d.cpu)
}

// taken is how many permits of a semaphore an enter takes, on average.
func (s *Sync) taken() float64 {
	if !s.Permits.IsZero() {
		return s.Permits.Expectation()
	}
	return float64(max(s.N, 1))
}
