package simulation

import (
	"slices"

	"tierscope/simulation/des"
	"tierscope/simulation/resource"
)

// role is the part that a thread plays if the run follows scripts.
type role struct {
	moves    []move // of the piece at hand; nil: the thread follows its graph
	upto     int    // moves of it that were begun
	walk     int32
	got      int64    // token of the task that the present move took
	doing    doing    // what it waits for in place of what its fragment says
	pending  []int64  // tasks of its group, if it gathers them
	exchange exchange // for the task that it has
	shut     bool     // where it took something in the recording it has found a closed queue or channel
}

// doing is what a wait of a scripted thread is.
type doing uint8

const (
	asGraph      doing = iota // what its fragment says
	awaitingTime              // a delay in place of a wait that nobody ended
	awaitingCase              // the case of a select that it took
	awaitingEvent
	awaitingTurn  // until it may do its move: what it took has been sent, or all that it closes behind
	awaitingClose // of what it looks at, or until its time is up
)

// followed is what a replication knows of the scripts that it follows.
type followed struct {
	copies    []int32 // instances of locks and queues, by object of the walks, none: not yet
	events    map[int64]*event
	roots     []int              // threads from the start that have got their walk, by pool
	cast      []int              // threads that have got a walk, by pool
	taken     []int              // of the tasks of its finish, those that are taken, by pool
	times     []float64          // how often the recorded work is due, by pool; nil: not known
	sent      []int64            // sendings, by object of the walks
	late      map[int32]int32    // instances that are to be closed when all has been sent, by object of the walks
	work      int64              // ns that moves have asked for
	left      int64              // ns of moves that were left out, less those that were repeated: what ends them came at another time
	strays    int                // looks at a queue that was not closed then and is now: what a thread does next depends on the clock
	looks     map[int32][]int32  // threads that go on when an instance is closed
	played    []int              // threads that have got a walk, by walk
	early     map[int32]int32    // what was counted down before it was counted up, by instance
	exchanged map[int64]exchange // by token of what is done for a task that another thread had in the recording
	vain      int                // takes that got no task of the recording
	groups    int                // of tasks that have come to their end
	passed    []passedOn         // of them, those that were passed on
	waits     int                // waits for events, and in the last resort operations that wait for what anybody can supply
	halts     bool               // a thread has begun to wait for an event or for others' ends, or has ended, since it was last found out whether all do
	forced    int                // waits for what was not done again though its thread is there
}

// event is what a notification raises and waits await; a wait that comes later goes on at once.
type event struct {
	raised  bool
	copy    int32   // condition variable at which its threads wait, or none
	waiting []int32 // threads that wait for nothing else
}

func (r *replica) event(number int64) *event {
	e := r.followed.events[number]
	if e == nil {
		e = &event{copy: none}
		r.followed.events[number] = e
	}
	return e
}

func (r *replica) followScripts() {
	if r.scripts == nil {
		return
	}
	r.followed = followed{
		copies:    make([]int32, len(r.scripts.objects)),
		events:    map[int64]*event{},
		sent:      make([]int64, len(r.scripts.objects)),
		late:      map[int32]int32{},
		exchanged: map[int64]exchange{},
		looks:     map[int32][]int32{},
		roots:     make([]int, len(r.program.pools)),
		cast:      make([]int, len(r.program.pools)),
		taken:     make([]int, len(r.program.pools)),
		played:    make([]int, len(r.scripts.walks)),
	}
	for i := range r.followed.copies {
		r.followed.copies[i] = none
	}
}

