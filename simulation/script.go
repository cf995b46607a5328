package simulation

import (
	"errors"
	"fmt"
	"slices"

	"tierscope/core"
	"tierscope/simulation/resource"
)

// What a thread does next is drawn from its graph, or it is what a thread of the recorded run
// did: its script. Scripts are the walks of the model (core.Walks) compiled. Where the threads
// of a pool take tasks from one queue, its home, what follows a task belongs to the task, whoever
// takes it: a walk is cut at the takes into pieces. All else a thread does in its own order. Where
// that leads nowhere, since what a thread does depends on several of its tasks, every thread does all in its
// own order, and every queue and channel carries what it carried, in its order (script_order.go): then no
// cycle of waits can arise that was not there, but the number of threads has to be that of the recording.
// Locks, queues, processors and disks are those of every simulation, so another
// number of cores or threads changes who waits for whom, but not what is done.

// scripts are the walks of a model, compiled.
type scripts struct {
	walks   []script
	anyhow  bool      // threads go on whatever they wait for that nobody does
	roots   [][]int32 // by pool: walks of threads that were there from the start
	started [][]int32 // by token of a move that starts threads: their walks; of 0: none
	objects []scriptObject
	casts   []cast           // by pool
	tasks   map[int64][]move // what follows a task, whichever pool took it from the queue
	takers  map[int64]int32  // walk in which a task was taken, of threads that have objects for themselves
	answers map[int64][]move // how a task of a group is answered
	passed  map[int64]*group // what is done with a group that is passed on, by what stands for it
	ticks   map[int32]bool   // objects of the model to which clocks send that decide what threads do; clocks follow their graphs
	fresh   int64            // first token that nothing has in the recording
	raisers map[int64]int32  // walk in which an event is raised
	scale   []float64        // by fragment: what its demand or delay is on average, over what it was in the walks
	several []bool           // by object of the model: it stands for several of the run
	offers  []bool           // by fragment: it is one
	byClock []bool           // by object of the model: it is closed when some time is over
	room    map[int64]int64  // by token of what is sent in order: that of what has to be wanted before
	inOrder bool             // every thread takes the tasks that it took in the recording
}

type script struct {
	pool     int32
	ended    bool
	copied   bool // the tasks in it are those of another one
	prologue []move
	own      map[int32]int32 // by object of the model: the only one of the run that its moves name, none: there are several
	cpu      int64           // ns
	ofTasks  int64           // of it, for tasks from home
}

// move is a visit of a fragment, as in core.Move; the token of one that starts threads is their number in scripts.started.
type move struct {
	at, object    int32
	amount, token int64
}

type scriptObject struct {
	object, monitor int32
	apart           bool // from the others that a lock of the model stands for
	closed          bool
	mine            bool       // it belongs to one thread of a pool, which uses it for its tasks
	closer          int32      // walk that closes it
	sent            []sendings // of one that is closed
}

// sendings are how much a walk sends to an object.
type sendings struct {
	walk  int32
	n     int64
	begin int64 // of them, before the thread takes its first task
}

// cast is what the threads of a pool have in common.
type cast struct {
	home    int32            // queue from which all of them take tasks, or none
	also    []int32          // queues from which they take by turns with home, each object of them once
	others  map[int32][]part // what follows another outcome of a take, by its first fragment
	alike   map[int32][]move // what follows one of the tasks, by its first fragment
	rest    []part           // what follows no task
	walks   []int32          // its walks
	from    []float64        // tasks that it took from home, by the pool that sent them
	gathers *gathering       // of threads that do something for several tasks at once, or nil
	owns    []int32          // objects of the model of which each of its threads has one for itself
	finish  *finish          // of a thread that ends after so many tasks, or nil
}

// part is a piece of a walk that follows no task.
type part struct {
	walk, object int32 // object: from which it took in vain
	moves        []move
}

// following is the program whose threads follow walks, or why they cannot.
func (c *compiler) following(w *core.Walks, way attempt) (*program, error) {
	s, err := c.compileScripts(w, way.inOrder)
	if err != nil {
		return nil, err
	}
	s.anyhow = way.anyhow()
	p := *c.program
	p.scripts = s
	if way.inOrder {
		p.objects = endless(p.objects)
	}
	return &p, nil
}

