package simulation

import (
	"cmp"
	"math"
	"slices"

	"tierscope/core"
	"tierscope/simulation/resource"
	"tierscope/simulation/variate"
)

// compileGraph compiles graph i of the document.
func (c *compiler) compileGraph(i int) {
	g := &c.m.Graphs[i]
	at := c.fragmentAt[i]
	for _, j := range order(c.ids.fragments[i]) {
		c.compileFragment(i, j)
	}
	c.compileSince(i)
	d := graphDef{id: g.ID, entry: at[c.ix.fragments[i][g.Entry]]}
	for _, j := range at {
		if c.fragments[j].op == opLoop {
			d.nesting++
			c.enclose(j)
		}
	}
	for _, j := range at { // see fetched
		f := &c.fragments[j]
		if f.op != opIn || f.next == none {
			continue
		}
		if v := &c.fragments[f.next]; v.op == opDispatch && v.targets == nil && v.group == none && !v.exits {
			f.through = v.next
		}
	}
	c.graphs = append(c.graphs, d)
}

// compileFragment appends fragment j of graph i.
func (c *compiler) compileFragment(i, j int) {
	src := &c.m.Graphs[i].Fragments[j]
	id := c.ids.fragments[i][j]
	local := func(name string) int32 {
		if k, ok := c.ix.fragments[i][name]; ok {
			return c.fragmentAt[i][k]
		}
		return none
	}
	f := fragment{
		op: opDispatch, next: none, through: none, otherwise: none, body: none, fallback: none, object: none, group: none, factor: orOne(src.Scale),
		cache: none, since: none, graph: c.graphAt[i], id: src.ID, n: 1, stream: c.stream(id, "parameter"),
	}
	if src.Group != "" {
		f.group = c.group(c.m.Graphs[i].ID + "/" + src.Group)
	}
	if src.Lookup != nil {
		c.compileLookup(&f, src, local)
	} else {
		c.edges(&f, src, id, local)
	}
	switch src.Class {
	case core.CPUFragment:
		f.op = opCPU
		f.setParameter(src.Demand, f.factor)
	case core.DelayFragment:
		f.op, f.periodic, f.polled, f.timer = opDelay, src.Periodic, src.Polled, src.Timer
		f.setParameter(src.Delay, f.factor)
	case core.IOFragment:
		f.op, f.object = opIO, c.diskAt[c.ix.disks[src.IO.Disk]]
		for _, r := range src.IO.Requests {
			q := request{
				kind: typeOf(r.Type), fixed: -1, count: variate.Compile(r.Count, f.factor), bytes: variate.Compile(r.Bytes, 1), waits: !r.Async,
				samples: r.Count.Samples, inTurn: r.InTurn && !r.Async,
			}
			if n, ok := q.count.Constant(); ok && n >= 0 && n == math.Trunc(n) && n < math.MaxInt32 {
				q.fixed = int(n)
			}
			f.requests = append(f.requests, q)
		}
	case core.SyncFragment:
		c.compileSync(&f, src.Sync, local)
	case core.InFragment:
		f.op, f.object = opIn, c.object(src.In.Queue)
		f.setTimeout(src.In.Timeout)
		f.next, f.targets = none, nil
		for _, e := range src.Next {
			if k := c.ix.fragments[i][e.To]; c.m.Graphs[i].Fragments[k].Class == core.NoFetchFragment {
				f.otherwise = local(e.To)
			} else {
				f.next = local(e.To)
			}
		}
	case core.OutFragment:
		c.compileOut(&f, src.Out, local)
	case core.LoopFragment:
		f.op, f.body = opLoop, local(src.Loop.Body)
		f.setParameter(src.Loop.Count, 1)
		f.rounds, f.gathered = src.Loop.Order, src.Loop.Gathered
	case core.SpawnFragment:
		f.op, f.object, f.passTask = opSpawn, c.poolAt[c.ix.pools[src.Spawn.Pool]], src.Spawn.PassTask
		count := src.Spawn.Count
		if count.IsZero() {
			count = core.Distribution{Kind: core.Constant, Value: float64(c.m.Pools[c.ix.pools[src.Spawn.Pool]].Size)}
		}
		f.setParameter(count, 1)
	case core.JoinFragment:
		f.op, f.object, f.all = opJoin, c.poolAt[c.ix.pools[src.Join.Pool]], src.Join.All
		f.setTimeout(src.Join.Timeout)
	case core.DispatchFragment, core.FetchFragment, core.NoFetchFragment:
	}
	c.fragments = append(c.fragments, f)
}

func (c *compiler) group(name string) int32 {
	g, ok := c.groupAt[name]
	if !ok {
		g = int32(len(c.groups))
		c.groups = append(c.groups, name)
		c.groupAt[name] = g
	}
	return g
}

