package resource

import "slices"

// plainSemaphore is permits and a line of requests.
type plainSemaphore struct {
	j       *journal
	permits int32
	line    []visitor // depth is the number wanted
}

func (p *plainSemaphore) serve() {
	for len(p.line) > 0 && p.line[0].depth <= p.permits {
		p.permits -= p.line[0].depth
		p.j.grant(p.line[0].t)
		p.line = p.line[1:]
	}
}

func (p *plainSemaphore) Call(t Thread, op Op, n int32) Outcome {
	n = max(n, 1)
	if op == Exit {
		p.permits += n
		p.serve()
		return Granted
	}
	if len(p.line) > 0 || p.permits < n {
		p.line = append(p.line, visitor{t: t, depth: n})
		return Blocked
	}
	p.permits -= n
	return Granted
}

func (p *plainSemaphore) Try(t Thread, op Op, n int32) Outcome {
	if op == Exit {
		return p.Call(t, op, n)
	}
	if p.permits < max(n, 1) {
		return Failed
	}
	p.permits -= max(n, 1)
	return Granted
}

func (p *plainSemaphore) Retry(Thread) Outcome { panic("never") }

func (p *plainSemaphore) Cancel(t Thread) Outcome {
	p.line, _, _ = find(p.line, t)
	p.serve()
	return Failed
}

// plainGathering is every kind whose waiters all go at once: those that wait are
// a list, and a step releases the list with an outcome.
type plainGathering struct {
	j        *journal
	waiting  []Thread
	step     func(p *plainGathering, t Thread, op Op, n int32) Outcome
	try      func(p *plainGathering, t Thread, op Op) bool // would not wait
	canceled func(p *plainGathering)

	count, parties int32
	stopped        bool
	runner         Thread
}

func (p *plainGathering) release(o Outcome) {
	for _, t := range p.waiting {
		p.j.Resume(t, o, NoItem)
	}
	p.waiting = nil
}

func (p *plainGathering) wait(t Thread) Outcome {
	p.waiting = append(p.waiting, t)
	return Blocked
}

func (p *plainGathering) Call(t Thread, op Op, n int32) Outcome { return p.step(p, t, op, max(n, 1)) }

func (p *plainGathering) Try(t Thread, op Op, n int32) Outcome {
	if !p.try(p, t, op) {
		return Failed
	}
	return p.Call(t, op, n)
}

func (p *plainGathering) Retry(Thread) Outcome { panic("never") }

func (p *plainGathering) Cancel(t Thread) Outcome {
	p.waiting, _ = drop(p.waiting, t)
	if p.canceled != nil {
		p.canceled(p)
	}
	return Failed
}

func plainBarrier(j *journal, parties int32) reference {
	broke := func(p *plainGathering) { p.stopped = true; p.release(Failed) }
	return &plainGathering{j: j, parties: parties, canceled: broke,
		step: func(p *plainGathering, t Thread, _ Op, _ int32) Outcome {
			if p.stopped {
				return Failed
			}
			if p.wait(t); len(p.waiting) < int(p.parties) {
				return Blocked
			}
			p.waiting = slices.DeleteFunc(p.waiting, func(x Thread) bool { return x == t })
			p.release(Granted)
			return Granted
		},
		try: func(p *plainGathering, t Thread, _ Op) bool {
			if !p.stopped && len(p.waiting)+1 < int(p.parties) {
				broke(p)
				return false
			}
			return true
		}}
}

func plainLatch(j *journal, count int32) reference {
	return &plainGathering{j: j, count: count, stopped: count > 0,
		step: func(p *plainGathering, t Thread, op Op, n int32) Outcome {
			switch {
			case op == Add:
				p.count += n
			case op == Await && p.count > 0:
				return p.wait(t)
			case op == CountDown && n > p.count && !p.stopped:
				return Negative
			case op == CountDown:
				if p.count = max(0, p.count-n); p.count == 0 {
					p.release(Granted)
				}
			}
			return Granted
		},
		try: func(p *plainGathering, _ Thread, op Op) bool { return op != Await || p.count == 0 }}
}

func plainOnce(j *journal) reference {
	return &plainGathering{j: j, runner: NoThread,
		step: func(p *plainGathering, t Thread, op Op, _ int32) Outcome {
			switch {
			case op == Done && p.runner != t:
				return NotHeld
			case op == Done:
				p.stopped, p.runner = true, NoThread
				p.release(Granted)
			case p.stopped:
			case p.runner == NoThread:
				p.runner = t
				return First
			default:
				return p.wait(t)
			}
			return Granted
		},
		try: func(p *plainGathering, _ Thread, op Op) bool {
			return op == Done || p.stopped || p.runner == NoThread
		}}
}

// plainPhaser counts arrivals: count is how many have arrived.
func plainPhaser(j *journal, parties int32) reference {
	return &plainGathering{j: j, parties: parties,
		step: func(p *plainGathering, t Thread, op Op, n int32) Outcome {
			if p.stopped {
				return Granted
			}
			if op == Register {
				p.parties += n
				return Granted
			}
			if op == Leave {
				p.parties--
			} else {
				p.count++
			}
			switch {
			case p.count == p.parties:
				p.count, p.stopped = 0, p.parties == 0
				p.release(Granted)
			case op == Await:
				return p.wait(t)
			}
			return Granted
		},
		try: func(p *plainGathering, _ Thread, op Op) bool {
			if op == Await && !p.stopped && p.count+1 < p.parties {
				p.count++
				return false
			}
			return true
		}}
}

// plainPark is a pool of permits bounded by the number of threads seen.
type plainPark struct {
	j       *journal
	permits int
	seen    map[Thread]bool
	line    []Thread
}

func (p *plainPark) Call(t Thread, op Op, n int32) Outcome {
	if op == Park {
		p.seen[t] = true
		if p.permits == 0 {
			p.line = append(p.line, t)
			return Blocked
		}
		p.permits--
		return Granted
	}
	for range max(n, 1) {
		if len(p.line) > 0 {
			p.j.grant(p.line[0])
			p.line = p.line[1:]
			continue
		}
		p.permits = min(p.permits+1, max(1, len(p.seen)))
	}
	return Granted
}

func (p *plainPark) Try(t Thread, op Op, n int32) Outcome {
	if op == Park && p.permits == 0 {
		return Failed
	}
	return p.Call(t, op, n)
}

func (p *plainPark) Retry(Thread) Outcome { panic("never") }

func (p *plainPark) Cancel(t Thread) Outcome {
	p.line, _ = drop(p.line, t)
	return Failed
}
