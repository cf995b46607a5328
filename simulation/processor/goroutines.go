package processor

import (
	"iter"

	"tierscope/core"
	"tierscope/simulation/des"
	"tierscope/simulation/variate"
)

// goroutines is Go's scheduler (runtime/proc.go of Go 1.26): every core is a P
// with a FIFO queue and the slot runnext; a goroutine readied by a running one
// goes to the runnext of the waker's P, and wakes an idle P, which after its
// wake-up latency steals half a queue. Where there is only the runnext of a busy P,
// which that one is about to run, it sleeps for a moment and looks again
// (runtime.runqgrab). A goroutine that runs for a slice (20 ms:
// sysmon looks every 10 ms and must see the same one twice) goes to the tail
// of the global queue. Urgent threads are the collector's workers: whoever
// schedules next takes them first, and the world has been stopped for their
// sake, so one goroutine makes room at once (runtime.findRunnable). A timer is
// its P's: where all Ps are busy, who sleeps is awake when that one schedules next.
type goroutines struct {
	*machine
	ps      []goP
	global  list
	urgent  list
	queued  int // in all local queues and runnext slots
	due     int // in all lists of expired timers
	slice   variate.Sampler
	random  des.Stream
	arrival variate.Sampler // latency until a P that is woken looks for work
	pauses  bool            // it sleeps before it takes a runnext
	looking int             // Ps that are waking up or sleep so
	netpoll des.Alarm       // return of who waits for timers, where some P is idle
	polled  des.Time        // when it began to, or will, as it is still on its way back
	taken   des.Time        // when sysmon last took a P from a system call, or woke up
	sysmon  des.Timer       // when it looks next
	tick    des.Time        // when it wakes up next
	calls   int             // Ps that are kept in system calls
	rested  des.Time        // since when all Ps are idle, or Never
	asleep  bool            // sysmon, which has seen them so
}

type goP struct {
	queue   list
	runnext int32
	due     list // whose timers have expired since it scheduled last
	inherit bool // who comes next has what is left of the slice of who goes
	tick    int  // scheduling decisions
	looks   bool
	alarm   des.Timer // when it looks
	victim  int32     // while it sleeps: whose runnext it saw, or None,
	prey    int32     // and who that was
	called  des.Time  // when its goroutine began the system call in which it keeps the P
	seen    bool      // sysmon has seen it there,
	over    bool      // and that its slice is over
}

const (
	goSlice = 20e-3
	// goGlobalEvery is how often a P looks at the global queue first
	// (runtime.schedule: schedtick%61).
	goGlobalEvery = 61

	// goPoll is in what steps who has nothing to do waits for timers: epoll counts in milliseconds (runtime.netpoll on Linux).
	goPoll = 1 * des.Millisecond
)

func newGo(m *machine, c core.CPU, stream func(string) des.Stream) *machine {
	p := &goroutines{
		machine: m, ps: make([]goP, c.Cores), global: newList(), urgent: newList(),
		slice: quantum(c, goSlice), random: stream("quantum"), arrival: m.far, pauses: !c.WakeQueued.IsZero(),
	}
	if p.pauses {
		p.arrival = variate.Compile(c.WakeQueued, 1)
	}
	for i := range p.ps {
		p.ps[i] = goP{queue: newList(), due: newList(), runnext: None, victim: None}
	}
	p.netpoll = m.NewAlarm(m.kind, int32(c.Cores))
	m.policy = p
	return m
}

// returns is when who waits for timers sees that of t, which has expired: it has waited since it began to, or since t went to
// sleep, as a timer that is the first of all makes it begin anew (runtime.wakeNetPoller). It waits for whole steps, fewer than what is left, or one,
// and where it has come back too early for what is left then.
func (p *goroutines) returns(t int32) des.Time {
	at, due := max(p.polled, p.threads[t].slept), p.Now()
	for at < due {
		at += max(1, (due-at-1)/goPoll) * goPoll
		back := at
		if p.costly {
			back += p.far.Time(&p.costs)
		}
		if back >= due {
			return max(at, due)
		}
		at = back
	}
	return at
}

