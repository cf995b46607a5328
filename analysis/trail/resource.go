package trail

import (
	"slices"

	"tierscope/analysis/trace"
	"tierscope/core"
)

// ModelScope is the scope as a model writes it.
func (r *Resource) ModelScope() core.Scope {
	if r.Scope == core.PerProgram {
		return ""
	}
	return r.Scope
}

// Resource is a lock, channel or queue of the model: one or several objects
// of the run that the same code uses (lid of Tarvo & Reiss 2014, §4.3.2).
type Resource struct {
	ID       string
	Kind     core.LockKind
	Scope    core.Scope
	Objects  []*Object
	Capacity int
	Task     bool        // carries tasks between pools: a queue of tier 1
	Fed      bool        // a task queue that no operation of the run sends to
	Chain    bool        // of a call: who is started waits at the one that was made for the one before
	Numbered bool        // the trace tells its values apart
	Apart    bool        // the code that sends to it sends to others too, from which other pools take
	Timer    bool        // a channel that only the run-time system sends to
	Alarm    bool        // a channel or condition that threads outside the model send to, close or signal
	Place    trace.Frame // of creation, or of the first use
	Monitor  *Resource   // of a condition variable
	Together int         // most objects in use at one time
	OneSided bool        // the threads of the model do only one side: nobody would wake who waits, or wait for who wakes
	Weighted bool        // a semaphore of which one place takes now more, now fewer permits
	Gate     bool        // a semaphore whose permits say which cases of a select are open
	Parties  int         // of a barrier
	Spin     float64     // of a barrier: s for which who waits looks again and again
	MadeIn   []string    // functions of a home-made one
	Limited  trace.Frame // where threads wait for room in a home-made queue
	Prefill  int         // tokens in the channel when the work phase began
	Uses     []Use
}

// Object is one lock, channel or queue of the run.
type Object struct {
	ID          uint64
	Made        *trace.Object // nil: no constructor was seen
	First, Last int64         // ns, of its uses
	Uses        int64
	Threads     map[int64]bool
	Set         *Object // union-find parent
}

// Use is one execution of an operation on a resource.
type Use struct {
	Pool     *Pool
	Sequence *Sequence
	Index    int
}

// Find returns the representative of the objects that are one resource with o (union-find).
func (o *Object) Find() *Object {
	for o.Set != o {
		o.Set = o.Set.Set
		o = o.Set
	}
	return o
}

// Stripes returns the number of interchangeable objects and how often each is
// used; 1 and nil if it is not a striped lock.
func (r *Resource) Stripes() (int, []float64) {
	if r.Scope != core.PerProgram || r.Together <= 1 || !r.Kind.Held() {
		return 1, nil
	}
	total := 0.0
	for _, o := range r.Objects {
		total += float64(o.Uses)
	}
	var ws []float64
	for _, o := range r.Objects {
		ws = append(ws, float64(o.Uses)/total)
	}
	return len(ws), ws
}

// UsedBy reports whether threads of a pool use a resource.
func UsedBy(r *Resource, g *Pool) bool {
	for _, u := range r.Uses {
		if u.Pool == g {
			return true
		}
	}
	return false
}

// Gathered reports whether a channel of the model stands for several of the run
// that are used side by side, and is as large as all of them.
func (r *Resource) Gathered() bool {
	return r.Kind == core.Channel && r.Scope == core.PerProgram && r.Together > 1
}

// Streams reports whether a channel is one direction of connections or pipes between threads of the program.
func (r *Resource) Streams() bool {
	return len(r.Objects) > 0 && !slices.ContainsFunc(r.Objects, func(o *Object) bool { return o.Made == nil || o.Made.Kind != trace.Stream })
}

// Room is the capacity of a channel in the model.
func (r *Resource) Room() int {
	if r.Gathered() && r.Capacity > 0 {
		return r.Capacity * r.Together
	}
	return max(r.Capacity, core.Unbounded)
}

// Step returns the step that u is.
func (u Use) Step() *Step { return &u.Sequence.Steps[u.Index] }
