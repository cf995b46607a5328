package guards

import (
	"fmt"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// Where no scan has read the program, the run shows that threads of a pool work until they are told to stop: each sleeps in every
// round, waits for nobody's message, and was left in the very round in which somebody came to join it.
//
//	while (!stop) { usleep(…); … }         stop = 1; pthread_join(thread, 0);
//
// fewestSeen rounds of each are needed. Theory: that a join begins within the last of n equal rounds has the probability 1/n by
// chance, 5 %.
const fewestSeen = 20

// joins are the joins of threads, by the thread.
func joins(tr *trail.Trail) map[uint64]waiter {
	by := map[uint64]waiter{}
	for _, g := range tr.Pools {
		for _, q := range g.Sequences {
			for i := range q.Steps {
				if s := &q.Steps[i]; s.Node.Op == trace.OpJoin {
					by[s.Value] = waiter{g, q, i}
				}
			}
		}
	}
	return by
}

// during returns the join that began in a time: this one, or one of those right before it. Of threads that are joined one after the
// other all may be told before the first join.
func (w waiter) during(from, to int64) (waiter, bool) {
	for ; w.step >= 0 && w.of().Node.Op == trace.OpJoin && w.of().Start >= from; w.step-- {
		if w.of().Start <= to {
			return w, true
		}
	}
	return w, false
}

// seenToStop returns how the threads of a pool were told to leave a loop, as the run shows; nil if it does not.
func seenToStop(g *trail.Pool, l *trail.Loop, joins map[uint64]waiter) []told {
	if len(l.Entries) != len(g.Sequences) {
		return nil
	}
	for n := range l.Members {
		switch n.Op {
		case trace.OpReceive, trace.OpTryReceive, trace.OpSelect, trace.OpCondWait, trace.OpAcquire, trace.OpBarrier, trace.OpWaitGroup, trace.OpJoin:
			return nil // a message may say that there is nothing more
		}
	}
	var all []told
	for _, e := range l.Entries {
		n := len(e.Heads)
		if !e.Ended || n < fewestSeen || sleeps(e.Seq.Steps[e.First:e.Past]) < n-1 {
			return nil
		}
		t, during := lastRound(e), false
		if t.waiter, during = joins[uint64(e.Seq.Thread.ID)].during(t.from, t.to); !during {
			return nil
		}
		all = append(all, t)
	}
	return all
}

// sleeps is how often a thread sleeps in some of its steps.
func sleeps(steps []trail.Step) (n int) {
	for i := range steps {
		if steps[i].Node.Op == trace.OpSleep {
			n++
		}
	}
	return n
}

// seen makes the loop of a pool that is seen to be told ask a channel, which who joins its threads closes.
func seen(tr *trail.Trail, g *trail.Pool, joins map[uint64]waiter) bool {
	for _, q := range g.Sequences {
		if _, joined := joins[uint64(q.Thread.ID)]; !joined || sleeps(q.Steps) < fewestSeen-1 {
			return false
		}
	}
	for _, l := range trail.FindLoops(g.Sequences) {
		all := seenToStop(g, l, joins)
		if all == nil {
			continue
		}
		at := map[waiter]int64{}
		for _, t := range all {
			at[t.waiter] = t.waiter.of().Start
		}
		f := trace.UserFrame(trace.FramesAt(tr.Trace.Sites, l.Header.Site))
		connect(tr, g, all, at)
		tr.Assume(fmt.Sprintf("pool %s: its loop at %s goes on until its threads are joined, in whose last round of %d that began", g.Name, trace.ShortPlace(f), len(all[0].it.Heads)))
		return true
	}
	return false
}
