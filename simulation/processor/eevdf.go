package processor

import (
	"math"

	"tierscope/core"
	"tierscope/simulation/des"
)

// eevdf is Linux' scheduler since 6.6 (kernel/sched/fair.c): earliest eligible
// virtual deadline first (Stoica & Abdel-Wahab 1995), one run queue per core.
//
// A thread's virtual time v advances at 1/weight while it runs; the queue's
// virtual time V is the weighted mean of its threads' v. A thread is eligible
// when v ≤ V: it has had no more than its share. The eligible thread with the
// earliest deadline (v + slice/weight at the time of its request) runs. What a
// thread is owed when it blocks, its lag V−v, it keeps up to a credit.
//
//   - A thread is preempted at a tick, once its request is fulfilled
//     (v ≥ deadline), or by a woken thread with a better claim: at once if it is not
//     eligible any more, else after it has run for a slice since it was picked (run to parity).
//   - A woken thread goes to its last core if that is idle, else to one where it ran not long
//     ago, else to an idle one if the kernel looks for it (idlescan.go), else it queues where it ran last, or
//     behind who wakes it and is about to wait, if nobody else does (wake_affine).
//   - A core that runs out of threads pulls one from the longest queue that has
//     not run there a moment ago, whose data are in the caches there (task_hot);
//     if all have, it looks again at the next tick of that core. And
//     every balance interval a thread moves from the longest queue to a
//     shorter one.
type eevdf struct {
	*machine
	queues   []fairQueue
	tick     des.Time
	slice    float64 // ns of CPU time at weight 1
	credit   float64 // ns
	balance  des.Time
	balancer des.Alarm
	loads    loads
	looks    []bool // the alarm of the idle core is set: it looks for threads to pull
	random   des.Stream
}

// fairState is what eevdf keeps of a thread. Virtual times are in ns.
type fairState struct {
	v, deadline float64
	lag         float64 // when it blocked
	mean        float64 // V when it blocked
	epoch       uint32  // of the queue when it blocked
	queue       int32   // where it blocked
	owes        bool    // and still counts there
	recent      int32   // core where it had run when its last one was not idle, before
}

// Defaults of Linux with HZ = 250 (core.CPU).
const (
	defaultTick    = 4e-3
	baseSlice      = 0.7e-3 // times 1 + log₂ min(cores, 8)
	scalingCores   = 8
	defaultBalance = 1.0
	migrationCost  = .5e-3 // sysctl_sched_migration_cost: for so long a thread is hot
)

func newEEVDF(m *machine, c core.CPU, stream func(string) des.Stream) *machine {
	p := &eevdf{machine: m, queues: make([]fairQueue, c.Cores), loads: newLoads(c.Cores), looks: make([]bool, c.Cores), random: stream("balance")}
	or := func(x, otherwise float64) float64 {
		if x > 0 {
			return x
		}
		return otherwise
	}
	tick := or(c.Tick, defaultTick)
	slice := or(c.BaseSlice, baseSlice*(1+math.Floor(math.Log2(float64(min(c.Cores, scalingCores))))))
	p.tick, p.slice = des.Seconds(tick), slice*1e9
	p.credit = or(c.Credit, max(2*slice, tick)) * 1e9
	p.balance = des.Seconds(or(c.Balance, defaultBalance))
	for i := range p.queues {
		p.queues[i].phase = des.Time(p.random.Float64() * float64(p.tick))
	}
	p.balancer = m.NewAlarm(m.kind, int32(c.Cores))
	m.policy = p
	return m
}

func (p *eevdf) choose(t, _ int32) int32 {
	x := &p.threads[t]
	c := x.last
	if x.fair.owes {
		p.returns(t)
	}
	switch {
	case c == None:
		c = p.idle.first()
		x.fair.recent = c
	case x.stays:
		if !p.idle.has(c) || p.cores[c].last != t {
			c = p.idle.first()
		}
	case !p.idle.has(c):
		recent := x.fair.recent
		x.fair.recent = c
		if recent == c || !p.idle.has(recent) {
			recent = p.scan(c)
		}
		c = recent
	}
	if c != None { // nobody to owe or be owed: virtual time starts anew
		x.fair.v, x.fair.deadline = 0, p.slice/x.weight
	}
	return c
}

func (p *eevdf) enqueue(t, waker int32) int32 {
	x := &p.threads[t]
	c := x.last
	if c != None && waker != None && (x.stays || x.near && p.queues[waker].len() == 0) {
		c = waker
	}
	if c == None { // new threads go to the shortest queue
		c = 0
		for i := range p.queues {
			if p.queues[i].len() < p.queues[c].len() {
				c = int32(i)
			}
		}
		p.threads[t].fair.recent = c
	}
	u := &p.cores[c]
	p.update(c)
	p.forgive(c)
	p.place(c, t)
	p.add(c, t)
	if !p.IsSet(p.balancer) && len(p.cores) > 1 {
		p.SetAfter(p.balancer, p.interval())
	}
	p.kick(c)
	if !u.open && !p.paused && p.Now() >= u.picked && p.better(c, t, float64(p.Now()-u.picked) < p.slice) {
		return c
	}
	p.reprogram(&p.cores[c])
	return None
}