// choose: who comes out of a system call goes on on the P that it has kept, for the rest of its slice, or takes it back from another one that is
// in a call (runtime.exitsyscallTryGetP); what the network poller readies goes to
// an idle P at once. Whose timer has expired waits until somebody looks (enqueue).
func (p *goroutines) choose(t, waker int32) int32 {
	if c := p.kept(t); c != None {
		p.comesBack(c)
		p.ps[c].inherit = true
		return c
	}
	if waker != None && !p.threads[t].system || p.byClock {
		return None
	}
	last := p.threads[t].last
	if p.byDevice && last != None && p.cores[last].caller != None {
		p.comesBack(last)
		return last
	}
	if last == None || !p.idle.has(last) || p.ps[last].looks {
		last = p.idleP()
	}
	if last != None {
		p.polled = p.Now()
		if p.byDevice {
			p.rouse()
		}
	}
	return last
}

// idleP returns an idle P that is not looking for work already, or None.
func (p *goroutines) idleP() int32 {
	if p.looking == 0 {
		return p.idle.first()
	}
	for c := range p.ps {
		if c := int32(c); p.idle.has(c) && !p.ps[c].looks {
			return c
		}
	}
	return None
}

func (p *goroutines) enqueue(t, waker int32) int32 {
	if p.threads[t].system {
		p.urgent.push(p.threads, t)
		return p.displaced()
	}
	if waker == None {
		if last := max(0, p.threads[t].last); p.byClock {
			p.ps[last].due.push(p.threads, t)
			p.due++
			p.reprogram(&p.cores[last])
			if p.idle.first() == None || p.IsSet(p.netpoll) {
				return None
			}
			if at := p.returns(t); at > p.Now() {
				p.Set(p.netpoll, at)
			} else {
				p.expireIdle()
			}
			return None
		}
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
	if p.looking > 0 {
		return false
	}
	c := p.idleP()
	if c == None {
		return false
	}
	p.look(c, p.arrival.Time(&p.costs))
	return true
}

// look lets the idle P c look for work after a time.
func (p *goroutines) look(c int32, after des.Time) {
	x := &p.ps[c]
	x.looks, x.alarm = true, p.After(after, p.kind, c)
	p.looking++
}

// looked ends that.
func (p *goroutines) looked(x *goP) {
	x.looks, x.victim = false, None
	p.looking--
}

// wakes: the P looks for work. If it finds some and there is more, it wakes
// the next P (runtime.resetspinning).
func (p *goroutines) wakes(c int32) int32 {
	switch n := int32(len(p.ps)); {
	case c > n:
		p.retake()
		return None
	case c == n:
		p.expireIdle()
		return None
	}
	x := &p.ps[c]
	victim := x.victim
	p.looked(x)
	if victim != None && p.ps[victim].runnext == x.prey {
		return p.takeNext(victim)
	}
	t := p.next(c)
	if t != None && p.queued+p.global.len > 0 {
		p.idle.remove(c)
		p.wakeP()
		p.idle.add(c)
	}
	return t
}

func (p *goroutines) started(u *unit, _ int32) des.Time {
	x := &p.ps[u.number]
	p.rise()
	switch {
	case !x.inherit:
		u.slice = u.picked + max(1, p.slice.Time(&p.random))
	case u.slice <= u.picked: // it is over: sysmon, which has just looked, looks again
		u.slice = u.picked + max(1, p.slice.Time(&p.random)/2)
	}
	x.inherit = false
	if x.looks { // a poller gave it work meanwhile
		p.Cancel(x.alarm)
		p.looked(x)
	}
	if !p.contended(u.number) {
		return des.Never
	}
	return u.slice
}

// contended reports whether a thread waits for the place of that of core c.
func (p *goroutines) contended(c int32) bool {
	x := &p.ps[c]
	return x.runnext != None || x.queue.len > 0 || p.global.len > 0 || x.due.len > 0
}

func (p *goroutines) stopped(*unit, int32) { p.rest(p.running - 1) }

// expireIdle is the return of who waits for timers: it runs the first of those that have expired on an idle P, and lets another one look
// for the rest. Those that expire while it is on its way it finds when it is there.
func (p *goroutines) expireIdle() {
	if p.polled == p.Now() {
		p.wakeP()
		return
	}
	p.polled = p.Now()
	c := p.idleP()
	if c == None {
		return
	}
	t := p.takeDue()
	if t == None {
		return
	}
	p.wait(-1)
	latency := des.Time(0)
	if p.costly {
		latency = p.far.Time(&p.costs)
	}
	p.polled += latency
	p.start(c, t, latency)
	if p.due > 0 {
		p.wakeP()
	}
}

// takeDue takes one whose timer has expired from any P, or returns None.
func (p *goroutines) takeDue() int32 {
	if p.due == 0 {
		return None
	}
	for _, other := range p.others() {
		if t := other.due.pop(p.threads); t != None {
			p.due--
			return t
		}
	}
	return None
}

func (p *goroutines) expired(u *unit, t int32) int32 {
	p.global.push(p.threads, t)
	next := p.find(u.number)
	if next == t {
		u.slice = p.Now() + max(1, p.slice.Time(&p.random))
	}
	return next
}

// next finds a goroutine for the free P c. Where there is only what another P is about to run, c sleeps first, if not too many
// others look for work already (runtime.findRunnable).
func (p *goroutines) next(c int32) int32 {
	t := p.find(c)
	if t == None && p.idle.first() == None { // it is the one that waits for timers now
		p.polled = p.Now()
	}
	if t != None || p.queued == 0 {
		return t
	}
	victim := p.busyNext()
	if victim == None {
		return None
	}
	if !p.pauses {
		return p.takeNext(victim)
	}
	if p.looking < p.running {
		p.ps[c].victim, p.ps[c].prey = victim, p.ps[victim].runnext
		p.look(c, max(1, p.far.Time(&p.costs)-p.arrival.Time(&p.costs)))
	}
	return None
}

// readyDue readies those whose timers have expired, each as the one that runs next (runtime.goready).
func (p *goroutines) readyDue(x *goP) {
	for t := x.due.pop(p.threads); t != None; t = x.due.pop(p.threads) {
		p.due--
		if x.runnext != None {
			x.queue.push(p.threads, x.runnext)
		}
		x.runnext = t
		p.queued++
	}
	p.wakeP()
}

// find is runtime.findRunnable: expired timers, now and then the global queue, then runnext, which has the rest of the slice
// (runtime.runqget), the local queue, the global queue, half the queue of another P, and the timers of another P.
func (p *goroutines) find(c int32) int32 {
	if t := p.urgent.pop(p.threads); t != None {
		return t
	}
	x := &p.ps[c]
	if x.due.len > 0 {
		p.readyDue(x)
	}
	x.tick++
	if x.tick%goGlobalEvery == 0 && p.global.head != None {
		return p.global.pop(p.threads)
	}
	if t := x.runnext; t != None {
		x.runnext, x.inherit = None, true
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
	if p.queued > 0 {
		if t := p.steal(c); t != None {
			return t
		}
	}
	return p.takeDue()
}

// steal takes half of the first non-empty queue from a random start, rounded up, of which the last is the first to run
// (runtime.runqsteal).
func (p *goroutines) steal(c int32) int32 {
	for _, victim := range p.others() {
		if victim.queue.len == 0 {
			continue
		}
		for range (victim.queue.len+1)/2 - 1 {
			p.ps[c].queue.push(p.threads, victim.queue.pop(p.threads))
		}
		p.queued--
		return victim.queue.pop(p.threads)
	}
	return None
}

// busyNext returns the first P from a random start that has a runnext.
func (p *goroutines) busyNext() int32 {
	for i, x := range p.others() {
		if x.runnext != None {
			return i
		}
	}
	return None
}

// others goes through the Ps from a random start.
func (p *goroutines) others() iter.Seq2[int32, *goP] {
	return func(yield func(int32, *goP) bool) {
		n := int32(len(p.ps))
		start := int32(p.random.Uint32n(uint32(n)))
		for i := range n {
			if at := (start + i) % n; !yield(at, &p.ps[at]) {
				return
			}
		}
	}
}

// takeNext takes the runnext of a P.
func (p *goroutines) takeNext(victim int32) int32 {
	x := &p.ps[victim]
	t := x.runnext
	x.runnext = None
	p.queued--
	return t
}

func (p *goroutines) sliceEnd(u *unit) des.Time {
	if !p.contended(u.number) {
		return des.Never
	}
	u.slice = renewed(u.slice, p.Now(), &p.slice, &p.random)
	return u.slice
}
