package processor

import "tierscope/simulation/des"

// A goroutine that waits in a system call keeps its P, so that nobody else computes there, until sysmon, a thread that wakes up now
// and then, has found it in the same call twice, or its slice is over (runtime.retake, of Go 1.26). Sysmon sleeps for 20 µs, and after 50 rounds in which it
// took no P from anybody each time twice as long, up to 10 ms: in a program of short calls they keep their Ps. One for
// which nothing waits, while another P is idle, it leaves alone for 10 ms. Where it finds all Ps idle it sleeps until a call
// begins, or ends without its P, and then begins anew with 20 µs (runtime.sysmon). Who returns and finds its P taken takes
// it back from another one in a call, or goes to another P that is idle, or to the global queue.

const (
	sysmonDelay  = 20 * des.Microsecond
	sysmonRounds = 50
	sysmonLatest = 10 * des.Millisecond
	// sysmonSlack is how much longer than it asked for sysmon sleeps: the timer slack of Linux (prctl(2), PR_SET_TIMERSLACK), 50 µs, and
	// what waking up and a round take: rounds of 93 to 95 µs on a virtual AMD EPYC.
	sysmonSlack = 75 * des.Microsecond
)

// sysmonTicks are when sysmon wakes up after it has taken a P, until its delay is the longest.
var sysmonTicks = func() (out []des.Time) {
	at := des.Time(0)
	for round, delay := 1, sysmonDelay; ; round++ {
		if round > sysmonRounds {
			delay *= 2
		}
		if delay >= sysmonLatest {
			return out
		}
		at += delay + sysmonSlack
		out = append(out, at)
	}
}()

// sysmonAfter is when sysmon wakes up next after a time since it has taken a P.
func sysmonAfter(since des.Time) des.Time {
	for _, at := range sysmonTicks {
		if at > since {
			return at
		}
	}
	last := sysmonTicks[len(sysmonTicks)-1]
	return last + ((since-last)/(sysmonLatest+sysmonSlack)+1)*(sysmonLatest+sysmonSlack)
}

// Keep implements Scheduler.
func (m *machine) Keep(core, t int32) {
	p, ok := m.policy.(*goroutines)
	if !ok || core == None {
		return
	}
	u := &m.cores[core]
	if !u.open || u.thread != t || u.heir != None {
		return
	}
	u.caller = t
	p.calls++
	p.rouse()
	x := &p.ps[core]
	x.called, x.seen, x.over = p.Now(), false, false
	p.watch()
}

// watch sets when sysmon looks next at the Ps that are kept: when it wakes up, or a slice ends.
func (p *goroutines) watch() {
	p.tick = p.taken + sysmonAfter(p.Now()-p.taken)
	at := p.tick
	for c := range p.cores {
		if u := &p.cores[c]; u.caller != None && !p.ps[c].over {
			at = min(at, max(u.slice, p.Now()))
		}
	}
	p.Cancel(p.sysmon)
	p.sysmon = p.After(at-p.Now(), p.kind, int32(len(p.ps))+1)
}

// LetGo implements Scheduler.
func (m *machine) LetGo(t int32) {
	p, ok := m.policy.(*goroutines)
	if !ok {
		return
	}
	c := p.kept(t)
	if c == None {
		return
	}
	p.comesBack(c)
	if next := p.next(c); next != None {
		m.enter(&m.cores[c], next)
		return
	}
	m.idle.add(c)
	p.rest(p.running)
}

// rest notes since when all Ps are idle, if they are with so many threads running.
func (p *goroutines) rest(running int) {
	if running == 0 && p.calls == 0 {
		p.rested = p.Now()
	}
}

// rise ends the rest of all Ps: sysmon sleeps if it has seen it.
func (p *goroutines) rise() {
	if p.rested != des.Never && p.taken+sysmonAfter(p.rested-p.taken) <= p.Now() {
		p.asleep = true
	}
	p.rested = des.Never
}

// rouse ends the sleep of sysmon, which begins anew.
func (p *goroutines) rouse() {
	if p.rise(); p.asleep {
		p.asleep, p.taken = false, p.Now()
	}
}

// kept returns the P that t keeps, or None.
func (p *goroutines) kept(t int32) int32 {
	if c := p.threads[t].last; c != None && p.cores[c].caller == t {
		return c
	}
	return None
}

// comesBack ends the call for which P c is kept.
func (p *goroutines) comesBack(c int32) {
	p.cores[c].caller = None
	if p.calls--; p.calls == 0 {
		p.Cancel(p.sysmon)
	}
}

// retake is sysmon's round: it takes the Ps whose goroutines it has seen in the same call before, and gives each to whoever looks for work, if there is any.
func (p *goroutines) retake() {
	took, woke := false, p.Now() >= p.tick
	for c := range p.ps {
		u, x := &p.cores[c], &p.ps[c]
		switch {
		case u.caller == None || !woke && (x.over || p.Now() < u.slice):
		case !x.seen && p.Now() < u.slice:
			x.seen = true
		case x.runnext == None && x.queue.len == 0 && (p.idle.first() != None || p.looking > 0) && p.Now()-x.called < sysmonLatest:
			x.over = p.Now() >= u.slice
		default:
			took = true
			p.comesBack(int32(c))
			p.idle.add(int32(c))
			p.rest(p.running)
			if p.queued+p.global.len+p.due > 0 {
				p.look(int32(c), p.arrival.Time(&p.costs))
			}
		}
	}
	if took {
		p.taken = p.Now()
	}
	if p.calls > 0 {
		p.watch()
	}
}
