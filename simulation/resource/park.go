package resource

// park is LockSupport.park and unpark: unpark wakes a parked thread, or, when
// none is parked, leaves a permit that the next park consumes at once. A model
// does not say which thread is unparked, so it is the one that has been parked
// longest, and the permits, one per thread in the real thing, are one pool of
// at most as many as threads have parked here so far (at least one).
type park struct {
	tab     *Table
	permits int
	parkers int // distinct threads seen
	seen    []bool
	wait    list
}

func newPark(tab *Table) *park { return &park{tab: tab, wait: newList()} }

func (p *park) Call(t Thread, op Op, n int32) Outcome {
	switch op {
	case Park:
		for int(t) >= len(p.seen) {
			p.seen = append(p.seen, false)
		}
		if !p.seen[t] {
			p.seen[t] = true
			p.parkers++
		}
		if p.permits > 0 {
			p.permits--
			return Granted
		}
		p.tab.pushBack(&p.wait, t)
		return Blocked
	case Unpark:
		for n = atLeastOne(n); n > 0; n-- {
			if first := p.tab.popFront(&p.wait); first != NoThread {
				p.tab.grant(first)
			} else if p.permits < max(1, p.parkers) {
				p.permits++
			}
		}
		return Granted
	}
	return Unsupported
}

func (p *park) Try(t Thread, op Op, n int32) Outcome {
	if op == Park && p.permits == 0 {
		return Failed
	}
	return p.Call(t, op, n)
}

// Retry panics: an unparked thread has nothing to compete for.
func (p *park) Retry(Thread) Outcome { panic("resource: retry on park") }

func (p *park) Cancel(t Thread) Outcome {
	p.tab.remove(&p.wait, t)
	return Failed
}

func (p *park) Waiting() int              { return p.wait.len }
func (p *park) Held() int                 { return p.permits }
func (p *park) Holders(func(Thread) bool) {}