// kick lets all idle cores look for threads at the next tick of core c, which has some: one of them does it for all (nohz_balancer_kick).
func (p *eevdf) kick(c int32) {
	if p.idle.first() == None {
		return
	}
	for i := range p.cores {
		if p.idle.has(int32(i)) {
			p.lookLater(int32(i), c)
		}
	}
}

// lookLater lets the idle core c look for threads at the next tick of a core that has some.
func (p *eevdf) lookLater(c, from int32) {
	if !p.paused && !p.looks[c] {
		p.looks[c] = true
		p.Set(p.cores[c].alarm, p.queues[from].tickFrom(p.Now()+1, p.tick))
	}
}

// add lets t wait for core c.
func (p *eevdf) add(c, t int32) {
	q := &p.queues[c]
	q.add(p.threads, t)
	if q.len() == 1 { // the first to wait: slices matter from now on
		p.cores[c].until = 0
		p.catchUp(c)
	}
}

// interval is the time to the next balancing: Linux' depends on the load and
// on chance (measured: one migration in 0.5–3 s).
func (p *eevdf) interval() des.Time {
	return p.balance/2 + des.Time(p.random.Float64()*float64(p.balance))
}

// update brings the virtual time of the running thread of core c up to now.
func (p *eevdf) update(c int32) {
	u, q := &p.cores[c], &p.queues[c]
	now := p.Now()
	if u.thread != None && !p.paused {
		if d := now - max(q.updated, u.picked); d > 0 {
			p.threads[u.thread].fair.v += float64(d) / p.threads[u.thread].weight
		}
	}
	q.updated = now
}

// mean is the virtual time V of core c: the weighted mean of v over the waiting
// threads and the running one.
func (p *eevdf) mean(c int32) float64 { return p.meanWith(c, None) }

// meanWith is mean with a thread that is not in the queue any more.
func (p *eevdf) meanWith(c, gone int32) float64 {
	q := &p.queues[c]
	weight, moment := q.weight+q.delayed.weight, q.moment+q.delayed.moment
	for _, t := range [...]int32{p.cores[c].thread, gone} {
		if t != None {
			x := &p.threads[t]
			weight += x.weight
			moment += x.weight * x.fair.v
		}
	}
	if weight == 0 {
		return 0
	}
	return moment / weight
}

// place gives a woken thread its virtual time: the credit that it had when it
// blocked, inflated because its own arrival moves V (place_entity); a debt
// fades as V advances.
func (p *eevdf) place(c, t int32) {
	x, q := &p.threads[t], &p.queues[c]
	f := &x.fair
	mean := p.mean(c)
	load := q.weight + q.delayed.weight
	if r := p.cores[c].thread; r != None {
		load += p.threads[r].weight
	}
	lag := f.lag
	switch {
	case load == 0:
		lag = 0
	case lag > 0:
		lag *= (load + x.weight) / load
	case f.queue == c && f.epoch == q.epoch:
		lag = min(0, lag+mean-f.mean)
	default:
		lag = 0
	}
	f.v = mean - lag
	f.deadline = f.v + p.slice/x.weight
}

// catchUp moves the deadline of the running thread of core c, which was alone
// until now, to where the ticks since would have put it: a fulfilled request
// is renewed at the next tick.
func (p *eevdf) catchUp(c int32) {
	u, q := &p.cores[c], &p.queues[c]
	if u.thread == None {
		return
	}
	x := &p.threads[u.thread]
	f := &x.fair
	if f.v < f.deadline {
		return
	}
	u.until = 0
	now := p.Now()
	late := des.Time((f.v - f.deadline) * x.weight)
	first := q.tickFrom(now-late, p.tick)
	if first >= now {
		return
	}
	request := (des.Time(p.slice) + p.tick - 1) / p.tick * p.tick
	last := first + (now-first)/request*request
	f.deadline = f.v - float64(now-last)/x.weight + p.slice/x.weight
}

// better reports whether waiting thread t of core c has a better claim than
// all others there, the running one included, which may be protected: as long as it is eligible.
func (p *eevdf) better(c, t int32, protected bool) bool {
	q, mean := &p.queues[c], p.mean(c)
	x := &p.threads[t].fair
	if x.v > mean+epsilon || q.best(p.threads, mean) != t {
		return false
	}
	r := &p.threads[p.cores[c].thread].fair
	return r.v > mean+epsilon || !protected && r.deadline > x.deadline
}

func (p *eevdf) started(u *unit, _ int32) des.Time {
	if p.looks[u.number] {
		p.looks[u.number] = false
		p.Stop(u.alarm)
	}
	p.loads.cores[u.number].starts(p.Now())
	p.queues[u.number].updated, u.until = p.Now(), 0
	return p.sliceEnd(u)
}

