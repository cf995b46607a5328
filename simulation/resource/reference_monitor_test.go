package resource

import "slices"

// plainMonitor is a Java monitor as an owner with a depth, a line of threads
// that want in, and a set of threads that wait.
type plainMonitor struct {
	j       *journal
	barging bool
	owner   Thread
	depth   int32
	line    []visitor
	waits   []visitor
	late    []visitor // wait timed out, have not asked to enter yet
	awake   Thread
}

// visitor is a thread with the depth that it will have inside.
type visitor struct {
	t       Thread
	depth   int32
	waiting bool // came from the wait set
}

func (p *plainMonitor) enter(v visitor) Outcome {
	if p.owner == NoThread {
		p.owner, p.depth = v.t, v.depth
		return Granted
	}
	p.line = append(p.line, v)
	return Blocked
}

func (p *plainMonitor) leave() {
	p.owner = NoThread
	if len(p.line) == 0 {
		return
	}
	first := p.line[0]
	switch {
	case !p.barging:
		p.line = p.line[1:]
		p.enter(first)
		p.j.grant(first.t)
	case p.awake != first.t:
		p.awake = first.t
		p.j.wake(first.t)
	}
}

func (p *plainMonitor) Call(t Thread, op Op, n int32) Outcome {
	n = max(n, 1)
	if op == Enter {
		if p.owner == t {
			p.depth += n
			return Granted
		}
		return p.enter(visitor{t: t, depth: n})
	}
	if p.owner != t {
		return NotHeld
	}
	switch op {
	case Exit:
		if n > p.depth {
			return NotHeld
		}
		if p.depth -= n; p.depth == 0 {
			p.leave()
		}
	case Wait:
		p.waits = append(p.waits, visitor{t, p.depth, true})
		p.leave()
		return Blocked
	default:
		k := len(p.waits)
		if op == Notify {
			k = min(k, int(n))
		}
		p.line = append(p.line, p.waits[:k]...)
		p.waits = p.waits[k:]
	}
	return Granted
}

func (p *plainMonitor) Try(t Thread, op Op, n int32) Outcome {
	if op == Enter && p.owner != t && p.owner != NoThread || op == Wait && p.owner == t {
		return Failed
	}
	return p.Call(t, op, n)
}

// find takes the visit of t out of a list.
func find(list []visitor, t Thread) ([]visitor, visitor, bool) {
	i := slices.IndexFunc(list, func(v visitor) bool { return v.t == t })
	if i < 0 {
		return list, visitor{}, false
	}
	v := list[i]
	return slices.Delete(slices.Clone(list), i, i+1), v, true
}

func (p *plainMonitor) Retry(t Thread) Outcome {
	var v visitor
	var late bool
	if p.late, v, late = find(p.late, t); late {
		return p.enter(v)
	}
	p.awake = NoThread
	if p.owner != NoThread {
		return Blocked
	}
	p.line, v, _ = find(p.line, t)
	return p.enter(v)
}

func (p *plainMonitor) Cancel(t Thread) Outcome {
	var v visitor
	var ok bool
	if p.waits, v, ok = find(p.waits, t); ok {
		p.late = append(p.late, v)
		return Retry
	}
	line, v, ok := find(p.line, t)
	if !ok || v.waiting {
		return Blocked
	}
	p.line = line
	if p.awake == t {
		p.awake = NoThread
		if p.owner == NoThread {
			p.leave()
		}
	}
	return Failed
}

// plainCondition is a line of sleepers beside a lock.
type plainCondition struct {
	j        *journal
	lock     reference
	sleepers []visitor
	going    []visitor // notified or late, have not asked for the lock yet
}

func (p *plainCondition) Call(t Thread, op Op, n int32) Outcome {
	m, reentrant := p.lock.(*plainMonitor)
	if op == Wait {
		depth := int32(1)
		if reentrant {
			depth = m.depth
		}
		o := p.lock.Call(t, Exit, depth)
		if o != Granted {
			return o
		}
		p.sleepers = append(p.sleepers, visitor{t: t, depth: depth})
		return Blocked
	}
	k := len(p.sleepers)
	if op == Notify {
		k = min(k, int(max(n, 1)))
	}
	for _, v := range p.sleepers[:k] {
		switch {
		case !reentrant:
			p.going = append(p.going, v)
			p.j.wake(v.t)
		case m.enter(v) == Granted:
			p.j.grant(v.t)
		}
	}
	p.sleepers = p.sleepers[k:]
	return Granted
}

func (p *plainCondition) Try(t Thread, op Op, n int32) Outcome {
	if op == Wait {
		return Failed
	}
	return p.Call(t, op, n)
}

func (p *plainCondition) Retry(t Thread) Outcome {
	var v visitor
	var ok bool
	if p.going, v, ok = find(p.going, t); !ok {
		return p.lock.Retry(t)
	}
	if m, reentrant := p.lock.(*plainMonitor); reentrant {
		return m.enter(v)
	}
	return p.lock.Call(t, Enter, v.depth)
}

func (p *plainCondition) Cancel(t Thread) Outcome {
	var v visitor
	var ok bool
	if p.sleepers, v, ok = find(p.sleepers, t); !ok {
		return Blocked
	}
	p.going = append(p.going, v)
	return Retry
}

// pair is a condition variable and its lock behind one set of operations, as a
// program sees them.
type pair struct {
	lock, condition reference
	last            [programThreads]reference
}

func (p *pair) to(t Thread, op Op) reference {
	p.last[t] = p.lock
	if op == Wait || op == Notify || op == NotifyAll {
		p.last[t] = p.condition
	}
	return p.last[t]
}

func (p *pair) Call(t Thread, op Op, n int32) Outcome { return p.to(t, op).Call(t, op, n) }
func (p *pair) Try(t Thread, op Op, n int32) Outcome  { return p.to(t, op).Try(t, op, n) }
func (p *pair) Retry(t Thread) Outcome                { return p.last[t].Retry(t) }
func (p *pair) Cancel(t Thread) Outcome               { return p.last[t].Cancel(t) }

// lockPair is a pair that is a Lock: it shows the state of its lock.
type lockPair struct {
	pair
	Lock
}

func (p *lockPair) Call(t Thread, op Op, n int32) Outcome { return p.pair.Call(t, op, n) }
func (p *lockPair) Try(t Thread, op Op, n int32) Outcome  { return p.pair.Try(t, op, n) }
func (p *lockPair) Retry(t Thread) Outcome                { return p.pair.Retry(t) }
func (p *lockPair) Cancel(t Thread) Outcome               { return p.pair.Cancel(t) }
