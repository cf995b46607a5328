package processor

import (
	"tierscope/core"
	"tierscope/simulation/des"
	"tierscope/simulation/variate"
)

// roundRobin is the papers' scheduler: one global queue of ready threads, and a
// quantum drawn from a distribution (Tarvo, Using computer simulation…, §3;
// Tarvo & Reiss 2014, §3). A thread whose quantum ends goes to the tail.
type roundRobin struct {
	*machine
	ready   list
	quantum variate.Sampler
	fixed   des.Time // the quantum, if it is constant and rounds to the clock without a draw; else 0
	alike   bool     // all turns are as long, so that the one that begins last ends last; and the alarms of all cores are quick
	random  des.Stream
}

// defaultQuantum is Linux' slice of equal CPU-bound threads at 250 Hz.
const defaultQuantum = 4e-3

func newRoundRobin(m *machine, c core.CPU, stream func(string) des.Stream) *machine {
	p := &roundRobin{machine: m, ready: newList(), quantum: quantum(c, defaultQuantum), random: stream("quantum")}
	if q, ok := p.quantum.Constant(); ok {
		p.fixed = des.Whole(1e9 * q)
	}
	p.alike = p.fixed > 0 && len(m.cores) <= des.QuickAlarms
	m.policy, m.rounds = p, p
	return m
}

// rotate is machine.rotate for round robin where somebody waits: most events of a busy processor.
func (p *roundRobin) rotate(u *unit, now des.Time) {
	m := p.machine
	t, d := u.thread, now-u.begin
	x := &m.threads[t]
	x.used += d
	x.work -= d
	u.busy += d
	m.worked += d
	next := p.ready.exchange(m.threads, t)
	y := &m.threads[next]
	y.work += m.switchCost
	y.last, y.woken = u.number, false
	u.thread, u.last, u.begin, u.picked = next, next, now, now
	m.switches++
	u.slice = now + p.draw()
	u.finish, u.until, u.armed = now+y.work, u.slice, true
	if p.alike && u.finish > u.slice {
		m.SetLast(u.alarm, u.slice, len(m.cores)-1) // somebody waits: no core is idle
	} else {
		m.Set(u.alarm, min(u.finish, u.slice))
	}
}

func quantum(c core.CPU, otherwise float64) variate.Sampler {
	if c.Quantum.IsZero() {
		return variate.Compile(core.Distribution{Kind: core.Constant, Value: otherwise}, 1)
	}
	return variate.Compile(c.Quantum, 1)
}

func (p *roundRobin) choose(t, _ int32) int32 {
	if last := p.threads[t].last; last != None && p.idle.has(last) {
		return last
	}
	return p.idle.first()
}

func (p *roundRobin) enqueue(t, _ int32) int32 {
	p.ready.push(p.threads, t)
	if p.ready.head == p.ready.tail { // the first to wait: quanta matter from now on
		for c := range p.cores {
			p.reprogram(&p.cores[c])
		}
	}
	return None
}

func (p *roundRobin) started(u *unit, _ int32) des.Time {
	u.slice = u.picked + p.draw()
	u.until = u.slice
	if p.ready.head == None {
		return des.Never
	}
	return u.slice
}

// draw returns a quantum of at least a nanosecond.
func (p *roundRobin) draw() des.Time {
	if p.fixed > 0 {
		return p.fixed
	}
	return max(1, p.quantum.Time(&p.random))
}

func (p *roundRobin) stopped(*unit, int32) {}

func (p *roundRobin) expired(u *unit, t int32) int32 {
	if p.ready.head != None {
		return p.ready.exchange(p.threads, t)
	}
	u.slice = p.Now() + p.draw()
	u.until = u.slice
	return t
}

func (p *roundRobin) next(int32) int32 { return p.ready.pop(p.threads) }

func (p *roundRobin) sliceEnd(u *unit) des.Time {
	if p.ready.head == None {
		return des.Never
	}
	u.slice = renewed(u.slice, p.Now(), &p.quantum, &p.random)
	u.until = u.slice
	return u.slice
}

// renewed returns the end of the quantum that runs now, when a thread alone
// has been given one quantum after the other since end. One that ends just now,
// together with a burst, is not renewed: others wait.
func renewed(end, now des.Time, quantum *variate.Sampler, random *des.Stream) des.Time {
	if end >= now {
		return end
	}
	if q, ok := quantum.Constant(); ok {
		length := max(1, des.Seconds(q))
		return end + ((now-end)/length+1)*length
	}
	for end <= now {
		end += max(1, quantum.Time(random))
	}
	return end
}

func (p *roundRobin) wakes(int32) int32 { return None }
