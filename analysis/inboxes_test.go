package analysis

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// givenWork is two workers, each with a lock and a condition of its own, and who gives them work in rounds.
type givenWork struct {
	s    *script
	main *actor
	ws   []*actor
}

func newGivenWork() *givenWork {
	s := newScript()
	s.trace.Calibration.WakeIdle = []float64{50e-6}
	c := &givenWork{s: s, main: s.thread("main", nil, 0)}
	c.ws = []*actor{s.thread("worker", c.main, 0), s.thread("worker", c.main, 0)}
	return c
}

func lockOf(i int) uint64      { return uint64(1 + i) }
func conditionOf(i int) uint64 { return uint64(11 + i) }

// give signals a worker, which goes on then if it waits.
func (c *givenWork) give(site string, i int) {
	c.main.compute(1000).does(trace.OpLock, site+" lock", lockOf(i), 0, 0)
	c.main.compute(100).does(trace.OpSignal, site, conditionOf(i), 1, 0)
	c.main.compute(100).does(trace.OpUnlock, site+" unlock", lockOf(i), 0, 0)
}

// waits lets a worker, who has the lock, wait until main has signalled it; woken is when that was.
func (c *givenWork) waits(i int, woken int64) { c.waitsAt("wait", i, woken) }

func (c *givenWork) waitsAt(site string, i int, woken int64) {
	w := c.ws[i]
	w.hit(trace.OpCondWait, site, false, conditionOf(i), 0, 0)
	w.now = max(w.now, woken) + 10_000
	w.hit(trace.OpCondWait, site, true, conditionOf(i), 1, 0)
}

func (c *givenWork) enters(i int) { c.ws[i].compute(200).does(trace.OpLock, "enter", lockOf(i), 0, 0) }
func (c *givenWork) leaves(i int) {
	c.ws[i].compute(200).does(trace.OpUnlock, "leave", lockOf(i), 0, 0)
}

// isAwaited lets a worker, who has worked under its lock, tell main that it is done, which waits for that, and enter again.
func (c *givenWork) isAwaited(i int) {
	w := c.ws[i]
	c.main.hit(trace.OpLock, "await lock", false, lockOf(i), 0, 0)
	w.does(trace.OpSignal, "done", conditionOf(i), 1, 0)
	c.leaves(i)
	c.main.now = max(c.main.now, w.now) + 1000
	c.main.hit(trace.OpLock, "await lock", true, lockOf(i), 0, 0)
	c.main.compute(100).does(trace.OpUnlock, "await unlock", lockOf(i), 0, 0)
	w.now = max(w.now, c.main.now)
	c.enters(i)
}

// ofWork is a crew that is given work in so many rounds; leaves: the workers leave the lock to work, and tell who gave it through a channel;
// otherwise they work under it, and whoever gave it waits at the same condition.
func ofWork(rounds int, leaves bool) *givenWork {
	const results = 50
	c := newGivenWork()
	c.s.channel(results, 8)
	for i := range c.ws {
		c.enters(i)
	}
	for round := range rounds {
		for i, w := range c.ws {
			c.give("give", i)
			woken := c.main.now
			c.waits(i, woken)
			c.give("more", i) // while it works: it finds nothing to do in that
			if leaves {
				c.leaves(i)
			}
			w.compute(2_000_000 + int64(round%3)*1000)
		}
		c.main.compute(700_000) // its own part
		for i, w := range c.ws {
			if leaves {
				w.does(trace.OpSend, "send", results, 0, 0)
				c.main.hit(trace.OpReceive, "receive", false, results, 0, 0)
				c.main.now = max(c.main.now, w.now) + 1000
				c.main.hit(trace.OpReceive, "receive", true, results, 1, 0)
				c.enters(i)
				continue
			}
			c.isAwaited(i)
		}
	}
	for i := range c.ws {
		if !leaves {
			c.give("give", i)
			c.waits(i, c.main.now)
			c.leaves(i)
		}
		c.ws[i].ends()
		c.main.now = max(c.main.now, c.ws[i].now)
	}
	c.main.ends()
	return c
}

