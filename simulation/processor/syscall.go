package processor

import "tierscope/simulation/des"

// A goroutine that waits in a system call keeps its P, so that nobody else computes there, until sysmon, a thread that wakes up now
// and then, has found it in the same call twice, or its slice is over (runtime.retake, of Go 1.26). Sysmon sleeps for 20 µs, and after 50 rounds in which it
// took no P from anybody each time twice as long, up to 10 ms: in a program of short calls they keep their Ps. One for
// which nothing waits, while another P is idle, it leaves alone for 10 ms. Who returns and finds its P taken goes to another
// that is idle, or to the global queue.

const (
	sysmonDelay  = 20 * des.Microsecond
	sysmonRounds = 50
	sysmonLatest = 10 * des.Millisecond
	// sysmonSlack is how much later than it asked for a thread wakes up: the timer slack of Linux (prctl(2), PR_SET_TIMERSLACK).
	sysmonSlack = 50 * des.Microsecond
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
	p.ps[core].called = p.Now()
	again := p.taken + sysmonAfter(sysmonAfter(p.Now()-p.taken))
	p.looksAgain(core, min(again, max(u.slice, p.Now())))
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
	p.Cancel(p.ps[c].retake)
}

// looksAgain lets sysmon look at P c at a time.
func (p *goroutines) looksAgain(c int32, at des.Time) {
	p.ps[c].retake = p.After(at-p.Now(), p.kind, int32(len(p.ps))+1+c)
}

// retake is sysmon's look at P c, whose goroutine it has seen in a call before. It gives the P to whoever looks for work, if there is any.
func (p *goroutines) retake(c int32) {
	x := &p.ps[c]
	if x.runnext == None && x.queue.len == 0 && (p.idle.first() != None || p.looking > 0) && p.Now()-x.called < sysmonLatest {
		p.looksAgain(c, p.taken+sysmonAfter(p.Now()-p.taken))
		return
	}
	p.taken = p.Now()
	p.cores[c].caller = None
	p.idle.add(c)
	if p.queued+p.global.len+p.due > 0 {
		p.look(c, p.arrival.Time(&p.costs))
	}
}