// castThread gives a new thread its walk: the next of those that the same move started in the recording, or one of
// the same pool, whose thread it joins.
func (r *replica) castThread(th, parent *thread) {
	if r.scripts == nil {
		return
	}
	x := &r.scripts.casts[th.pool]
	if len(x.walks) == 0 {
		return // not recorded: it follows its graph
	}
	walks, n := r.scripts.roots[th.pool], r.followed.roots[th.pool]
	var group *passedOn
	if parent == nil {
		r.followed.roots[th.pool]++
	} else {
		walks, n, group = r.siblings(parent)
	}
	if len(walks) == 0 {
		walks, n = x.walks, r.followed.cast[th.pool]
	}
	th.walk, th.pending, th.exchange = walks[n%len(walks)], nil, nil
	r.followed.cast[th.pool]++
	r.followed.times = nil
	r.followed.played[th.walk]++
	th.moves = r.scripts.walks[th.walk].prologue
	if group != nil {
		th.moves = r.answering(group)
	}
}

// siblings are the walks that the present move of a thread started in the recording, and how many it has started now; with the
// group that the new thread is to answer, if it is passed one.
func (r *replica) siblings(parent *thread) (walks []int32, n int, group *passedOn) {
	if parent.moves == nil || r.fragments[parent.at].op != opSpawn {
		return nil, 0, nil
	}
	m := parent.move()
	if group = r.passedAs(m.token); group != nil {
		return []int32{walkOf(group.as)}, 0, group
	}
	return r.scripts.started[m.token], m.number(&r.fragments[parent.at]) - parent.spawning, nil
}

// beginning returns the first fragment of a new thread.
func (r *replica) beginning(th *thread) int32 {
	if th.moves == nil {
		return r.graphs[r.program.pools[th.pool].graph].entry
	}
	if len(th.moves) == 0 {
		return none
	}
	th.upto = 1
	return th.moves[0].at
}

// move is the present move of a scripted thread.
func (th *thread) move() *move { return &th.moves[th.upto-1] }

// direct returns where a scripted thread goes on; to is where the outcome of its fragment leads in the graph.
func (r *replica) direct(th *thread, to int32) int32 {
	got := th.got
	th.got, th.doing = 0, asGraph
	if m := th.move(); m.object != none && r.scripts.objects[m.object].closed {
		r.noteSending(th, m)
	}
	shut := th.shut
	if th.shut = false; shut {
		r.skip(th) // what it did with what others no longer send
	}
	if th.upto < len(th.moves) {
		th.upto++
		return r.arrives(th)
	}
	x := &r.scripts.casts[th.pool]
	if !r.program.takesTask(x, th.at) {
		return r.atEnd(th, to)
	}
	piece, ok := r.follows(got)
	switch {
	case x.gathers != nil:
		piece, ok = r.gathered(th, x, got, to, shut)
	case got == 0 || !ok:
		piece, ok = r.another(th, x, to, shut)
	default:
		piece = r.upToFinish(th, x, piece)
	}
	if !ok {
		return r.atEnd(th, to)
	}
	th.exchange = nil
	if got != 0 && x.gathers == nil {
		th.exchange = r.exchanges(th, x, got)
	}
	th.moves, th.upto = th.exchange.of(piece), 1
	if len(piece) == 0 {
		return r.atEnd(th, to)
	}
	return r.arrives(th)
}

// Threads that find no task do what they did then, and may find none again, without end. A run is given up where, by a look
// now and then, they have done the recorded work twice, or looked so often. Convention: neither counts as an answer.
const (
	vainAtATime  = 1 << 10
	mostRepeated = 2
	mostVain     = 1 << 22
)

// another returns what follows a take that got no task of the recording: what the same thread did then, if it can of the same
// object, else what another one did, else what follows such a task.
func (r *replica) another(th *thread, x *cast, to int32, shut bool) ([]move, bool) {
	parts := x.others[to]
	if shut && len(parts) == 0 { // of a channel the graph does not tell where that leads
		parts = x.rest
	}
	r.followed.vain++
	if r.followed.vain%vainAtATime == 0 && (r.followedShare() > mostRepeated || r.followed.vain > mostVain) {
		r.fail("threads look for tasks without end")
	}
	from := th.move().object
	k := slices.IndexFunc(parts, func(p part) bool { return p.walk == th.walk && p.object == from })
	if k < 0 {
		k = slices.IndexFunc(parts, func(p part) bool { return p.walk == th.walk })
	}
	if len(parts) > 0 {
		return parts[max(k, 0)].moves, true
	}
	piece, ok := x.alike[to]
	return piece, ok
}

