package core

import (
	"fmt"
	"math"
	"slices"
)

// graphChecker checks one probabilistic call graph.
type graphChecker struct {
	*checker
	g         *Graph
	fragments map[string]int
}

func (c *checker) graph(g *Graph) {
	where := fmt.Sprintf("graph %q", g.ID)
	gc := &graphChecker{checker: c, g: g, fragments: make(map[string]int, len(g.Fragments))}
	if len(g.Fragments) == 0 {
		c.add(where, "has no fragments; define at least one")
		return
	}
	for i, f := range g.Fragments {
		switch _, taken := gc.fragments[f.ID]; {
		case f.ID == "":
			c.add(fmt.Sprintf("%s: fragment %d of %d", where, i+1, len(g.Fragments)), "has no id; give it one")
		case taken:
			c.add(gc.at(&g.Fragments[i]), "is defined twice; rename one")
		default:
			gc.fragments[f.ID] = i
		}
	}
	gc.refers(where, "entry", g.Entry, "fragment", gc.fragments)
	before := len(c.defects)
	for i := range g.Fragments {
		gc.fragment(&g.Fragments[i])
	}
	gc.virtual()
	if len(c.defects) == before { // the rest needs a sound graph
		gc.loops()
		gc.time()
	}
}

func (c *graphChecker) at(f *Fragment) string {
	return fmt.Sprintf("graph %q: fragment %q", c.g.ID, f.ID)
}

func (c *graphChecker) fragment(f *Fragment) {
	where := c.at(f)
	if !one(c.checker, where, "class", f.Class, CPUFragment, IOFragment, SyncFragment, InFragment, OutFragment, FetchFragment,
		NoFetchFragment, DelayFragment, LoopFragment, SpawnFragment, JoinFragment, DispatchFragment) {
		return
	}
	c.finite(where, "scale", f.Scale, 0)
	c.since(where, f)
	given := map[string]bool{
		"demand_s": !f.Demand.IsZero(), "io": f.IO != nil, "sync": f.Sync != nil, "in": f.In != nil, "out": f.Out != nil,
		"delay_s": !f.Delay.IsZero(), "loop": f.Loop != nil, "spawn": f.Spawn != nil, "join": f.Join != nil, "periodic": f.Periodic, "timer": f.Timer, "polled": f.Polled,
		"lookup": f.Lookup != nil,
	}
	needs := func(key string) bool {
		has := given[key]
		delete(given, key)
		if !has {
			c.add(where, "%s is missing; a fragment of class %q needs it", key, f.Class)
		}
		return has
	}
	switch f.Class {
	case CPUFragment:
		if needs("demand_s") {
			c.law(where, "demand_s", f.Demand, true)
		}
	case DelayFragment:
		delete(given, "periodic")
		delete(given, "timer")
		delete(given, "polled")
		if needs("delay_s") {
			c.law(where, "delay_s", f.Delay, true)
		}
	case IOFragment:
		if needs("io") {
			c.io(where, f.IO)
		}
	case SyncFragment:
		if needs("sync") {
			c.sync(where, f)
		}
	case InFragment:
		if needs("in") {
			c.in(where, f)
		}
	case OutFragment:
		if needs("out") {
			c.out(where, f.Out)
		}
	case LoopFragment:
		if needs("loop") {
			c.law(where, "loop: count", f.Loop.Count, true)
			for i, s := range f.Loop.Order {
				if s.Value < 0 || s.Times < 1 {
					c.add(where, "loop: order[%d] is %d, %d times; give numbers of iterations, each at least once", i, s.Value, s.Times)
				}
			}
			c.refers(where, "loop: body", f.Loop.Body, "fragment", c.fragments)
			if f.Loop.Gathered && !slices.ContainsFunc(c.g.Fragments, func(x Fragment) bool { return x.Class == FetchFragment }) {
				c.add(where, "loop: gathered, and the graph takes no tasks; give it a fetch fragment, or leave gathered out")
			}
		}
	case SpawnFragment:
		if needs("spawn") {
			c.law(where, "spawn: count", f.Spawn.Count, false)
			c.spawned(where, "spawn", f.Spawn.Pool)
		}
	case JoinFragment:
		if needs("join") {
			c.law(where, "join: timeout_s", f.Join.Timeout, false)
			c.spawned(where, "join", f.Join.Pool)
		}
	case DispatchFragment:
		if f.Lookup != nil {
			delete(given, "lookup")
			c.lookup(where, f)
		}
	case FetchFragment, NoFetchFragment:
	}
	c.unused(where, fmt.Sprintf("class %q", f.Class), given)
	c.edges(where, f)
}