func (p *eevdf) stopped(u *unit, t int32) {
	c := u.number
	p.loads.cores[c].stops(p.Now())
	p.threads[t].ran = p.Now()
	x, q := &p.threads[t], &p.queues[c]
	if q.len() == 0 && len(q.delayed.threads) == 0 { // alone: it has had what it is entitled to
		x.fair.lag = 0
		return
	}
	p.update(c)
	mean := p.mean(c)
	x.fair.lag = max(-p.credit, min(p.credit, mean-x.fair.v))
	x.fair.mean, x.fair.epoch, x.fair.queue = mean, q.epoch, c
	if x.fair.lag < 0 && q.len() > 0 {
		q.delayed.add(p.threads, t)
	}
}

// returns ends the time in which t, which has blocked, counts where it did.
func (p *eevdf) returns(t int32) { p.queues[p.threads[t].fair.queue].delayed.remove(p.threads, t) }

// forgive lets those go that owe core c nothing any more. It is small enough for the compiler to put in line: mostly nobody owes.
func (p *eevdf) forgive(c int32) {
	if len(p.queues[c].delayed.threads) > 0 {
		p.forgiveSome(c)
	}
}

func (p *eevdf) forgiveSome(c int32) {
	d := &p.queues[c].delayed
	for t := d.eligible(p.threads, p.mean(c)); t != None; t = d.eligible(p.threads, p.mean(c)) {
		d.remove(p.threads, t)
	}
}

func (p *eevdf) expired(u *unit, t int32) int32 {
	c := u.number
	p.update(c)
	x, q := &p.threads[t], &p.queues[c]
	if x.fair.v >= x.fair.deadline-epsilon {
		x.fair.deadline = x.fair.v + p.slice/x.weight
		u.until = 0
	}
	if q.len() == 0 {
		return t
	}
	p.forgive(c)
	mean := p.mean(c)
	x.ran = p.Now()
	q.add(p.threads, t)
	return q.take(p.threads, mean)
}

func (p *eevdf) next(c int32) int32 {
	q := &p.queues[c]
	if q.len() > 0 {
		return q.take(p.threads, (q.moment+q.delayed.moment)/(q.weight+q.delayed.weight))
	}
	if len(q.delayed.threads) > 0 {
		q.delayed.clear(p.threads)
	}
	q.epoch++
	return p.pull(c)
}

// pull takes a thread that is not hot from the longest queue for the idle core c, or looks again at the next tick there.
func (p *eevdf) pull(c int32) int32 {
	from := p.longest()
	if from == None {
		return None
	}
	now := p.Now()
	if t := p.queues[from].takeCold(p.threads, now-des.Seconds(migrationCost)); t != None {
		return p.migrate(t, from, c, 0)
	}
	p.lookLater(c, from)
	return None
}

// longest returns the core with most waiting threads, or None.
func (p *eevdf) longest() int32 {
	if p.waiting == 0 {
		return None
	}
	best, most := None, 0
	for i := range p.queues {
		if n := p.queues[i].len(); n > most {
			best, most = int32(i), n
		}
	}
	return best
}

// migrate brings a thread that was taken from the queue of core from to core to, whose virtual time
// is mean; the thread keeps its lag.
func (p *eevdf) migrate(t, from, to int32, mean float64) int32 {
	p.update(from)
	lag := p.meanWith(from, t)
	if p.queues[from].len() == 0 {
		p.cores[from].until = des.Never
	}
	f := &p.threads[t].fair
	lag -= f.v
	request := f.deadline - f.v
	f.v = mean - lag
	f.deadline = f.v + request
	p.threads[t].last = to
	return t
}

// wakes is the balancing event, whose target follows the cores: a thread moves
// from the longest queue to the shortest, if only to take turns.
func (p *eevdf) wakes(c int32) int32 {
	if int(c) < len(p.looks) {
		p.looks[c] = false
		return p.pull(c)
	}
	from := p.longest()
	if from == None {
		return None
	}
	to := from
	for i := range p.queues {
		if p.queues[i].len() < p.queues[to].len() {
			to = int32(i)
		}
	}
	if to != from && !p.idle.has(to) {
		p.update(to)
		t := p.migrate(p.queues[from].takeLast(p.threads), from, to, p.mean(to))
		p.add(to, t)
		p.reprogram(&p.cores[to])
	}
	p.SetAfter(p.balancer, p.interval())
	return None
}

func (p *eevdf) sliceEnd(u *unit) des.Time {
	c := u.number
	q := &p.queues[c]
	if q.len() == 0 {
		u.until = des.Never
		return des.Never
	}
	if u.until > p.Now() {
		return u.until
	}
	p.update(c)
	x := &p.threads[u.thread]
	from := max(u.begin, p.Now())
	need := des.Time(math.Ceil((x.fair.deadline - x.fair.v) * x.weight))
	u.until = q.tickFrom(from+max(0, need), p.tick)
	return u.until
}