// edges compiles δ: a single successor, or a choice in canonical order.
func (c *compiler) edges(f *fragment, src *core.Fragment, id uint64, local func(string) int32) {
	edges := slices.DeleteFunc(slices.Clone(src.Next), func(e core.Edge) bool { return e.Probability == 0 })
	if len(edges) == 0 {
		return
	}
	slices.SortFunc(edges, func(a, b core.Edge) int { return cmp.Compare(local(a.To), local(b.To)) })
	f.next = local(edges[0].To)
	if len(edges) == 1 {
		return
	}
	weights := make([]float64, len(edges))
	for i, e := range edges {
		weights[i] = e.Probability
		f.targets = append(f.targets, local(e.To))
	}
	f.choose = variate.NewAlias(weights)
	f.setTaken(edges)
	f.setOrder(src, edges)
	c.stream(id, "branch") // the stream after the parameter's
}

// setTimeout: the zero value waits for ever, the constant 0 is a try.
func (f *fragment) setTimeout(d core.Distribution) {
	if d.IsZero() {
		return
	}
	f.timeout = variate.Compile(d, 1)
	if v, ok := f.timeout.Constant(); ok && v == 0 {
		f.try = true
		return
	}
	f.timed = true
}

func (c *compiler) compileSync(f *fragment, s *core.Sync, local func(string) int32) {
	f.setTimeout(s.Timeout)
	f.otherwise = local(s.OnTimeout)
	f.n = int32(max(1, s.N))
	if f.varies = !s.Permits.IsZero(); f.varies {
		f.setParameter(s.Permits, 1)
	}
	if s.Op == core.Select {
		f.op, f.fallback = opSelect, local(s.Default)
		for _, k := range s.Cases {
			x := selectCase{c.object(k.Lock), k.Op == core.Send, k.Earlier, local(k.To), local(k.Closed)}
			c.objects[x.object].earliest = max(c.objects[x.object].earliest, k.Earlier)
			if x.closed == none {
				x.closed = x.to
			}
			f.cases = append(f.cases, x)
		}
		slices.SortFunc(f.cases, func(a, b selectCase) int {
			return cmp.Or(cmp.Compare(a.object, b.object), cmp.Compare(a.to, b.to), cmp.Compare(a.closed, b.closed), boolCompare(a.send, b.send), cmp.Compare(a.earlier, b.earlier))
		})
		return
	}
	f.op, f.object = opLock, c.object(s.Lock)
	switch {
	case s.Op == core.Make:
		f.op = opMake
		return
	case c.objects[f.object].isQueue:
		f.op = opClose
		return
	}
	op, ok := resource.OpOf(s.Op)
	if !ok {
		c.fail("lock %q: operation %q cannot be simulated", s.Lock, s.Op)
	}
	f.lockOp, f.earlier = op, s.Earlier
	c.objects[f.object].earliest = max(c.objects[f.object].earliest, s.Earlier)
	if f.varies && op == resource.Exit {
		c.objects[f.object].lends = true
	}
	f.once = s.Op == core.Do
	if s.Op == core.Wait && s.Monitor != "" {
		c.objects[f.object].monitor = c.object(s.Monitor)
	}
}

func boolCompare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	default:
		return -1
	}
}

func (c *compiler) compileOut(f *fragment, out *core.Out, local func(string) int32) {
	f.object = c.object(out.To)
	f.setTimeout(out.Timeout)
	f.otherwise = local(out.OnTimeout)
	switch {
	case out.New:
		f.op, f.class = opNew, c.class(out.Class)
		count := out.Count
		if count.IsZero() {
			count = core.Distribution{Kind: core.Constant, Value: 1}
		}
		f.setParameter(count, 1)
	case f.object == none:
		f.op = opFinish
	default:
		f.op = opSend
	}
}

// enclose finds the fragments inside loop l: what is reached from its body, and
// not from its successor, without passing the loop. A path from inside to
// outside (a break or return) leaves the loop.
func (c *compiler) enclose(l int32) {
	loop := &c.fragments[l]
	inside := c.reach(loop.body, l)
	if loop.next != none {
		starts := loop.targets
		if len(starts) == 0 {
			starts = []int32{loop.next}
		}
		for _, s := range starts {
			for outside := range c.reach(s, l) {
				delete(inside, outside)
			}
		}
	}
	for f := range inside {
		loop.inside = append(loop.inside, f)
	}
	slices.Sort(loop.inside)
	for _, i := range loop.inside {
		f := &c.fragments[i]
		for _, to := range f.successors() {
			if to != l && !inside[to] {
				f.exits = true
			}
		}
		if len(f.successors()) == 0 {
			f.exits = true
		}
	}
}

// reach returns the fragments on paths from one, stopping at another.
func (c *compiler) reach(from, stop int32) map[int32]bool {
	seen := map[int32]bool{}
	if from == none || from == stop {
		return seen
	}
	seen[from] = true
	for todo := []int32{from}; len(todo) > 0; todo = todo[1:] {
		for _, to := range c.fragments[todo[0]].successors() {
			if to != stop && !seen[to] {
				seen[to] = true
				todo = append(todo, to)
			}
		}
	}
	return seen
}
