package analysis

import (
	"math"
	"slices"
	"testing"

	"tierscope/analysis/normalise"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// committing are clients that put records into a list under lock 1 and wait on condition 2 until one of them, who leads, has written all of
// the list. Rounds of four: one leads for itself, meanwhile the three others come, and of these the first leads for all.
type committing struct {
	*script
	clients []*actor
}

func newCommitting(clients, rounds int) *committing {
	c := &committing{script: newScript()}
	main := c.thread("main", nil, 0)
	for range clients {
		c.clients = append(c.clients, c.thread("client", main, 10))
	}
	for k := range rounds {
		c.round(k % clients)
	}
	for _, a := range c.clients {
		a.ends()
		main.does(trace.OpJoin, "join", 0, 0, max(1, a.now-main.now))
	}
	main.ends()
	return c
}

// comes lets a client lock, add to the list and let go.
func (c *committing) comes(who *actor, at int64) {
	who.compute(at-who.now).does(trace.OpLock, "commit", 1, 0, 10).compute(100)
}

func (c *committing) waits(who *actor, until int64) {
	who.does(trace.OpCondWait, "wait", 2, 0, until-who.now)
}

// writes lets a client that has the lock lead until a time, and go.
func (c *committing) writes(who *actor, until int64) {
	who.does(trace.OpUnlock, "lead", 1, 0, 10).compute(1000).does(trace.OpFileSync, "sync", 0, 0, until-who.now-1000)
	who.does(trace.OpLock, "finish", 1, 0, 10).compute(50).does(trace.OpBroadcast, "tell", 2, 0, 10).does(trace.OpUnlock, "done", 1, 0, 10)
}

func (c *committing) leaves(who *actor, at int64) {
	who.now = max(who.now, at)
	who.does(trace.OpUnlock, "leave", 1, 0, 10)
}

func (c *committing) round(first int) {
	begin := int64(0)
	for _, a := range c.clients {
		begin = max(begin, a.now)
	}
	begin += 1_000_000
	a, others := c.clients[first], []*actor{}
	for i := 1; i < len(c.clients); i++ {
		others = append(others, c.clients[(first+i)%len(c.clients)])
	}
	c.comes(a, begin)
	c.writes(a, begin+100_000)
	told := a.now
	for i, o := range others {
		c.comes(o, begin+int64(i+1)*10_000)
		c.waits(o, told+int64(i+1)*1000)
	}
	c.writes(others[0], told+100_000)
	for i, o := range others[1:] {
		c.waits(o, others[0].now+int64(i+1)*1000)
		c.leaves(o, o.now)
	}
}

// What threads do by turns for all that wait is done by a thread of its own: of 12 rounds with four clients each, a group of one and one of three, it
// takes all records, writes 24 groups and answers each, in as much CPU time in all.
func TestWhoLeadsByTurnsIsAThreadOfItsOwn(t *testing.T) {
	t.Parallel()
	const rounds, clients = 12, 4
	in := newCommitting(clients, rounds).trace
	out := normalised(in)
	if len(out.Threads) != len(in.Threads)+1 {
		t.Fatalf("%d threads, want one more than %d", len(out.Threads), len(in.Threads))
	}
	leader := out.Threads[len(out.Threads)-1]
	count := func(of []trace.Thread) map[trace.Op]int {
		n := map[trace.Op]int{}
		for _, th := range of {
			for _, r := range th.Records {
				if !r.End {
					n[r.Op]++
				}
			}
		}
		return n
	}
	lead, others := count([]trace.Thread{leader}), count(out.Threads[:len(out.Threads)-1])
	for op, want := range map[trace.Op]int{trace.OpReceive: 2 * rounds, trace.OpTryReceive: rounds*clients - 2*rounds + 2*rounds, trace.OpSend: rounds * clients, trace.OpFileSync: 2 * rounds} {
		if lead[op] != want {
			t.Errorf("the leader does %v %d times, want %d", op, lead[op], want)
		}
	}
	for op, want := range map[trace.Op]int{trace.OpReceive: rounds * clients, trace.OpSend: rounds * clients, trace.OpLock: rounds * clients, trace.OpUnlock: rounds * clients, trace.OpCondWait: 0, trace.OpBroadcast: 0, trace.OpFileSync: 0} {
		if others[op] != want {
			t.Errorf("the clients do %v %d times, want %d", op, others[op], want)
		}
	}
	if is, was := out.ThreadTime(), in.ThreadTime(); math.Abs(is-was) > 1e-12 {
		t.Errorf("the threads use %v s of CPU, they used %v", is, was)
	}
	for _, th := range out.Threads {
		last := int64(0)
		for _, r := range th.Records {
			if r.Time < last {
				t.Fatalf("time goes back in %s", th.Start)
			}
			last = r.Time
		}
	}
	m, _ := newCommitting(clients, rounds).build(t, trail.Options{Threshold: -1})
	if len(m.Pools) != 3 || !m.Pools[2].StandsIn {
		t.Errorf("pools %+v, want main, clients, and one that stands in", m.Pools)
	}
	for _, l := range m.Locks {
		if l.Kind == core.Condition {
			t.Errorf("there is still a condition")
		}
	}
	if !slices.ContainsFunc(m.Graphs[2].Fragments, func(f core.Fragment) bool {
		return f.Loop != nil && f.Loop.Gathered && f.Loop.Count.Expectation() == 2
	}) {
		t.Errorf("no loop of the leader goes round for each that it has taken, twice on average: %+v", m.Graphs[2].Fragments)
	}
}

// normalised is what the pass makes of a trace.
func normalised(t *trace.Trace) *trace.Trace {
	tr := &trail.Trail{Trace: t}
	normalise.Leaders(tr)
	return tr.Trace
}

// Nobody leads by turns where somebody waits although nobody leads, leaves before it can have been served, or never leaves.
func TestOtherMonitorsHaveNoLeaders(t *testing.T) {
	t.Parallel()
	for name, goesOn := range map[string]func(c *committing, who, other *actor, now int64){
		"idle": func(c *committing, who, _ *actor, now int64) {
			c.comes(who, now)
			c.waits(who, now+5000)
			c.leaves(who, now+5000)
		},
		"not served": func(c *committing, who, other *actor, now int64) {
			c.comes(who, now)
			c.writes(who, now+100_000)
			c.comes(other, now+10_000)
			c.waits(other, who.now+1000)
			c.leaves(other, who.now+1000)
		},
		"never leaves": func(c *committing, who, _ *actor, now int64) { c.comes(who, now) },
	} {
		c := newCommitting(4, 12)
		now := int64(0)
		for _, a := range c.clients {
			now = max(now, a.now+1000)
		}
		goesOn(c, c.clients[0], c.clients[1], now)
		if len(normalised(c.trace).Threads) != len(c.trace.Threads) {
			t.Errorf("%s: there is a leader", name)
		}
	}
}
