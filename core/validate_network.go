package core

import (
	"fmt"
	"math"
	"slices"
)

// network checks tier 1 without the pools: sources, queues and sinks.
func (c *checker) network() {
	for i := range c.m.Sources {
		c.source(&c.m.Sources[i])
	}
	for i := range c.m.Queues {
		c.queue(&c.m.Queues[i])
	}
}

func (c *checker) source(s *Source) {
	where := fmt.Sprintf("source %q", s.ID)
	if !one(c, where, "kind", s.Kind, Poisson, Deterministic, Renewal, Replay, Closed, Batch) {
		return
	}
	c.refers(where, "to", s.To, "queue", c.queues)
	if i, ok := c.queues[s.To]; ok {
		c.sentTo(where, &c.m.Queues[i])
	}
	c.class(where, s.Class)
	if c.law(where, "group_size", s.GroupSize, false) && !s.GroupSize.IsZero() && s.GroupSize.Expectation() < 1e-9 {
		c.add(where, "group_size is always 0, so that no task arrives; give a positive size")
	}
	c.finite(where, "away_s", s.Away, 0)
	if s.Count < 0 {
		c.add(where, "count is %d; give a number ≥ 0", s.Count)
	}
	given := map[string]bool{
		"rate_per_s":     s.Rate != 0,
		"interarrival_s": !s.Interarrival.IsZero(),
		"times_s":        s.Times != nil,
		"population":     s.Population != 0,
		"think_s":        !s.Think.IsZero(),
		"group_size":     !s.GroupSize.IsZero(),
	}
	uses := func(keys ...string) {
		for _, key := range keys {
			delete(given, key)
		}
	}
	switch s.Kind {
	case Poisson, Deterministic:
		uses("rate_per_s", "group_size")
		if !(s.Rate > 0) || math.IsInf(s.Rate, 1) {
			c.add(where, "rate_per_s is %v; give a finite number > 0", s.Rate)
		}
	case Renewal:
		uses("rate_per_s", "interarrival_s", "group_size")
		c.finite(where, "rate_per_s", s.Rate, 0)
		if c.law(where, "interarrival_s", s.Interarrival, true) && !(s.Interarrival.Expectation() > 0) {
			c.add(where, "interarrival_s is always 0, so that arrivals never let time pass; give a positive mean")
		}
	case Replay:
		uses("rate_per_s", "times_s", "group_size")
		c.finite(where, "rate_per_s", s.Rate, 0)
		switch n := len(s.Times); {
		case n == 0:
			c.add(where, "times_s is empty; give the recorded arrival times")
		case !slices.IsSorted(s.Times) || !(s.Times[0] >= 0) || math.IsInf(s.Times[n-1], 1) || slices.ContainsFunc(s.Times, math.IsNaN):
			c.add(where, "times_s are not finite numbers ≥ 0 in ascending order; sort them")
		case s.Times[n-1] == 0:
			c.add(where, "times_s are all 0, so that repeating them never lets time pass; use kind %q", Batch)
		}
	case Closed:
		uses("population", "think_s")
		if s.Population < 1 {
			c.add(where, "population is %d; give at least 1 user", s.Population)
		}
		c.most(where, "population", s.Population, MostUsers)
		c.law(where, "think_s", s.Think, false)
	case Batch:
		if s.Count < 1 {
			c.add(where, "count is %d; give the number of tasks, at least 1", s.Count)
		}
	}
	c.unused(where, fmt.Sprintf("kind %q", s.Kind), given)
}