// compileScripts returns the scripts of the walks of a model, or why they cannot be followed.
func (c *compiler) compileScripts(w *core.Walks, inOrder bool) (*scripts, error) {
	s := &scripts{
		inOrder: inOrder,
		tasks:   map[int64][]move{},
		answers: map[int64][]move{},
		takers:  map[int64]int32{},
		passed:  map[int64]*group{},
		ticks:   c.chosenTicks(),
		offers:  c.findOffers(),
		raisers: map[int64]int32{},
		casts:   make([]cast, len(c.pools)),
		started: make([][]int32, 1),
		roots:   make([][]int32, len(c.pools)),
		scale:   make([]float64, len(c.fragments)),
		several: make([]bool, len(c.objects)),
		byClock: make([]bool, len(c.objects)),
	}
	known := map[int32]bool{}
	for _, o := range w.Objects {
		i := c.object(o.Of)
		if i == none {
			return nil, fmt.Errorf("the model has no lock or queue %q any more", o.Of)
		}
		s.objects = append(s.objects, scriptObject{object: i, monitor: o.Monitor, apart: known[i] && (inOrder || c.objects[i].lock.Stream)})
		s.several[i] = known[i]
		known[i] = true
	}
	at, err := c.scriptFragments(w)
	if err != nil {
		return nil, err
	}
	all := make([][]move, len(w.Threads))
	for i := range w.Threads {
		walk := &w.Threads[i]
		p, ok := c.ix.pools[walk.Pool]
		if !ok {
			return nil, fmt.Errorf("the model has no pool %q any more", walk.Pool)
		}
		x := script{pool: c.poolAt[p], ended: walk.Ended, copied: walk.Copy, own: map[int32]int32{}}
		for _, m := range walk.Moves {
			y := move{at[walk.Graph][m.Fragment], m.Object, m.Amount, m.Token}
			s.fresh = max(s.fresh, m.Token+1)
			if c.fragments[y.at].op == opNew {
				s.fresh = max(s.fresh, m.Token+m.Amount)
			}
			if y.object != none {
				x.uses(s.objects[y.object].object, y.object)
			}
			switch f := &c.fragments[y.at]; {
			case f.op == opCPU:
				x.cpu += y.amount
			case y.token != 0 && f.raises():
				s.raisers[y.token] = int32(i)
			}
			all[i] = append(all[i], y)
		}
		s.walks = append(s.walks, x)
		if g := c.pools[x.pool].graph; c.isClock(g, s.ticks) || c.keepsTime(g, s.ticks) {
			continue
		}
		s.casts[x.pool].walks = append(s.casts[x.pool].walks, int32(i))
		if walk.Parent < 0 {
			s.roots[x.pool] = append(s.roots[x.pool], int32(i))
		}
	}
	for i, begun := range startsOf(c.m, w) {
		for _, x := range begun {
			all[i][x.move].token = int64(len(s.started))
			s.started = append(s.started, x.walks)
		}
	}
	s.fresh = max(s.fresh, int64(len(s.started)))
	if inOrder {
		s.room = c.findRoom(s, all)
	}
	c.scaleMoves(s, all)
	c.countSendings(s, all)
	c.findClocks(s, all)
	c.cutAll(s, all)
	c.countBeginnings(s)
	if c.clockDecides(s) {
		return nil, errors.New("what threads do next depends on a clock")
	}
	c.countTraffic(s, all)
	return s, nil
}

// uses notes that a move names an object of the run.
func (x *script) uses(object, number int32) {
	if known, ok := x.own[object]; ok && known != number {
		number = none
	}
	x.own[object] = number
}

// scaleMoves makes demands and delays those of the graph on average: an analyst changes them
// there, and so does a calibration.
func (c *compiler) scaleMoves(s *scripts, all [][]move) {
	sum, count := make([]float64, len(c.fragments)), make([]float64, len(c.fragments))
	for _, moves := range all {
		for _, m := range moves {
			sum[m.at] += float64(m.amount) * 1e-9
			count[m.at]++
		}
	}
	for i := range s.scale {
		s.scale[i] = 1
	}
	for i := range c.m.Graphs {
		for j := range c.m.Graphs[i].Fragments {
			f, at := &c.m.Graphs[i].Fragments[j], c.fragmentAt[i][j]
			law := f.Demand
			if f.Class == core.DelayFragment {
				law = f.Delay
			}
			if sum[at] > 0 && !law.IsZero() {
				s.scale[at] = law.Expectation() * orOne(f.Scale) * count[at] / sum[at]
			}
		}
	}
}

// scriptFragments returns the compiled fragments of the walks' graphs.
func (c *compiler) scriptFragments(w *core.Walks) ([][]int32, error) {
	at := make([][]int32, len(w.Graphs))
	for i, g := range w.Graphs {
		k, ok := c.ix.graphs[g.ID]
		if !ok {
			return nil, fmt.Errorf("the model has no graph %q any more", g.ID)
		}
		for _, name := range g.Fragments {
			j, ok := c.ix.fragments[k][name]
			if !ok {
				return nil, fmt.Errorf("graph %q has no fragment %q any more", g.ID, name)
			}
			at[i] = append(at[i], c.fragmentAt[k][j])
		}
	}
	return at, nil
}

