package analysis

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"tierscope/core"
)

// resource is a lock, channel or queue of the model: one or several objects
// of the run that the same code uses (lid of Tarvo & Reiss 2014, §4.3.2).
type resource struct {
	id       string
	kind     core.LockKind
	scope    core.Scope
	objects  []*object
	capacity int
	task     bool      // carries tasks between pools: a queue of tier 1
	fed      bool      // a task queue that no operation of the run sends to
	chain    bool      // of a call: who is started waits at the one that was made for the one before
	numbered bool      // the trace tells its values apart
	timer    bool      // a channel that only the run-time system sends to
	alarm    bool      // a channel or condition that threads outside the model send to, close or signal
	place    Frame     // of creation, or of the first use
	monitor  *resource // of a condition variable
	together int       // most objects in use at one time
	oneSided bool      // the threads of the model do only one side: nobody would wake who waits, or wait for who wakes
	foreign  bool      // a condition of an object that is another one each time that a thread waits for it
	weighted bool      // a semaphore of which one place takes now more, now fewer permits
	parties  int       // of a barrier
	madeIn   []string  // functions of a home-made one
	limited  Frame     // where threads wait for room in a home-made queue
	prefill  int       // tokens in the channel when the work phase began
	uses     []use
}

// object is one lock, channel or queue of the run.
type object struct {
	id          uint64
	made        *Object // nil: no constructor was seen
	first, last int64   // ns, of its uses
	uses        int64
	threads     map[int64]bool
	set         *object // union-find parent
}

// use is one execution of an operation on a resource.
type use struct {
	group *group
	seq   *sequence
	step  int
}

func (o *object) find() *object {
	for o.set != o {
		o.set = o.set.set
		o = o.set
	}
	return o
}

// resources finds the locks and channels of a run. Objects are one resource
// if the same code (the same node, or the same case of a select) works on
// them: the array of locks of a striped table, the reply channel that every
// request makes anew.
func findResources(t *Trace, gs []*group) []*resource {
	made := map[uint64]*Object{}
	for i := range t.Objects {
		made[t.Objects[i].ID] = &t.Objects[i]
	}
	objects := map[uint64]*object{}
	var order []*object
	type code struct {
		n    *node
		kase int64
	}
	users := map[code]*object{}
	type creator struct {
		site int32
		kind string // one line may make a lock and a queue
	}
	creators := map[creator]*object{}
	for _, g := range gs {
		for _, q := range g.seqs {
			for i := range q.steps {
				s := &q.steps[i]
				if s.object == 0 || s.node.class != core.SyncFragment {
					continue
				}
				o := objects[s.object]
				if o == nil {
					o = &object{id: s.object, made: made[s.object], first: s.start, threads: map[int64]bool{}}
					if o.made != nil && o.made.Time > 0 { // it lives from then on, even if nobody uses it yet
						o.first = min(o.first, o.made.Time)
					}
					o.set = o
					objects[s.object] = o
					order = append(order, o)
					if o.made != nil && o.made.Site >= 0 {
						c := creator{o.made.Site, o.made.Kind}
						if other := creators[c]; other != nil {
							o.set = other.find()
						} else {
							creators[c] = o
						}
					}
				}
				o.first, o.last = min(o.first, s.start), max(o.last, s.start)
				if s.node.op != OpDone { // whom it wakes may be gone before it ends
					o.last = max(o.last, s.end)
				}
				o.uses++
				o.threads[q.thread.ID] = true
				c := code{s.node, 0}
				if s.node.op == OpSelect {
					c.kase = s.result + 1
				}
				if other := users[c]; other != nil {
					other.find().set = o.find()
				} else {
					users[c] = o
				}
			}
		}
	}
	type class struct {
		root  *object
		alarm bool
	}
	alarms, conditions := alarmsOf(gs), map[*object]bool{}
	for _, o := range order {
		if op := alarms[o.id]; op == OpSignal || op == OpBroadcast {
			conditions[o.find()] = true
		}
	}
	classOf := func(o *object) class { return class{o.find(), alarms[o.id] != OpNone || conditions[o.find()]} }
	byRoot := map[class]*resource{}
	var rs []*resource
	for _, o := range order {
		r := byRoot[classOf(o)]
		if r == nil {
			r = &resource{alarm: classOf(o).alarm}
			byRoot[classOf(o)] = r
			rs = append(rs, r)
		}
		r.objects = append(r.objects, o)
	}
	for _, g := range gs {
		for _, q := range g.seqs {
			for i := range q.steps {
				s := &q.steps[i]
				if o := objects[s.object]; o != nil && s.node.class == core.SyncFragment {
					s.lock = byRoot[classOf(o)]
					s.lock.uses = append(s.lock.uses, use{g, q, i})
					s.lock.numbered = s.lock.numbered || s.value != 0
				}
			}
		}
	}
	for _, r := range rs {
		r.describe(t)
	}
	nameResources(rs)
	return rs
}

