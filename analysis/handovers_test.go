package analysis

import (
	"slices"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// handed are the users of connections (stocks_test.go) who wait at a channel of their own for one that whoever brings it back, under
// the same lock, sends there; or closes the channel, or completes a future, as op says. early ns before that one leaves the lock they go on.
func handed(connections int, op trace.Op, early int64) *script {
	s := newScript()
	main := s.thread("main", nil, 0)
	var us []*actor
	for range 4 {
		us = append(us, s.thread("user", main, main.now+10))
	}
	s.trace.Objects = append(s.trace.Objects, trace.Object{ID: 1, Kind: "mutex"})
	kind, waits := "chan", trace.OpReceive
	if op == trace.OpDone {
		kind, waits = "latch", trace.OpWaitGroup
	}
	type back struct {
		at         int64
		by         *actor
		sendBefore int // record
	}
	free := make([]back, connections)
	took := make([]int, len(us))
	for range 6 * len(us) {
		a := earliest(us, took)
		c := &free[0]
		for k := range free {
			if free[k].at < c.at {
				c = &free[k]
			}
		}
		a.does(trace.OpLock, "take", 1, 0, 5)
		wait, channel := c.at-a.now, uint64(100+len(s.trace.Objects))
		if wait > 1 {
			s.trace.Objects = append(s.trace.Objects, trace.Object{ID: channel, Kind: kind, Capacity: 1, Elem: 8, Site: s.site("user", "make")})
			if kind == "latch" {
				a.does(trace.OpAdd, "make", channel, 0, 0)
			}
		}
		a.does(trace.OpUnlock, "taken", 1, 0, 1)
		if wait > 1 {
			a.does(waits, "wait", channel, 1, max(wait-1-early, 1))
			rs := &s.trace.Threads[c.by.id].Records
			send := (*rs)[c.sendBefore]
			send.Op, send.Object, send.Site = op, channel, s.site("user", "hand")
			sent := send
			sent.End = true
			*rs = slices.Insert(*rs, c.sendBefore, send, sent)
			for k := range free {
				if free[k].by == c.by && free[k].sendBefore > c.sendBefore {
					free[k].sendBefore += 2
				}
			}
		}
		a.compute(100_000)
		a.does(trace.OpLock, "bring", 1, 0, 5)
		c.by, c.sendBefore = a, len(s.trace.Threads[a.id].Records)
		a.does(trace.OpUnlock, "brought", 1, 0, 1)
		c.at = a.now
	}
	endAll(main, us)
	return s
}

// Connections that are handed over to who waits for one are a semaphore with as many permits, as those are for which threads wait at
// a condition, whether they go on before or after the one that hands it over has left the lock.
func TestAStockThatIsHandedOverIsASemaphore(t *testing.T) {
	t.Parallel()
	for _, n := range []int{2, 3} {
		for _, op := range []trace.Op{trace.OpSend, trace.OpClose, trace.OpDone} {
			for _, early := range []int64{0, 1} {
				s := handed(n, op, early)
				m, _ := s.build(t, trail.Options{})
				if len(m.Locks) != 1 || m.Locks[0].Kind != core.Semaphore || m.Locks[0].Permits != n {
					t.Errorf("%d connections, handed over by %v, early by %d ns: locks %+v, want a semaphore with %d permits", n, op, early, m.Locks, n)
				}
			}
		}
	}
}

// What is not a stock stays what it was: where a thread waits though others are left, the channels are channels.
func TestChannelsBehindALockThatIsNoStockStayChannels(t *testing.T) {
	t.Parallel()
	s := handed(3, trace.OpSend, 0)
	other := s.thread("user", nil, 1)
	other.does(trace.OpLock, "take", 1, 0, 5).does(trace.OpUnlock, "taken", 1, 0, 1)
	other.does(trace.OpLock, "bring", 1, 0, 5).does(trace.OpUnlock, "brought", 1, 0, 1)
	for range 3 { // brings more than it takes
		other.does(trace.OpLock, "bring", 1, 0, 5).does(trace.OpUnlock, "brought", 1, 0, 1)
	}
	other.ends()
	m, _ := s.build(t, trail.Options{Threshold: -1})
	channels := 0
	for _, l := range m.Locks {
		switch l.Kind {
		case core.Semaphore:
			t.Errorf("a semaphore %+v of what is brought back more often than it is taken", l)
		case core.Channel:
			channels++
		}
	}
	if channels == 0 {
		t.Errorf("no channel is left of locks %+v", m.Locks)
	}
}
