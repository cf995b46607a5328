package processor

import (
	"cmp"
	"math"
	"slices"

	"tierscope/simulation/des"
)

// sharing is processor sharing: all ready threads compute at once. With n
// threads of weights w on C cores, thread i progresses at the rate
// min(1, w_i·φ), where φ uses all the capacity min(C, n): a thread has no more
// than one core. With one weight that is min(1, C/n).
//
// Threads of one weight share a virtual time that advances at their rate; a
// burst that arrives at virtual time V with work x ends at V + x, whatever
// happens meanwhile. So an event costs O(log n), not O(n).
type sharing struct {
	*machine
	groups  []shareGroup
	members []shareMember
	active  int
	own     float64 // cores that the program's threads have
	updated des.Time
	end     des.Alarm // of the next burst
	done    int32     // thread whose burst has ended, or None
}

// shareGroup is the threads of one weight, either the program's or none of its.
type shareGroup struct {
	weight  float64
	system  bool
	virtual float64 // CPU time each member has had since the group was empty, ns
	rate    float64
	heap    []int32 // by finish
}

type shareMember struct {
	group     int32
	finish    float64 // virtual time
	work      des.Time
	submitted des.Time
}

func newSharing(m *machine) *sharing {
	slices.SortFunc(m.speed, func(a, b float64) int { return cmp.Compare(b, a) })
	return &sharing{machine: m, end: m.cores[0].alarm, done: None}
}

func (p *sharing) Grow(n int) {
	p.machine.Grow(n)
	for len(p.members) < n {
		p.members = append(p.members, shareMember{group: -1})
	}
}

// Runs is true: all that are ready do.
func (p *sharing) Runs(int32) bool { return true }

func (p *sharing) Submit(t int32, work des.Time, _ int32) {
	x := &p.threads[t]
	x.work, x.used = work, 0
	p.members[t].submitted = p.Now()
	if p.active < len(p.cores) {
		if latency := p.far.Time(&p.costs); latency > 0 {
			p.After(latency, p.kind, int32(len(p.cores))+t)
			return
		}
	}
	p.join(t)
}

// join adds t to the threads that share.
func (p *sharing) join(t int32) {
	p.advance()
	x, m := &p.threads[t], &p.members[t]
	if m.group < 0 || !p.groups[m.group].has(x) {
		m.group = p.group(x)
	}
	g := &p.groups[m.group]
	m.work = x.work
	m.finish = g.virtual + float64(x.work)
	g.heap = append(g.heap, t)
	p.up(g.heap)
	p.setActive(p.active + 1)
	p.plan()
}

func (p *sharing) group(x *thread) int32 {
	for i := range p.groups {
		if p.groups[i].has(x) {
			return int32(i)
		}
	}
	p.groups = append(p.groups, shareGroup{weight: x.weight, system: x.system})
	return int32(len(p.groups) - 1)
}

func (g *shareGroup) has(x *thread) bool { return g.weight == x.weight && g.system == x.system }

// paceOf is the speed of the group's threads on a core of speed 1.
func (p *sharing) paceOf(g *shareGroup) float64 {
	if g.system {
		return 1
	}
	return p.pace
}

// SetSlowness changes the rate of the program's threads.
func (p *sharing) SetSlowness(s Slowness) {
	p.advance()
	p.slowness = s
	p.plan()
}

// setPace finds the speed of the program's threads from the part of the cores
// that they have, if every group's rate is its threads' share of a core.
func (p *sharing) setPace() {
	p.own = 0
	for i := range p.groups {
		if g := &p.groups[i]; !g.system {
			p.own += g.rate * float64(len(g.heap))
		}
	}
	p.pace = p.slowness.pace(p.own)
}

// setActive changes the number of sharing threads and accounts for those that
// are in excess of the cores as waiting.
func (p *sharing) setActive(n int) {
	p.active = n
	p.wait(max(0, n-len(p.cores)) - p.waiting)
	p.running = min(n, len(p.cores))
}

// advance brings the virtual times and the accounts up to now.
func (p *sharing) advance() {
	now := p.Now()
	d := now - p.updated
	p.updated = now
	if d <= 0 || p.paused || p.active == 0 {
		return
	}
	for i := range p.groups {
		g := &p.groups[i]
		if len(g.heap) > 0 {
			g.virtual += float64(d) * g.rate
		}
	}
	p.worked += d*des.Time(p.running) - p.slow(d)
	p.cores[0].busy += d * des.Time(p.running) // of all: which core is which has no meaning here
}

// slow is the CPU time that slowness cost the program's threads in a time.
func (p *sharing) slow(d des.Time) des.Time {
	return des.Time(float64(d) * p.own * (1 - p.pace))
}

// plan sets the rates and schedules the next end of a burst.
func (p *sharing) plan() {
	p.Stop(p.end)
	if p.active == 0 || p.paused || p.done != None {
		return
	}
	p.setRates()
	next := math.Inf(1)
	for i := range p.groups {
		g := &p.groups[i]
		if len(g.heap) > 0 {
			next = min(next, (p.members[g.heap[0]].finish-g.virtual)/g.rate)
		}
	}
	p.SetAfter(p.end, des.Time(max(0, next)+0.5))
}

