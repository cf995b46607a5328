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
	random  des.Stream
}

// defaultQuantum is Linux' slice of equal CPU-bound threads at 250 Hz.
const defaultQuantum = 4e-3

func newRoundRobin(m *machine, c core.CPU, stream func(string) des.Stream) *machine {
	m.policy = &roundRobin{machine: m, ready: newList(), quantum: quantum(c, defaultQuantum), random: stream("quantum")}
	return m
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
			p.reprogram(int32(c))
		}
	}
	return None
}

func (p *roundRobin) started(c, _ int32) {
	u := &p.cores[c]
	u.slice = u.picked + p.draw()
}

// draw returns a quantum of at least a nanosecond.
func (p *roundRobin) draw() des.Time { return max(1, p.quantum.Time(&p.random)) }

func (p *roundRobin) stopped(int32, int32) {}

func (p *roundRobin) expired(c, t int32) int32 {
	if p.ready.head == None {
		p.started(c, t)
		p.cores[c].slice = p.Now() + p.draw()
		return t
	}
	p.ready.push(p.threads, t)
	return p.ready.pop(p.threads)
}

func (p *roundRobin) next(int32) int32 { return p.ready.pop(p.threads) }

func (p *roundRobin) sliceEnd(c int32) des.Time {
	if p.ready.head == None {
		return des.Never
	}
	u := &p.cores[c]
	u.slice = renewed(u.slice, p.Now(), &p.quantum, &p.random)
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