// edges checks δ: the successors exist and their probabilities sum to 1.
func (c *graphChecker) edges(where string, f *Fragment) {
	seen := map[string]bool{}
	sum := 0.0
	for _, e := range f.Next {
		at := fmt.Sprintf("%s: edge to %q", where, e.To)
		c.refers(where, "next: to", e.To, "fragment", c.fragments)
		if seen[e.To] {
			c.add(at, "is given twice; add the two probabilities")
		}
		seen[e.To] = true
		if !(e.Probability >= 0 && e.Probability <= 1) {
			c.add(at, "p is %v; give a probability in 0…1", e.Probability)
		}
		if e.Count < 0 {
			c.add(at, "count is %d; give the number of observations or leave it out", e.Count)
		}
		sum += e.Probability
	}
	if f.Class != InFragment && len(f.Next) > 0 && !(math.Abs(sum-1) <= sumTolerance) {
		c.add(where, "probabilities of its successors sum to %.6g; make them sum to 1", sum)
	}
	for i, s := range f.Order {
		if s.Value < 0 || s.Value >= int64(len(f.Next)) || s.Times < 1 {
			c.add(where, "order[%d] is %d, %d times; name one of the %d successors, at least once", i, s.Value, s.Times, len(f.Next))
		}
	}
}

func (c *graphChecker) io(where string, io *IO) {
	if len(io.Requests) == 0 {
		c.add(where, "io: requests is empty; give at least one type of request")
	}
	known := c.refers(where, "io: disk", io.Disk, "disk", c.disks)
	for i, r := range io.Requests {
		at := fmt.Sprintf("%s: io: requests[%d]", where, i)
		if one(c.checker, at, "type", r.Type, requestTypes...) && known && !c.m.Disks[c.disks[io.Disk]].serves(r.Type) {
			c.add(at, "disk %q has no service law for type %q; add one, or one of type \"\" for all types", io.Disk, r.Type)
		}
		c.law(at, "count", r.Count, true)
		c.law(at, "bytes", r.Bytes, false)
	}
}

func (c *graphChecker) in(where string, f *Fragment) {
	c.refers(where, "in: queue", f.In.Queue, "queue", c.queues)
	c.law(where, "in: timeout_s", f.In.Timeout, false)
	fetch, nofetch := 0, 0
	for _, e := range f.Next {
		if e.Probability != 1 {
			c.add(fmt.Sprintf("%s: edge to %q", where, e.To), "p is %v although the queue decides whether a task is fetched; give 1", e.Probability)
		}
		j, ok := c.fragments[e.To]
		if !ok {
			continue
		}
		switch c.g.Fragments[j].Class {
		case FetchFragment:
			fetch++
		case NoFetchFragment:
			nofetch++
		default:
			c.add(where, "its successor %q is of class %q; an in fragment leads to a fetch and at most one nofetch fragment", e.To, c.g.Fragments[j].Class)
		}
	}
	if fetch != 1 {
		c.add(where, "has %d fetch successors; give exactly one", fetch)
	}
	if nofetch > 1 {
		c.add(where, "has %d nofetch successors; give at most one", nofetch)
	}
	if nofetch == 0 && !f.In.Timeout.IsZero() {
		c.add(where, "has a timeout but no nofetch successor; say where the thread goes when it fetched nothing")
	}
}

func (c *graphChecker) out(where string, out *Out) {
	c.refers(where, "out: to", out.To, "queue or sink", c.queues, c.sinks)
	c.law(where, "out: count", out.Count, false)
	c.law(where, "out: timeout_s", out.Timeout, false)
	if out.OnTimeout != "" {
		c.refers(where, "out: on_timeout", out.OnTimeout, "fragment", c.fragments)
	}
	if out.New {
		c.class(where, out.Class)
		return
	}
	c.unused(where, "an out fragment that sends the current task", map[string]bool{"out: class": out.Class != "", "out: count": !out.Count.IsZero()})
}

func (c *graphChecker) spawned(where, key, pool string) {
	if !c.refers(where, key+": pool", pool, "pool", c.pool) {
		return
	}
	if kind := c.m.Pools[c.pool[pool]].Kind; kind != SpawnPool {
		c.add(where, "%s: pool %q is of kind %q; only threads of a pool of kind %q are started and joined", key, pool, kind, SpawnPool)
	}
}