// setRates solves Σ min(1, w·φ) = min(C, n): from the heaviest group down, a
// group whose fair share exceeds a core gets one core each.
func (p *sharing) setRates() {
	p.share()
	p.setPace()
	speed := p.meanSpeed()
	for i := range p.groups {
		p.groups[i].rate *= speed * p.paceOf(&p.groups[i])
	}
}

// share makes every group's rate its threads' share of a core.
func (p *sharing) share() {
	if len(p.groups) == 1 {
		p.groups[0].rate = min(1, float64(len(p.cores))/float64(p.active))
		return
	}
	capacity, weight := float64(min(len(p.cores), p.active)), 0.0
	for i := range p.groups {
		g := &p.groups[i]
		g.rate = 0
		weight += g.weight * float64(len(g.heap))
	}
	for capped := true; capped && weight > 0; {
		capped = false
		for i := range p.groups {
			g := &p.groups[i]
			if n := float64(len(g.heap)); n > 0 && g.rate == 0 && g.weight*capacity >= weight {
				g.rate, capped = 1, true
				capacity -= n
				weight -= g.weight * n
				break
			}
		}
	}
	for i := range p.groups {
		if g := &p.groups[i]; len(g.heap) > 0 && g.rate == 0 {
			g.rate = g.weight * capacity / weight
		}
	}
}

// meanSpeed is the mean speed of the busy cores: the fastest ones.
func (p *sharing) meanSpeed() float64 {
	speed := 1.0
	if p.speed != nil {
		sum := 0.0
		for _, s := range p.speed[:p.running] {
			sum += s
		}
		speed = sum / float64(p.running)
	}
	if p.busyFactor != nil {
		speed *= p.busyFactor[p.running-1]
	}
	return speed
}

func (p *sharing) Expire(target int32) {
	if c := target - int32(len(p.cores)); c >= 0 {
		p.join(c)
		return
	}
	p.advance()
	var first *shareGroup
	least := math.Inf(1)
	for i := range p.groups {
		g := &p.groups[i]
		if len(g.heap) > 0 {
			if left := (p.members[g.heap[0]].finish - g.virtual) / g.rate; left < least {
				first, least = g, left
			}
		}
	}
	t := p.pop(first)
	if len(first.heap) == 0 {
		first.virtual = 0 // keep it small: it is exact to 2⁻⁵³ of its size
	}
	x, m := &p.threads[t], &p.members[t]
	x.used = min(p.Now()-m.submitted, des.Time(float64(m.work)/(p.meanSpeed()*p.paceOf(first))+0.5)) // exact unless the speed has changed
	p.done = t
	work, computes := p.host.BurstEnded(t, 0, x.used)
	p.done = None
	if !computes {
		p.advance()
		p.setActive(p.active - 1)
		p.plan()
		return
	}
	x = &p.threads[t]
	x.work, x.used = work, 0
	p.members[t].submitted = p.Now()
	p.active--
	p.join(t)
}

// Pause stops all progress.
func (p *sharing) Pause() {
	p.advance()
	p.Stop(p.end)
	p.paused = true
}

// Unpause lets progress go on.
func (p *sharing) Unpause() {
	p.updated = p.Now()
	p.paused = false
	p.plan()
}

func (p *sharing) Forget(t int32) { p.threads[t] = thread{weight: 1, last: None, next: None} }

func (p *sharing) Usage() Usage {
	u, busy := p.machine.Usage(), float64(p.cores[0].busy)
	if !p.paused { // looking changes nothing, not even a rounding
		busy += float64(p.Now()-p.updated) * float64(p.running)
	}
	for i := range u.Busy {
		u.Busy[i] = busy / float64(len(u.Busy))
	}
	return u
}

func (p *sharing) Work() (used float64, running int) {
	if p.paused {
		return float64(p.worked), 0
	}
	d := p.Now() - p.updated
	return float64(p.worked) + float64(d)*float64(p.running) - float64(p.slow(d)), p.running
}

func (p *sharing) Balancing() bool { return false }

func (p *sharing) Sleep(int32) {}

func (p *sharing) Looked(_ int32, d des.Time) { p.cores[0].busy += d }

func (p *sharing) Restart() {
	p.advance()
	p.plan()
	p.machine.Restart()
}

func (p *sharing) up(heap []int32) {
	i := len(heap) - 1
	t := heap[i]
	for i > 0 {
		parent := (i - 1) / 2
		if p.members[t].finish >= p.members[heap[parent]].finish {
			break
		}
		heap[i] = heap[parent]
		i = parent
	}
	heap[i] = t
}

// pop removes the member of g that ends first.
func (p *sharing) pop(g *shareGroup) int32 {
	h := g.heap
	top, last := h[0], len(h)-1
	t := h[last]
	h = h[:last]
	g.heap = h
	if last == 0 {
		return top
	}
	i := 0
	for {
		child := 2*i + 1
		if child >= last {
			break
		}
		if child+1 < last && p.members[h[child+1]].finish < p.members[h[child]].finish {
			child++
		}
		if p.members[h[child]].finish >= p.members[t].finish {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = t
	return top
}
