package processor

import (
	"tierscope/core"
	"tierscope/simulation/des"
	"tierscope/simulation/variate"
)

// goroutines is Go's scheduler (runtime/proc.go of Go 1.26): every core is a P
// with a FIFO queue and the slot runnext; a goroutine readied by a running one
// goes to the runnext of the waker's P, and wakes an idle P, which after its
// wake-up latency steals half a queue. A goroutine that runs for a slice (20 ms:
// sysmon looks every 10 ms and must see the same one twice) goes to the tail
// of the global queue. Urgent threads are the collector's workers: whoever
// schedules next takes them first, and the world has been stopped for their
// sake, so one goroutine makes room at once (runtime.findRunnable).
type goroutines struct {
	*machine
	ps      []goP
	global  list
	urgent  list
	queued  int // in all local queues and runnext slots
	slice   variate.Sampler
	random  des.Stream
	spinner int32 // the P that is waking up to steal, or None
}

type goP struct {
	queue   list
	runnext int32
	tick    int // scheduling decisions
}

const (
	goSlice = 20e-3
	// goGlobalEvery is how often a P looks at the global queue first
	// (runtime.schedule: schedtick%61).
	goGlobalEvery = 61
)

func newGo(m *machine, c core.CPU, stream func(string) des.Stream) *machine {
	p := &goroutines{
		machine: m, ps: make([]goP, c.Cores), global: newList(), urgent: newList(),
		slice: quantum(c, goSlice), random: stream("quantum"), spinner: None,
	}
	for i := range p.ps {
		p.ps[i] = goP{queue: newList(), runnext: None}
	}
	m.policy = p
	return m
}

// choose: what the network poller or a timer readies goes to an idle P at once.
func (p *goroutines) choose(t, waker int32) int32 {
	if waker != None && !p.threads[t].system {
		return None
	}
	last := p.threads[t].last
	if last == None || !p.idle.has(last) || last == p.spinner {
		last = p.idleP()
	}
	return last
}

// idleP returns an idle P that is not waking up already, or None.
func (p *goroutines) idleP() int32 {
	if p.spinner == None {
		return p.idle.first()
	}
	p.idle.remove(p.spinner)
	c := p.idle.first()
	p.idle.add(p.spinner)
	return c
}

func (p *goroutines) enqueue(t, waker int32) int32 {
	if p.threads[t].system {
		p.urgent.push(p.threads, t)
		return p.displaced()
	}
	if waker == None {
		p.global.push(p.threads, t)
		p.reprogramAll()
		return None
	}
	x := &p.ps[waker]
	if x.runnext != None {
		x.queue.push(p.threads, x.runnext)
	}
	x.runnext = t
	p.queued++
	p.reprogram(&p.cores[waker])
	if p.wakeP() {
		p.cores[waker].owed += p.waker.Time(&p.costs)
	}
	return None
}

// yielded puts t, which makes room for another one on core c, behind those that wait there (runtime.goyield).
func (p *goroutines) yielded(c, t int32) {
	p.ps[c].queue.push(p.threads, t)
	p.queued++
	p.wakeP()
}

// displaced returns a core whose thread makes room for an urgent one, or None. The
// goroutine whose allocation starts a cycle keeps its P while the others are
// stopped (runtime.gcStart): on a single P nobody makes room, and the worker
// waits until it blocks.
func (p *goroutines) displaced() int32 {
	if len(p.cores) == 1 {
		return None
	}
	for c := range p.cores {
		if u := &p.cores[c]; u.thread != None && !u.open && !p.threads[u.thread].system {
			return int32(c)
		}
	}
	return None
}

func (p *goroutines) reprogramAll() {
	for c := range p.cores {
		p.reprogram(&p.cores[c])
	}
}

// wakeP makes an idle P wake up to look for work, unless one is at it already.
func (p *goroutines) wakeP() bool {
	if p.spinner != None {
		return false
	}
	c := p.idle.first()
	if c == None {
		return false
	}
	p.spinner = c
	p.After(p.far.Time(&p.costs), p.kind, c)
	return true
}

// wakes: the P has woken up. If it finds work and there is more, it wakes
// the next P (runtime.resetspinning).
func (p *goroutines) wakes(c int32) int32 {
	p.spinner = None
	t := p.find(c)
	if t != None && p.queued+p.global.len > 0 {
		p.idle.remove(c)
		p.wakeP()
		p.idle.add(c)
	}
	return t
}

func (p *goroutines) started(u *unit, _ int32) des.Time {
	u.slice = u.picked + max(1, p.slice.Time(&p.random))
	if u.number == p.spinner { // a poller gave it work meanwhile; the wake-up finds it busy
		p.spinner = None
	}
	if !p.contended(u.number) {
		return des.Never
	}
	return u.slice
}

// contended reports whether a thread waits for the place of that of core c.
func (p *goroutines) contended(c int32) bool {
	x := &p.ps[c]
	return x.runnext != None || x.queue.len > 0 || p.global.len > 0
}

func (p *goroutines) stopped(*unit, int32) {}

func (p *goroutines) expired(u *unit, t int32) int32 {
	p.global.push(p.threads, t)
	next := p.find(u.number)
	if next == t {
		u.slice = p.Now() + max(1, p.slice.Time(&p.random))
	}
	return next
}

func (p *goroutines) next(c int32) int32 { return p.find(c) }

// find is runtime.findRunnable: now and then the global queue, then runnext,
// the local queue, the global queue, and half the queue of another P.
func (p *goroutines) find(c int32) int32 {
	if t := p.urgent.pop(p.threads); t != None {
		return t
	}
	x := &p.ps[c]
	x.tick++
	if x.tick%goGlobalEvery == 0 && p.global.head != None {
		return p.global.pop(p.threads)
	}
	if t := x.runnext; t != None {
		x.runnext = None
		p.queued--
		return t
	}
	if t := x.queue.pop(p.threads); t != None {
		p.queued--
		return t
	}
	if t := p.global.pop(p.threads); t != None {
		return t
	}
	if p.queued == 0 {
		return None
	}
	return p.steal(c)
}

// steal takes half of the first non-empty queue from a random start, rounded
// up, and the runnext slot of a busy P only if all queues are empty.
func (p *goroutines) steal(c int32) int32 {
	n := int32(len(p.ps))
	start := int32(p.random.Uint32n(uint32(n)))
	for i := range n {
		victim := &p.ps[(start+i)%n]
		if victim.queue.len == 0 {
			continue
		}
		for range (victim.queue.len + 1) / 2 {
			p.ps[c].queue.push(p.threads, victim.queue.pop(p.threads))
		}
		p.queued--
		return p.ps[c].queue.pop(p.threads)
	}
	for i := range n {
		victim := &p.ps[(start+i)%n]
		if t := victim.runnext; t != None {
			victim.runnext = None
			p.queued--
			return t
		}
	}
	return None
}

func (p *goroutines) sliceEnd(u *unit) des.Time {
	if !p.contended(u.number) {
		return des.Never
	}
	u.slice = renewed(u.slice, p.Now(), &p.slice, &p.random)
	return u.slice
}