// virtual checks that fetch and nofetch fragments only follow in fragments (or
// a select that received a task).
func (c *graphChecker) virtual() {
	target := func(f *Fragment, key, to string) {
		i, ok := c.fragments[to]
		if !ok {
			return
		}
		switch t := &c.g.Fragments[i]; t.Class {
		case FetchFragment, NoFetchFragment:
			c.add(c.at(f), "%s leads to %q of class %q, which only follows an in fragment; lead to its successor", key, to, t.Class)
		default:
		}
	}
	for i := range c.g.Fragments {
		f := &c.g.Fragments[i]
		if f.Class != InFragment {
			for _, e := range f.Next {
				target(f, "next", e.To)
			}
		}
		if f.Loop != nil {
			target(f, "loop: body", f.Loop.Body)
		}
	}
	if i, ok := c.fragments[c.g.Entry]; ok {
		if class := c.g.Fragments[i].Class; class == FetchFragment || class == NoFetchFragment {
			c.add(fmt.Sprintf("graph %q", c.g.ID), "entry %q is of class %q, which only follows an in fragment; enter at the in fragment", c.g.Entry, class)
		}
	}
}

// loops checks that the body of every loop comes back to it.
func (c *graphChecker) loops() {
	for i := range c.g.Fragments {
		f := &c.g.Fragments[i]
		if f.Class != LoopFragment {
			continue
		}
		if f.Loop.Body == f.ID {
			c.add(c.at(f), "is its own body; name the first fragment of the body")
			continue
		}
		if !c.reaches(f.Loop.Body, func(id string) bool { return id == f.ID }) {
			c.add(c.at(f), "its body %q never returns to it; lead the last fragment of the body back to %q", f.Loop.Body, f.ID)
		}
	}
}

// reaches reports whether control can get from a fragment to one that ok
// accepts.
func (c *graphChecker) reaches(from string, ok func(id string) bool) bool {
	seen := map[string]bool{from: true}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		if ok(queue[0]) {
			return true
		}
		for _, s := range c.g.Successors(&c.g.Fragments[c.fragments[queue[0]]]) {
			if !seen[s.To] {
				seen[s.To] = true
				queue = append(queue, s.To)
			}
		}
	}
	return false
}

// time checks that no thread can run for ever without time passing: from every
// fragment, a fragment that takes time or blocks, or the thread's end, can be
// reached by steps that take none.
func (c *graphChecker) time() {
	n := len(c.g.Fragments)
	before := make([][]int, n)
	passes := make([]bool, n)
	var queue []int
	for i := range c.g.Fragments {
		to, immediate := c.g.immediate(&c.g.Fragments[i], c.m, c.queues)
		if !immediate || len(to) == 0 {
			passes[i] = true
			queue = append(queue, i)
			continue
		}
		for _, id := range to {
			j := c.fragments[id]
			before[j] = append(before[j], i)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, i := range before[queue[0]] {
			if !passes[i] {
				passes[i] = true
				queue = append(queue, i)
			}
		}
	}
	var stuck []string
	for i, f := range c.g.Fragments {
		if !passes[i] {
			stuck = append(stuck, f.ID)
		}
	}
	if len(stuck) > 0 {
		slices.Sort(stuck)
		c.add(fmt.Sprintf("graph %q", c.g.ID), "fragments %s form a cycle in which no time passes and nothing blocks; give one a cpu demand or a delay",
			quoteAll(stuck[:min(len(stuck), mostNames)]))
	}
}

// since checks from when on a timeout counts: from fragments that take no time.
func (c *graphChecker) since(where string, f *Fragment) {
	if f.Since == nil {
		return
	}
	if t := f.TimeoutOf(); (f.Sync == nil && f.In == nil) || t.IsZero() {
		c.add(where, "since is given without a timeout_s of sync or in; give a timeout")
	}
	marks := func(key, id string, classes ...FragmentClass) {
		if i, known := c.fragments[id]; known && !slices.Contains(classes, c.g.Fragments[i].Class) {
			c.add(where, "since: %s is %q, a fragment of class %q; name one of class %s", key, id, c.g.Fragments[i].Class, quoteAll(classes))
		}
	}
	if c.refers(where, "since: from", f.Since.From, "fragment", c.fragments) {
		marks("from", f.Since.From, DispatchFragment)
	}
	if f.Since.First != "" && c.refers(where, "since: first", f.Since.First, "fragment", c.fragments) {
		marks("first", f.Since.First, DispatchFragment, FetchFragment)
	}
}