// Whoever has a lock to be given work takes it from a queue, whether it works under the lock or not, and is told to end or waits until the
// program does: as many as there are of them take it.
func TestWhoIsGivenWorkWithALockOfItsOwnTakesItFromAQueue(t *testing.T) {
	t.Parallel()
	for _, leaves := range []bool{false, true} {
		t.Run(fmt.Sprint(leaves), func(t *testing.T) {
			t.Parallel()
			c := ofWork(20, leaves)
			if leaves { // as front ends leave it: who waits when the program ends did not come to that
				for i := range c.ws {
					th := &c.s.trace.Threads[c.ws[i].id]
					th.Records = th.Records[:len(th.Records)-2]
				}
			}
			m, _ := c.s.build(t, trail.Options{})
			if !slices.ContainsFunc(m.Queues, func(q core.Queue) bool { return q.ID == "queue of worker" }) || slices.ContainsFunc(m.Locks, func(l core.Lock) bool { return l.Kind == core.Condition || l.Kind == core.Mutex }) {
				t.Fatalf("queues %v, locks %v; want a queue of work, and no locks", m.Queues, m.Locks)
			}
			takes := slices.DeleteFunc(fragments(m, core.InFragment), func(f core.Fragment) bool { return f.In.Queue != "queue of worker" })
			gives := slices.DeleteFunc(fragments(m, core.OutFragment), func(f core.Fragment) bool { return f.Out.To != "queue of worker" })
			closes := slices.DeleteFunc(fragments(m, core.SyncFragment), func(f core.Fragment) bool { return f.Sync.Op != core.Close })
			if len(takes) != 1 || len(gives) != 1 || len(closes) != 1 {
				t.Errorf("work is taken at %v, given at %v, and ends at %v; want one place each", takes, gives, closes)
			}
			own := slices.ContainsFunc(fragments(m, core.LoopFragment), func(f core.Fragment) bool {
				return slices.ContainsFunc(f.Next, func(n core.Edge) bool { return strings.HasPrefix(n.To, "cpu main:") })
			})
			if !own {
				t.Error("main's own part is not behind the loop in which it gives the others theirs")
			}
		})
	}
}

// Who waits for more of its work, in the middle of it, more often than for a new one is given that, too: where its like wait for work,
// it does.
func TestWhoWaitsForMoreOfItsWorkIsGivenIt(t *testing.T) {
	t.Parallel()
	c := newGivenWork()
	for i := range c.ws {
		c.enters(i)
	}
	for range 20 {
		for i, w := range c.ws {
			c.give("give", i)
			c.waits(i, c.main.now)
			for range 2 * i {
				w.compute(1_000_000)
				c.main.now = max(c.main.now, w.now)
				c.give("more", i)
				c.waitsAt("wait for more", i, c.main.now)
			}
			w.compute(2_000_000)
		}
		for i := range c.ws {
			c.isAwaited(i)
		}
	}
	for i := range c.ws {
		c.give("give", i)
		c.waits(i, c.main.now)
		c.leaves(i)
		c.ws[i].ends()
		c.main.now = max(c.main.now, c.ws[i].now)
	}
	c.main.ends()
	m, _ := c.s.build(t, trail.Options{})
	takes := slices.DeleteFunc(fragments(m, core.InFragment), func(f core.Fragment) bool { return f.In.Queue != "queue of worker" })
	if len(takes) != 1 || takes[0].Observed.Count != 42 || slices.ContainsFunc(m.Locks, func(l core.Lock) bool { return l.Kind == core.Condition }) {
		t.Errorf("work is taken at %v; locks %v; want 42 times at one place, the last in vain, and no condition", takes, m.Locks)
	}
}

// Whoever has done what it was given and ends by itself, as another one waits for, finds no queue closed: that would be too late.
func TestWhoIsAwaitedDoesNotWorkToTheEndOfTheProgram(t *testing.T) {
	t.Parallel()
	c := ofWork(20, true)
	for _, w := range c.ws {
		th := &c.s.trace.Threads[w.id]
		th.Records = th.Records[:len(th.Records)-2]
		c.main.does(trace.OpJoin, "join", 0, 0, 1000)
		joins := c.s.trace.Threads[c.main.id].Records
		joins[len(joins)-2].Value, joins[len(joins)-1].Value = uint64(th.ID), uint64(th.ID)
	}
	c.main.ends()
	m, _ := c.s.build(t, trail.Options{})
	if slices.ContainsFunc(fragments(m, core.SyncFragment), func(f core.Fragment) bool { return f.Sync.Op == core.Close }) {
		t.Error("a queue is closed when the program ends, for which its taker is joined before")
	}
}

// A condition at which somebody goes on whom nobody signalled says something else; and who computes next to nothing before it
// waits again counts.
func TestOtherConditionsOfOneThreadAreNoInboxes(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(c *givenWork){
		"finds what nobody gave": func(c *givenWork) {
			for i := range c.s.trace.Threads {
				th := &c.s.trace.Threads[i]
				n := 0
				th.Records = slices.DeleteFunc(th.Records, func(r trace.Record) bool {
					if r.Op == trace.OpSignal && r.Object == conditionOf(0) && i == 0 {
						n++
					}
					return r.Op == trace.OpSignal && i == 0 && n > 10
				})
			}
		},
		"waits with a time limit": func(c *givenWork) {
			for i := range c.s.trace.Threads {
				for k := range c.s.trace.Threads[i].Records {
					if r := &c.s.trace.Threads[i].Records[k]; r.Op == trace.OpCondWait && !r.End {
						r.Arg = 1_000_000_000
					}
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := ofWork(20, false)
			spoil(c)
			m, _ := c.s.build(t, trail.Options{})
			if !slices.ContainsFunc(m.Locks, func(l core.Lock) bool { return l.Kind == core.Condition }) {
				t.Errorf("locks %v, want the conditions", m.Locks)
			}
		})
	}
}
