package native

import (
	"maps"
	"slices"

	"tierscope/analysis/native/recorder"
)

// Tasks of OpenMP are pieces of the work of a team: who has come to a meeting, or to the end of the region, takes them until none are
// left, and so does who waits for the tasks that it made. A piece is what a thread does from the begin of a task to that of the next
// one; a task that goes on after another one was executed inside of it is part of that other.
//
//	barrier( task … task( task … ) … )      →      take … take … take … none, barrier
//
// What is lost is that a task can be executed only when it is made, and those that it depends on have been. Of more tasks than mostPieces a
// piece is several that a thread executes one after the other.

// mostPieces are as many as show how evenly work is shared out. Convention: with ten thousand for each of two threads, one is 0.01 % of its work.
const mostPieces = 20_000

// takeTasks makes pieces of the tasks that threads execute.
func (r *recording) takeTasks() {
	tasks := 0
	for _, t := range r.threads {
		for i := range t.hits {
			if h := &t.hits[i]; h.op == recorder.Task && !h.end {
				tasks++
			}
		}
	}
	if tasks == 0 {
		return
	}
	all := map[int64]*tasked{}
	in := map[stretch]uint32{} // where tasks are executed → a context of theirs
	for id, t := range r.threads {
		if !slices.ContainsFunc(t.hits, func(h hit) bool { return h.op == recorder.Team }) {
			continue
		}
		x := &tasked{several: 1 + tasks/mostPieces}
		for _, h := range t.hits {
			x.hit(h)
		}
		x.flush()
		r.looking += x.spun
		for _, e := range x.ends {
			if e.context != 0 {
				in[e.stretch] = max(in[e.stretch], e.context)
			}
		}
		all[id] = x
	}
	if len(in) == 0 {
		return
	}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		r.threads[id].hits = all[id].withEmpty(in)
	}
}

// stretch is what a team does between two of its meetings.
type stretch struct {
	region uint64
	number int
}

// stretchEnd is where a thread comes to the end of one.
type stretchEnd struct {
	stretch
	context uint32 // of a task that it executed there; 0: none
	index   int    // in its hits
}

// tasked is a thread while its tasks become pieces.
type tasked struct {
	several, since int // how many tasks are a piece, and how many there were since the last began
	out            []hit
	ends           []stretchEnd
	parts          []stretchEnd // it is in, outermost first
	depth          int          // of tasks
	waits          []taskWait
	spun           int64 // CPU ns for which it looked for tasks
	held           *hit  // the begin of a meeting, or the end of a region, which comes after the tasks that are executed in it
	last           hit   // the end of the last of those
	took           bool
}

// taskWait is a wait in which tasks are executed.
type taskWait struct {
	depth int   // of tasks, around it
	from  int64 // CPU ns: since when it has had none
}

// idle returns the wait in which a thread has no task now; nil: it is in none.
func (x *tasked) idle() *taskWait {
	if n := len(x.waits); n > 0 && x.waits[n-1].depth == x.depth {
		return &x.waits[n-1]
	}
	return nil
}

// looked takes off the CPU time for which it looked for a task.
func (x *tasked) looked(h *hit) {
	if w := x.idle(); w != nil {
		x.spun += h.cpu - w.from
		h.cpu = w.from
	}
}

func (x *tasked) hit(h hit) {
	h.cpu -= x.spun
	begins := h.op == recorder.Task && !h.end
	if x.held != nil && x.depth == 0 && !begins {
		if h.op == recorder.Sample {
			h.time, h.cpu = x.held.time, x.held.cpu
			x.out = append(x.out, h)
			return
		}
		x.flush()
	}
	switch {
	case begins:
		x.looked(&h)
		x.depth++
		x.took = true
		if x.since++; x.since >= x.several || len(x.parts) > 0 && x.parts[len(x.parts)-1].context == 0 {
			x.since = 0
			x.piece(h, h.context, 0)
		}
	case h.op == recorder.Task:
		x.depth = max(0, x.depth-1)
		x.last = h
		if w := x.idle(); w != nil {
			w.from = h.cpu
		}
	case h.op == recorder.TaskWait && !h.end:
		x.waits = append(x.waits, taskWait{x.depth, h.cpu})
	case h.op == recorder.TaskWait:
		x.looked(&h)
		if x.idle() != nil {
			x.waits = x.waits[:len(x.waits)-1]
		}
	case len(x.parts) > 0 && x.depth == 0 && (h.op == recorder.Meet && !h.end || h.op == recorder.Team && h.end):
		x.held, x.took, x.waits = &h, false, []taskWait{{0, h.cpu}}
	default:
		if h.op == recorder.Team && !h.end {
			x.parts = append(x.parts, stretchEnd{stretch: stretch{region: h.object}})
		}
		x.out = append(x.out, h)
	}
}

// piece writes that the thread got a piece, or, arg −1, that none are left.
func (x *tasked) piece(h hit, context uint32, arg int64) {
	if len(x.parts) == 0 {
		return
	}
	x.parts[len(x.parts)-1].context = context
	x.out = append(x.out, h.piece(context, arg))
}

// piece is that a thread gets a piece, or, arg −1, that none are left, at the time of a hit.
func (h hit) piece(context uint32, arg int64) hit {
	return hit{time: h.time, cpu: h.cpu, op: recorder.Piece, both: true, context: context, object: 1, arg: arg}
}

// flush writes the meeting, or the end of the region, to which the thread has come.
func (x *tasked) flush() {
	if x.held == nil {
		return
	}
	h, p := *x.held, &x.parts[len(x.parts)-1]
	x.held, x.waits = nil, nil
	if x.took {
		h.time, h.cpu = x.last.time, x.last.cpu
	}
	if p.context != 0 {
		x.piece(h, p.context, -1)
	}
	p.index = len(x.out)
	x.ends = append(x.ends, *p)
	x.out = append(x.out, h)
	p.number, p.context = p.number+1, 0
	if h.op == recorder.Team {
		x.parts = x.parts[:len(x.parts)-1]
	}
}

// withEmpty are the hits of a thread that has looked for tasks wherever others of its team found some.
func (x *tasked) withEmpty(in map[stretch]uint32) (hits []hit) {
	from := 0
	for _, e := range x.ends {
		context := in[e.stretch]
		if context == 0 || e.context != 0 {
			continue
		}
		hits = append(hits, x.out[from:e.index]...)
		hits, from = append(hits, x.out[e.index].piece(context, -1)), e.index
	}
	return append(hits, x.out[from:]...)
}