// sentTo checks the queue of a source: of several, it must be known whose there are, and that they take what comes.
func (c *checker) sentTo(where string, q *Queue) {
	switch q.Scope {
	case PerTask, PerCall:
		c.add(where, "to: queue %q is made for every %s, and a source has none; give the queue another scope", q.ID, q.Scope)
	case PerThread:
		if q.Capacity != Unbounded {
			c.add(where, "to: queue %q of every thread has capacity %d, for which a source cannot wait; make it %d, without limit", q.ID, q.Capacity, Unbounded)
		}
		taken := false
		for i := range c.m.Pools {
			p := &c.m.Pools[i]
			g, ok := c.graphs[p.Graph]
			if !ok || !slices.ContainsFunc(c.m.Graphs[g].Fragments, func(f Fragment) bool { return f.In != nil && f.In.Queue == q.ID }) {
				continue
			}
			taken = true
			if p.Kind != "" && p.Kind != FixedPool {
				c.add(where, "to: each thread of pool %q has a queue %q of its own, but they are not there from the start; make the pool %q", p.ID, q.ID, FixedPool)
			}
		}
		if !taken {
			c.add(where, "to: no thread takes from queue %q, of which each has its own; add an in fragment", q.ID)
		}
	case "", PerProgram:
	}
}

// class checks a reference to a task class; "" is the first class.
func (c *checker) class(where, id string) {
	if id == "" || (len(c.m.Classes) == 0 && id == DefaultClass) {
		return
	}
	c.refers(where, "class", id, "class", c.classes)
}

func (c *checker) queue(q *Queue) {
	where := fmt.Sprintf("queue %q", q.ID)
	if q.Capacity < Unbounded {
		c.add(where, "capacity is %d; give a number ≥ 0, or %d for no limit", q.Capacity, Unbounded)
	}
	one(c, where, "discipline", q.Discipline, "", FIFO, LIFO, Priority)
	one(c, where, "when_full", q.WhenFull, "", Block, Drop, Timeout)
	one(c, where, "scope", q.Scope, "", PerProgram, PerTask, PerThread, PerCall)
	switch {
	case q.WhenFull == Timeout && (!(q.FullTimeout > 0) || math.IsInf(q.FullTimeout, 1)):
		c.add(where, "when_full is %q but full_timeout_s is %v; give a finite number > 0", Timeout, q.FullTimeout)
	case q.WhenFull != Timeout && q.FullTimeout != 0:
		c.add(where, "full_timeout_s is given but when_full is %q; remove it or set when_full to %q", q.WhenFull, Timeout)
	}
	if q.Capacity == Unbounded && q.WhenFull != "" && q.WhenFull != Block {
		c.add(where, "when_full is %q but the capacity is unlimited; give a capacity or remove when_full", q.WhenFull)
	}
	c.law(where, "patience_s", q.Patience, false)
}

// pools checks the service nodes of tier 1.
func (c *checker) pools() {
	if len(c.m.Pools) == 0 {
		c.add("model", "has no pools, so that nothing ever runs; define at least one")
		return
	}
	starts := false
	for i := range c.m.Pools {
		p := &c.m.Pools[i]
		where := fmt.Sprintf("pool %q", p.ID)
		c.refers(where, "graph", p.Graph, "graph", c.graphs)
		if p.Limit < 0 {
			c.add(where, "limit is %d; give a number ≥ 0, 0 is no limit", p.Limit)
		}
		c.most(where, "size", p.Size, MostThreads)
		c.finite(where, "weight", p.Weight, 0)
		given := map[string]bool{"from": p.From != "", "limit": p.Limit != 0}
		switch p.Kind {
		case "", FixedPool:
			starts = true
			if p.Size < 1 {
				c.add(where, "size is %d; give at least 1 thread", p.Size)
			}
			c.unused(where, fmt.Sprintf("kind %q", FixedPool), given)
		case SpawnPool:
			if p.Size < 0 {
				c.add(where, "size is %d; give a number ≥ 0", p.Size)
			}
			delete(given, "limit")
			c.unused(where, fmt.Sprintf("kind %q", SpawnPool), given)
		case TaskPool:
			starts = true
			c.refers(where, "from", p.From, "queue", c.queues)
			if p.Size != 0 {
				c.add(where, "size is given but kind %q does not use it; use limit for the most threads at once", TaskPool)
			}
		default:
			one(c, where, "kind", p.Kind, FixedPool, SpawnPool, TaskPool)
		}
	}
	if !starts {
		c.add("model", "all pools are of kind %q and nobody starts the first thread; make one %q", SpawnPool, FixedPool)
	}
}
