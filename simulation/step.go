package simulation

import (
	"slices"

	"tierscope/simulation/des"
	"tierscope/simulation/resource"
	"tierscope/simulation/variate"
)

// step is a fragment at run time: its visits, and what a thread needs to
// execute it, wired together so that no table is consulted on the way.
type step struct {
	op     opcode
	plain  bool           // there is one successor, in the same loops, and nobody observes
	onward onward         // what comes between the end of a CPU fragment and the beginning of another one
	direct bool           // a plain in fragment of one queue, whose tasks stay till they are fetched; then next follows the fetch
	enters bool           // the lock of door; otherwise it leaves that
	next   int32          // the successor of a plain step
	group  int32          // observed, if somebody observes
	count  int64          // visits since the last restart,
	time   des.Time       // and how long they took
	work   *variate.Ahead // of a CPU fragment
	then   *variate.Ahead // work of the CPU fragment that follows a plain CPU fragment in the same group, or nil
	turn   *turn          // that follows a CPU fragment, or nil
	fork   *fork          // to one of several successors, or nil

	// The fields above are the 64 bytes that the end of most bursts needs; a step has 128.
	door    *resource.Door // of a lock that is only entered and left, and of which there is one
	object  *objectState   // lock or queue
	def     *fragment
	queue   *resource.Queue // of an in or out fragment that always uses the same
	passed  *step           // of a direct one: its fetch fragment if that does nothing else, which counts a visit, or else nowhere
	cards   *cards          // drawn without replacement, or nil
	service *service        // that an in fragment begins, or nil
	_       int64
}

// observed is the group of a step whose beginning must be told: no thread is in
// it.
const observed int32 = -2

// makeSteps wires the fragments.
func (r *replica) makeSteps() {
	r.steps = make([]step, len(r.fragments)+1) // the last one is nowhere
	// Whoever computes faster or follows a script draws from the stream of the fragment what becomes of a nanosecond's part.
	others := r.scripts != nil || slices.ContainsFunc(r.program.objects, func(o objectDef) bool { return o.speedUp != 1 })
	for i := range r.fragments {
		f, s := &r.fragments[i], &r.steps[i]
		*s = step{
			op: f.op, plain: f.targets == nil && !f.exits && r.observer == nil && r.scripts == nil,
			next: f.next, group: f.group, def: f,
		}
		if r.observer != nil {
			s.group = observed
		}
		s.cards = r.deal(f)
		s.fork = r.forkOf(s)
		switch f.op {
		case opIn, opSend, opNew:
			if f.object == none { // a sink
				continue
			}
			s.object = &r.objects[f.object]
			if !scoped(r.program.objects[f.object].scope) {
				s.queue = r.copies[s.object.first].queue
				s.direct = f.op == opIn && s.plain && !s.object.impatient
				s.passed = &r.steps[len(r.fragments)]
				if s.direct && f.through != none {
					s.passed, s.next = &r.steps[f.next], f.through
				}
			}
		case opLock:
			s.object = &r.objects[f.object]
			s.door, s.enters = r.doorOf(f), f.lockOp == resource.Enter
		case opCPU:
			work := variate.NewAhead(&f.parameter, s.cards.parameters(), &r.random[f.stream], others)
			s.work = &work
		case opDispatch, opMark, opDelay, opSelect, opFinish, opIO, opLoop, opSpawn, opJoin, opClose, opMake:
		}
	}
	r.wireServices()
}

// leave ends the fragment of a thread and moves on to a successor.
func (r *replica) leave(t int32, th *thread) {
	if s := &r.steps[th.at]; s.plain {
		s.leave(th, r.Now())
	} else {
		r.choose(t, th, s)
	}
}

// leave is replica.leave for a plain step.
func (s *step) leave(th *thread, now des.Time) {
	s.count++
	s.time += now - th.entered
	th.at = s.next
}

// choose is replica.leave for a step that is not plain.
func (r *replica) choose(t int32, th *thread, s *step) {
	if th.moves != nil {
		r.leaveTo(t, th, none)
		return
	}
	r.leaveTo(t, th, r.successor(s))
}

// pass is leave for a step that took no time.
func (r *replica) pass(t int32, th *thread, s *step) {
	if s.plain {
		s.count++
		th.at = s.next
	} else {
		r.choose(t, th, s)
	}
}

// leaveTo ends the fragment of a thread and moves on to fragment to.
func (r *replica) leaveTo(t int32, th *thread, to int32) {
	s := &r.steps[th.at]
	s.count++
	s.time += r.Now() - th.entered
	if !s.plain {
		if r.observer != nil {
			r.observer.FragmentEnded(r.Now(), t, r.observed(t, th))
		}
		if th.moves != nil {
			to = r.direct(th, to)
		} else if s.def.exits {
			r.exitLoops(th, to)
		}
	}
	th.at = to
}

// successor chooses among the successors of a fragment.
func (r *replica) successor(s *step) int32 {
	f := s.def
	switch {
	case s.fork != nil:
		return s.fork.take()
	case f.targets == nil:
		return f.next
	case f.cache != none:
		return r.lookup(f)
	case s.cards != nil && s.cards.order != nil:
		return f.targets[s.cards.order.Next()]
	case s.cards != nil && s.cards.next != nil:
		return f.targets[s.cards.next.Draw(&r.random[f.stream+1])]
	}
	return f.targets[f.choose.Draw(&r.random[f.stream+1])]
}
