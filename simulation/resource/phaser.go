package resource

// phaser is a barrier whose parties come and go (java.util.concurrent.Phaser,
// Arrive = arrive, Await = arriveAndAwaitAdvance, Leave = arriveAndDeregister,
// Register = register). The phase advances when every registered party has
// arrived; then all waiters go on. When the last party has left the phaser is
// terminated and nobody waits any more.
type phaser struct {
	tab        *Table
	parties    int32
	unarrived  int32
	terminated bool
	wait       list
}

func newPhaser(tab *Table, parties int) *phaser {
	return &phaser{tab: tab, parties: int32(parties), unarrived: int32(parties), wait: newList()}
}

func (p *phaser) Call(t Thread, op Op, n int32) Outcome {
	switch op {
	case Register, Arrive, Await, Leave:
	default:
		return Unsupported
	}
	if p.terminated {
		return Granted
	}
	if op == Register {
		p.parties += atLeastOne(n)
		p.unarrived += atLeastOne(n)
		return Granted
	}
	if p.unarrived == 0 {
		return Negative
	}
	p.unarrived--
	if op == Leave {
		p.parties--
	}
	if p.unarrived > 0 {
		if op == Await {
			p.tab.pushBack(&p.wait, t)
			return Blocked
		}
		return Granted
	}
	p.unarrived = p.parties
	p.terminated = p.parties == 0
	p.tab.finishAll(&p.wait, Granted)
	return Granted
}

// Try arrives and does not wait: Failed means that the phase has not advanced.
func (p *phaser) Try(t Thread, op Op, n int32) Outcome {
	if op == Await && p.unarrived > 1 && !p.terminated {
		p.unarrived--
		return Failed
	}
	return p.Call(t, op, n)
}

// Retry panics: a phaser never wakes a thread to compete.
func (p *phaser) Retry(Thread) Outcome { panic("resource: retry on a phaser") }

// Cancel ends the wait of t; its arrival counts all the same
// (awaitAdvanceInterruptibly with a timeout).
func (p *phaser) Cancel(t Thread) Outcome {
	p.tab.remove(&p.wait, t)
	return Failed
}

func (p *phaser) Waiting() int              { return p.wait.len }
func (p *phaser) Held() int                 { return int(p.parties - p.unarrived) }
func (p *phaser) Holders(func(Thread) bool) {}