// consumes reports whether a thread that takes tasks from a queue until it is closed does nothing between that others depend on:
// then it may take more of them, or others first. The main thread has an order of its own otherwise.
func (c *compiler) consumes(queue int32, moves []move) bool {
	isTake := func(m move) bool { return c.fragments[m.at].op == opIn && c.fragments[m.at].object == queue }
	first, last := slices.IndexFunc(moves, isTake), len(moves)-1
	for last >= 0 && !isTake(moves[last]) {
		last--
	}
	return first >= 0 && moves[last].token == 0 && !slices.ContainsFunc(moves[first:last], func(m move) bool { return !isTake(m) && c.concerns(m.at) })
}

// concerns reports whether what a thread does at a fragment lets others go on, or waits for them other than for a lock.
func (p *program) concerns(at int32) bool {
	switch f := &p.fragments[at]; f.op {
	case opCPU, opDispatch, opMark, opLoop, opFinish, opDelay, opIO, opMake:
		return false
	case opLock:
		return f.lockOp != resource.Enter && f.lockOp != resource.Exit && f.lockOp != resource.EnterRead && f.lockOp != resource.ExitRead
	default:
		return true
	}
}

// takes reports whether a fragment takes from a queue or channel.
func (p *program) takes(at, queue int32) bool {
	f := &p.fragments[at]
	return f.object == queue && (f.op == opIn || f.op == opLock && f.lockOp == resource.Receive) ||
		f.op == opSelect && slices.ContainsFunc(f.cases, func(k selectCase) bool { return !k.send && k.object == queue })
}

// isHome reports whether threads take tasks from a queue.
func (x *cast) isHome(queue int32) bool { return x.home == queue || slices.Contains(x.also, queue) }

// takesTask reports whether a fragment takes from one of the queues from which threads take tasks.
func (p *program) takesTask(x *cast, at int32) bool {
	return x.home != none && (p.takes(at, x.home) || slices.ContainsFunc(x.also, func(q int32) bool { return p.takes(at, q) }))
}

// homeOf returns the queue from which all of some threads take tasks, the most used one, else a channel from which they
// take until there is nothing more; none if there is none. Each of them takes from one object of it, or all from one after the
// other, in the same order, what is there for a round. Some share theirs, or they take before they send anything, as an actor does from its mailbox: the reply to what a thread has sent is nobody else's.
func (c *compiler) homeOf(s *scripts, walks []int32, all [][]move) int32 {
	home, most := none, 0
	for q := c.firstQueue; q < int32(len(c.objects)); q++ {
		if taken := c.takenFrom(s, q, walks, all); taken > most {
			home, most = q, taken
		}
	}
	if home != none {
		return home
	}
	for q := range c.firstQueue {
		if c.objects[q].lock.Kind != core.Channel || c.poked(q) || slices.ContainsFunc(walks, func(i int32) bool { return !c.exhausts(q, all[i]) }) {
			continue
		}
		if taken := c.takenFrom(s, q, walks, all); taken > most {
			home, most = q, taken
		}
	}
	return home
}

// poked reports whether what is sent to a channel may be lost: that somebody looks is enough.
func (c *compiler) poked(channel int32) bool {
	return slices.ContainsFunc(c.fragments, func(f fragment) bool {
		return f.op == opLock && f.lockOp == resource.Send && f.object == channel && (f.try || f.timed) ||
			f.op == opSelect && slices.ContainsFunc(f.cases, func(k selectCase) bool { return k.send && k.object == channel })
	})
}

// exhausts reports whether a thread takes from a channel, and from nothing else meanwhile, until there is nothing more.
func (c *compiler) exhausts(channel int32, moves []move) (until bool) {
	for _, m := range moves {
		if c.takes(m.at, channel) {
			if c.fragments[m.at].op == opSelect {
				return false
			}
			until = m.token == 0
		}
	}
	return until
}

// takenFrom is how many tasks some threads take from a queue that may be their home, else 0.
func (c *compiler) takenFrom(s *scripts, queue int32, walks []int32, all [][]move) (taken int) {
	takers := map[int32]int{} // threads that take from an object
	asks := false             // a thread sends before it takes
	several := false          // one takes from several objects
	for _, i := range walks {
		visits, from := 0, none
		for k := range all[i] {
			m := &all[i][k]
			if !c.takes(m.at, queue) {
				asks = asks || visits == 0 && c.sendings(m, following(all[i], k)) > 0
				continue
			}
			visits++
			if m.token == 0 || s.isTick(m) {
				continue
			}
			taken++
			several = several || from != none && from != m.object
			from = m.object
		}
		if visits == 0 {
			return 0
		}
		if from != none {
			takers[from]++
		}
	}
	if several && !c.roundsOf([]int32{queue}, walks, all).common() || len(takers) > 1 && len(takers) == len(walks) && asks {
		return 0
	}
	return taken
}
