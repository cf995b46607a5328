package simulation

import (
	"tierscope/simulation/des"
	"tierscope/simulation/resource"
	"tierscope/simulation/variate"
)

// turn is what a server does between two tasks: it sends one to a sink, takes the
// next from its queue and computes. Servers do little else, so these four
// fragments are wired as one step. It is a path of plain fragments of one group,
// with a direct in fragment.
type turn struct {
	finish, in, fetch *step // fetch: see step.passed
	queue             *resource.Queue
	object            *objectState
	work              *variate.Ahead
	inAt, cpuAt       int32 // fragments
}

// wireTurns finds the turns that follow CPU fragments.
func (r *replica) wireTurns() {
	for i := range r.steps {
		if s := &r.steps[i]; s.op == opCPU && s.plain && s.burst != nil {
			s.burst.turn = r.turnFrom(s)
		}
	}
}

// turnFrom returns the turn that follows a plain step, or nil.
func (r *replica) turnFrom(s *step) *turn {
	follower := func(s *step, op opcode) *step {
		if s.next == none {
			return nil
		}
		if next := &r.steps[s.next]; next.op == op && next.plain && next.group == s.group {
			return next
		}
		return nil
	}
	finish := follower(s, opFinish)
	if finish == nil {
		return nil
	}
	in := follower(finish, opIn)
	if in == nil || !in.direct || in.next == none {
		return nil
	}
	cpu := &r.steps[in.next]
	if cpu.op != opCPU || cpu.group != in.group {
		return nil
	}
	return &turn{
		finish: finish, in: in, fetch: in.passed, queue: in.queue, object: in.object, work: &cpu.burst.work,
		inAt: finish.next, cpuAt: in.next,
	}
}

// takeTurn is walk for a thread that has come to a turn.
func (r *replica) takeTurn(t int32, th *thread, u *turn) (work des.Time, computes bool) {
	i, now := th.task, r.Now()
	if i == none || th.carried || th.speedUp != 1 || r.assistDebt > 0 {
		return r.walk(t, th)
	}
	th.task = none
	r.complete(i)
	u.finish.count++
	th.at = u.inAt
	if r.finished {
		return 0, false
	}
	item, ok := u.queue.Take()
	if !ok {
		return r.walk(t, th)
	}
	u.object.leave(&r.tasks[item], now)
	u.in.count++
	u.fetch.count++
	th.task, th.since, th.entered, th.at, th.state = item, now, now, u.cpuAt, inReady
	return u.work.Time(), true
}