// atEnd is where a thread goes whose script is over: nowhere, or, if the recording ended before it, on by its graph.
func (r *replica) atEnd(th *thread, to int32) int32 {
	if r.scripts.walks[th.walk].ended {
		return none
	}
	th.moves = nil
	if to == none {
		to = r.successor(&r.steps[th.at])
	}
	return to
}

// follow is walk for a scripted thread.
func (r *replica) follow(t int32, th *thread) (work des.Time, computes bool) {
	now := r.Now()
	for left := mostSteps; left > 0; left-- {
		if th.at == none {
			r.endThread(t, th)
			return 0, false
		}
		if th.moves == nil {
			return r.walk(t, th)
		}
		s := &r.steps[th.at]
		th.entered = now
		if s.group != th.group {
			r.enterGroup(t, th, s.def)
		}
		switch s.op {
		case opCPU:
			th.state, th.since = inReady, now
			return r.computeMove(th, s), true
		case opDispatch, opLoop:
			r.leaveTo(t, th, none)
		case opMark:
			r.mark(th, s.def)
			r.leaveTo(t, th, none)
		case opFinish:
			r.taskDone(th)
			r.leaveTo(t, th, none)
		default:
			if r.performMove(t, th, s) {
				if work, computes := r.spinning(th); computes {
					return work, true
				}
				return r.ringing(th)
			}
		}
		if r.finished {
			return 0, false
		}
	}
	r.fail("pool %q: a thread follows %d moves without time passing", r.program.pools[th.pool].id, mostSteps)
	return 0, false
}

// computeMove is the work of a computation.
func (r *replica) computeMove(th *thread, s *step) des.Time {
	m := th.move()
	r.followed.work += m.amount
	work := r.scaled(th, s, m.amount)
	if th.speedUp != 1 {
		work = r.random[s.def.stream].Round(float64(work) / th.speedUp)
	}
	return work + r.assist(work)
}

// raise ends the waits for an event.
func (r *replica) raise(number int64) {
	e := r.event(number)
	e.raised = true
	if e.copy != none {
		r.copies[e.copy].lock.Call(resource.NoThread, resource.NotifyAll, 1)
		r.account(e.copy)
	}
	r.wakeWaiting(e)
}

// wakeWaiting lets the threads go on that wait for an event and nothing else.
func (r *replica) wakeWaiting(e *event) {
	for _, t := range e.waiting {
		r.Resume(resource.Thread(t), resource.Granted, resource.NoItem)
	}
	e.waiting = nil
}

// await lets a thread wait for an event for which no lock has to be left.
func (r *replica) await(t int32, th *thread, e *event, what doing) {
	e.waiting = append(e.waiting, t)
	th.doing = what
	th.state, th.since = inLock, r.Now()
}

// followedShare is the recorded work that was executed over what was due: of tasks as often as the pool gets them, and all else that
// threads do as often as there was a thread that followed the walk.
func (r *replica) followedShare() float64 {
	due := 0.0
	for p, times := range r.times() {
		for _, w := range r.scripts.casts[p].walks {
			x := &r.scripts.walks[w]
			if due += float64(r.followed.played[w]) * float64(x.cpu-x.ofTasks); !x.copied {
				due += times * float64(x.ofTasks)
			}
		}
	}
	if due == 0 {
		return 1
	}
	return float64(r.followed.work+r.followed.left) / due
}

// miscast is how many threads have no walk of their own, and walks no thread, where every thread follows its own.
func (r *replica) miscast() (n int) {
	if !r.scripts.inOrder {
		return 0
	}
	for p, x := range r.scripts.casts {
		if d := r.followed.cast[p] - len(x.walks); len(x.walks) > 0 {
			n += max(d, -d)
		}
	}
	return n
}
