package ownership

import (
	"maps"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// FindResources finds the locks and channels of a run. Objects are one resource
// if the same code (the same node, or the same case of a select) works on
// them: the array of locks of a striped table, the reply channel that every
// request makes anew.
func FindResources(t *trace.Trace, gs []*trail.Pool) []*trail.Resource {
	made := map[uint64]*trace.Object{}
	for i := range t.Objects {
		made[t.Objects[i].ID] = &t.Objects[i]
	}
	objects := map[uint64]*trail.Object{}
	var order []*trail.Object
	type code struct {
		n    *trail.Node
		kase int64
	}
	users := map[code]*trail.Object{}
	type creator struct {
		site int32
		kind string // one line may make a lock and a queue
	}
	creators := map[creator]*trail.Object{}
	for _, g := range gs {
		for _, q := range g.Sequences {
			for i := range q.Steps {
				s := &q.Steps[i]
				if s.Object == 0 || s.Node.Class != core.SyncFragment {
					continue
				}
				o := objects[s.Object]
				if o == nil {
					o = &trail.Object{ID: s.Object, Made: made[s.Object], First: s.Start, Threads: map[int64]bool{}}
					if o.Made != nil && o.Made.Time > 0 { // it lives from then on, even if nobody uses it yet
						o.First = min(o.First, o.Made.Time)
					}
					o.Set = o
					objects[s.Object] = o
					order = append(order, o)
					if o.Made != nil && o.Made.Site >= 0 {
						c := creator{o.Made.Site, o.Made.Kind}
						if other := creators[c]; other != nil {
							o.Set = other.Find()
						} else {
							creators[c] = o
						}
					}
				}
				o.First, o.Last = min(o.First, s.Start), max(o.Last, s.Start)
				if s.Node.Op != trace.OpDone { // whom it wakes may be gone before it ends
					o.Last = max(o.Last, s.End)
				}
				o.Uses++
				o.Threads[q.Thread.ID] = true
				c := code{s.Node, 0}
				if s.Node.Op == trace.OpSelect {
					c.kase = s.Result + 1
				}
				if other := users[c]; other != nil {
					other.Find().Set = o.Find()
				} else {
					users[c] = o
				}
			}
		}
	}
	type class struct {
		root  *trail.Object
		alarm bool
		taker *trail.Pool
	}
	alarms, conditions := alarmsOf(gs), map[*trail.Object]bool{}
	for _, o := range order {
		if op := alarms[o.ID]; op == trace.OpSignal || op == trace.OpBroadcast {
			conditions[o.Find()] = true
		}
	}
	takenBy := takers(gs, order, objects)
	classOf := func(o *trail.Object) class {
		return class{o.Find(), alarms[o.ID] != trace.OpNone || conditions[o.Find()], takenBy[o]}
	}
	byRoot := map[class]*trail.Resource{}
	var rs []*trail.Resource
	for _, o := range order {
		r := byRoot[classOf(o)]
		if r == nil {
			r = &trail.Resource{Alarm: classOf(o).alarm, Apart: takenBy[o] != nil}
			byRoot[classOf(o)] = r
			rs = append(rs, r)
		}
		r.Objects = append(r.Objects, o)
	}
	for _, g := range gs {
		for _, q := range g.Sequences {
			for i := range q.Steps {
				s := &q.Steps[i]
				if o := objects[s.Object]; o != nil && s.Node.Class == core.SyncFragment {
					s.Lock = byRoot[classOf(o)]
					s.Lock.Uses = append(s.Lock.Uses, trail.Use{Pool: g, Sequence: q, Index: i})
					s.Lock.Numbered = s.Lock.Numbered || s.Value != 0
				}
			}
		}
	}
	for _, r := range rs {
		describe(r, t)
	}
	nameResources(rs)
	return rs
}

// alarmsOf returns the channels and conditions that threads outside the model
// send to, close or signal, with the operation: those that a timer started, such
// as the one that ends a context whose time is up, and those that the library
// starts for an operation of its own, such as the one that reads ahead on a
// connection. Who waits for one waits for the world outside.
func alarmsOf(gs []*trail.Pool) map[uint64]trace.Op {
	found := map[uint64]trace.Op{}
	for _, g := range gs {
		if g.Kind != trail.PoolTimer && g.Kind != trail.PoolHelper {
			continue
		}
		for _, q := range g.Sequences {
			for i := range q.Steps {
				switch s := &q.Steps[i]; s.Node.Op {
				case trace.OpClose, trace.OpSend, trace.OpSignal, trace.OpBroadcast:
					found[s.Object] = s.Node.Op
				case trace.OpTrySend:
					if s.Succeeded() {
						found[s.Object] = s.Node.Op
					}
				}
			}
		}
	}
	return found
}

// meanings are the operations that only one kind of lock has in a trace, by
// precedence. An object without any of them is a channel.
var meanings = []struct {
	ops  []trace.Op
	kind core.LockKind
}{
	{[]trace.Op{trace.OpBarrier}, core.Barrier},
	{[]trace.Op{trace.OpRLock, trace.OpTryRLock, trace.OpRUnlock}, core.RWLock},
	{[]trace.Op{trace.OpLock, trace.OpTryLock, trace.OpUnlock}, core.Mutex},
	{[]trace.Op{trace.OpAcquire, trace.OpTryAcquire, trace.OpRelease}, core.Semaphore},
	{[]trace.Op{trace.OpAdd, trace.OpDone, trace.OpWaitGroup}, core.Latch},
	{[]trace.Op{trace.OpCondWait, trace.OpSignal, trace.OpBroadcast}, core.Condition},
	{[]trace.Op{trace.OpOnce}, core.Once},
	{[]trace.Op{trace.OpPark, trace.OpUnpark}, core.Park},
}

// teamSpin is how long a thread of a team of OpenMP looks again and again, s, before it sleeps. Theory: libgomp/env.c, parse_spincount, where
// OMP_WAIT_POLICY is not given.
const teamSpin = 3e-3

// describe decides kind, scope and parameters of r.
func describe(r *trail.Resource, t *trace.Trace) {
	has := map[trace.Op]bool{}
	unbounded := false
	for _, u := range r.Uses {
		s := &u.Sequence.Steps[u.Index]
		has[s.Node.Op] = true
		if s.Node.Op == trace.OpBarrier {
			r.Parties = max(r.Parties, int(s.Arg))
		}
		if r.Place == (trace.Frame{}) {
			r.Place = s.Node.Place
		}
	}
	for _, o := range r.Objects {
		if o.Made == nil {
			continue
		}
		r.Capacity = max(r.Capacity, int(o.Made.Capacity))
		if o.Made.Kind == trace.Team {
			r.Spin = teamSpin
		}
		if o.Made.Capacity < 0 && (o.Made.Kind == "queue" || o.Made.Kind == "executor" || o.Made.Kind == trace.Stream) {
			unbounded = true
		}
		if o.Made.Site >= 0 && int(o.Made.Site) < len(t.Sites) {
			r.Place = trace.UserFrame(t.Sites[o.Made.Site].Frames)
		}
	}
	if unbounded {
		r.Capacity = core.Unbounded
	}
	r.Kind = core.Channel
	for _, m := range meanings {
		if slices.ContainsFunc(m.ops, func(op trace.Op) bool { return has[op] }) {
			r.Kind = m.kind
			break
		}
	}
	if r.Kind == core.Barrier {
		r.Parties = max(r.Parties, r.Capacity)
	}
	r.Together = mostTogether(r.Objects)
	switch {
	case len(r.Objects) == 1 || r.Together == 1:
		r.Scope = core.PerProgram
	case OwnedByThreads(r):
		r.Scope = core.PerThread
	case r.Kind == core.Barrier && sameUsers(r.Objects):
		r.Scope = core.PerProgram // who meets at one meets at the others, in the same order
	case r.Kind == core.Channel && len(r.Objects) == r.Together,
		r.Kind.Held() && 2*r.Together >= len(r.Objects):
		r.Scope = core.PerProgram // an array of locks: stripes; of channels: taken as one
	default:
		r.Scope = core.PerTask
	}
}

// sameUsers reports whether the same threads use every object.
func sameUsers(os []*trail.Object) bool {
	for _, o := range os {
		if !maps.Equal(o.Threads, os[0].Threads) {
			return false
		}
	}
	return true
}

// OwnedByThreads reports whether every object is used by one thread only, and
// not just because only one thread works in this run.
func OwnedByThreads(r *trail.Resource) bool {
	all := map[int64]bool{}
	for _, o := range r.Objects {
		if len(o.Threads) > 1 {
			return false
		}
		maps.Copy(all, o.Threads)
	}
	return len(all) > 1
}

// mostTogether is the largest number of objects whose lives, from when they were made, or
// first used if that is not known, to the last use, overlap.
func mostTogether(os []*trail.Object) int {
	var cs []trace.Change
	for _, o := range os {
		cs = append(cs, trace.Change{At: o.First, By: +1}, trace.Change{At: o.Last + 1, By: -1})
	}
	_, most := trace.Running(cs, true)
	return most
}

// nameResources names resources after their kind and place.
func nameResources(rs []*trail.Resource) {
	used := map[string]int{}
	for _, r := range rs {
		r.ID = trail.Numbered(used, string(r.Kind)+" "+trace.ShortPlace(r.Place))
	}
}

// Objects finds the locks and channels of the run.
func Objects(tr *trail.Trail) {
	tr.Resources = FindResources(tr.Trace, tr.Pools)
	tellApart(tr)
}
