package analysis

import "tierscope/core"

// settle takes out what is neither computation nor a lock: marks, constructors, yields, waits at
// objects that nobody of the model wakes.
func (b *build) settle() {
	for _, g := range b.modelled {
		for _, q := range g.seqs {
			q.rewrite(func(_ int, s step) []step {
				switch s.node.op {
				case OpMake:
					if r := b.calls[s.object]; r != nil && !r.timer && !r.oneSided {
						s.node, s.lock = b.nodes.virtual(made, s.node, core.SyncFragment), r
						s.node.makes = true
						return []step{s}
					}
					return nil
				case OpYield, OpTaskBegin, OpTaskEnd:
					return nil
				case OpPark: // at a lock whose operations were not recorded
					if s.lock == nil || s.lock.kind != core.Park {
						b.hiddenWaits += s.wall()
						return nil
					}
				}
				if s.lock != nil && !s.lock.timer && (s.lock.oneSided || s.lock.kind == core.Condition && s.lock.monitor == nil || s.lock.scope == core.PerThread) || s.node.class == core.SyncFragment && s.lock == nil && s.node.op != OpSelect {
					return nil
				}
				if s.lock != nil && s.lock.foreign && (s.node.op == OpSignal || s.node.op == OpBroadcast) {
					return nil
				}
				return []step{s}
			})
		}
	}
}

// markOneSided marks the channels, wait groups and conditions of which the
// modelled threads do only one side in the modelled phase: tokens that nobody
// sends would block the model for ever.
func (b *build) markOneSided() {
	b.collectUses()
	for _, r := range b.resources {
		wait, wake, passed := 0, 0, 0
		for _, u := range r.uses {
			if !b.isModelled(u.group) {
				continue
			}
			s := &u.seq.steps[u.step]
			switch op := s.node.op; {
			case op == OpCondWait || op == OpWaitGroup || op == OpPark || channelOp(s) == core.Receive:
				wait++
			case op == OpOnce && s.succeeded():
				wait++
			case op == OpOnce:
				passed++
			case op == OpSignal || op == OpBroadcast || op == OpDone || op == OpUnpark || s.node.virtual == onceDone ||
				channelOp(s) == core.Send || channelOp(s) == core.Close:
				wake++
			}
		}
		switch r.kind {
		case core.Channel:
			r.oneSided = !r.timer && !r.fed && (wait == 0 || wake == 0) && (r.prefill == 0 || wait == 0)
		case core.Condition, core.Latch, core.Park:
			r.oneSided = wait == 0 || wake == 0
		case core.Once: // of no matter unless somebody came while it ran
			r.oneSided = wait == 0 || wake == 0 || passed == 0
		case core.Mutex, core.Monitor, core.RWLock, core.Semaphore, core.Barrier,
			core.BlockingQueue, core.Phaser, core.Exchanger: // nobody waits there for a signal
		}
	}
}