// alarmsOf returns the channels and conditions that threads outside the model
// send to, close or signal, with the operation: those that a timer started, such
// as the one that ends a context whose time is up, and those that the library
// starts for an operation of its own, such as the one that reads ahead on a
// connection. Who waits for one waits for the world outside.
func alarmsOf(gs []*group) map[uint64]Op {
	found := map[uint64]Op{}
	for _, g := range gs {
		if g.kind != GroupTimer && g.kind != GroupHelper {
			continue
		}
		for _, q := range g.seqs {
			for i := range q.steps {
				switch s := &q.steps[i]; s.node.op {
				case OpClose, OpSend, OpSignal, OpBroadcast:
					found[s.object] = s.node.op
				case OpTrySend:
					if s.succeeded() {
						found[s.object] = s.node.op
					}
				}
			}
		}
	}
	return found
}

// describe decides kind, scope and parameters of r.
func (r *resource) describe(t *Trace) {
	has := map[Op]int64{}
	unbounded := false
	for _, u := range r.uses {
		s := &u.seq.steps[u.step]
		has[s.node.op]++
		if s.node.op == OpBarrier {
			r.parties = max(r.parties, int(s.arg))
		}
		if r.place == (Frame{}) {
			r.place = s.node.place
		}
	}
	for _, o := range r.objects {
		if o.made == nil {
			continue
		}
		r.capacity = max(r.capacity, int(o.made.Capacity))
		if o.made.Capacity < 0 && (o.made.Kind == "queue" || o.made.Kind == "executor") {
			unbounded = true
		}
		if o.made.Site >= 0 && int(o.made.Site) < len(t.Sites) {
			r.place = userFrame(t.Sites[o.made.Site].Frames)
		}
	}
	if unbounded {
		r.capacity = core.Unbounded
	}
	switch {
	case has[OpBarrier] > 0:
		r.kind = core.Barrier
	case has[OpRLock]+has[OpTryRLock]+has[OpRUnlock] > 0:
		r.kind = core.RWLock
	case has[OpLock]+has[OpTryLock]+has[OpUnlock] > 0:
		r.kind = core.Mutex
	case has[OpAcquire]+has[OpTryAcquire]+has[OpRelease] > 0:
		r.kind = core.Semaphore
	case has[OpAdd]+has[OpDone]+has[OpWaitGroup] > 0:
		r.kind = core.Latch
	case has[OpCondWait]+has[OpSignal]+has[OpBroadcast] > 0:
		r.kind = core.Condition
	case has[OpOnce] > 0:
		r.kind = core.Once
	case has[OpPark]+has[OpUnpark] > 0:
		r.kind = core.Park
	default:
		r.kind = core.Channel
	}
	if r.kind == core.Barrier {
		r.parties = max(r.parties, r.capacity)
	}
	r.together = mostTogether(r.objects)
	switch {
	case len(r.objects) == 1 || r.together == 1:
		r.scope = core.PerProgram
	case r.ownedByThreads():
		r.scope = core.PerThread
	case r.kind == core.Channel && len(r.objects) == r.together,
		(r.kind == core.Mutex || r.kind == core.RWLock || r.kind == core.Semaphore) && 2*r.together >= len(r.objects):
		r.scope = core.PerProgram // an array of locks: stripes; of channels: taken as one
	default:
		r.scope = core.PerTask
	}
}

// ownedByThreads reports whether every object is used by one thread only, and
// not just because only one thread works in this run.
func (r *resource) ownedByThreads() bool {
	all := map[int64]bool{}
	for _, o := range r.objects {
		if len(o.threads) > 1 {
			return false
		}
		maps.Copy(all, o.threads)
	}
	return len(all) > 1
}

// stripes returns the number of interchangeable objects and how often each is
// used; 1 and nil if it is not a striped lock.
func (r *resource) stripes() (int, []float64) {
	if r.scope != core.PerProgram || r.together <= 1 || r.kind == core.Channel {
		return 1, nil
	}
	total := 0.0
	for _, o := range r.objects {
		total += float64(o.uses)
	}
	var ws []float64
	for _, o := range r.objects {
		ws = append(ws, float64(o.uses)/total)
	}
	return len(ws), ws
}

// mostTogether is the largest number of objects whose lives, from when they were made, or
// first used if that is not known, to the last use, overlap.
func mostTogether(os []*object) int {
	type change struct {
		at int64
		by int
	}
	var cs []change
	for _, o := range os {
		cs = append(cs, change{o.first, +1}, change{o.last + 1, -1})
	}
	slices.SortFunc(cs, func(a, b change) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.by, b.by)) })
	n, most := 0, 0
	for _, c := range cs {
		n += c.by
		most = max(most, n)
	}
	return most
}

// nameResources names resources after their kind and place.
func nameResources(rs []*resource) {
	used := map[string]int{}
	for _, r := range rs {
		id := fmt.Sprintf("%s %s:%d", r.kind, shortFunction(r.place.Function), r.place.Line)
		used[id]++
		if n := used[id]; n > 1 {
			id = fmt.Sprintf("%s #%d", id, n)
		}
		r.id = id
	}
}

// findResources finds the locks and channels of the run.
func (b *build) findResources() { b.resources = findResources(b.t, b.groups) }
