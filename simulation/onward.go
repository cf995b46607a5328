package simulation

import (
	"tierscope/simulation/des"
	"tierscope/simulation/variate"
)

// onward is what comes between the end of a CPU fragment and the beginning of another one of the same group that takes
// no time and needs nobody else: then both are one step, as with a turn.
type onward uint8

const (
	elsewhere   onward = iota // anything else, or another CPU fragment at once (step.then)
	throughDoor               // it enters or leaves a lock, if nobody is in the way
	atFork                    // one of several follows
)

// onwardOf returns what follows a CPU fragment.
func (r *replica) onwardOf(s *step) onward {
	computes := func(at int32) bool {
		return at != none && r.steps[at].op == opCPU && r.steps[at].group == s.group
	}
	if s.plain {
		if s.next == none {
			return elsewhere
		}
		if lock := &r.steps[s.next]; lock.op == opLock && lock.door != nil && lock.plain && lock.group == s.group && computes(lock.next) {
			return throughDoor
		}
		return elsewhere
	}
	if s.fork == nil || s.def.exits {
		return elsewhere
	}
	for _, to := range s.fork.targets {
		if !computes(to) {
			return elsewhere
		}
	}
	return atFork
}

// goOnward moves a thread whose burst has ended on to the next CPU fragment, whose work it returns, or
// returns nil and leaves it where it is, because a lock is not free or others wait for it.
func (r *replica) goOnward(t int32, th *thread, s *step, now des.Time) *variate.Ahead {
	to := s.next
	if s.onward == throughDoor {
		lock := &r.steps[to]
		if !r.throughDoor(t, lock, now) {
			return nil
		}
		lock.count++
		th.began, to = now, lock.next
	} else {
		to = s.fork.take()
	}
	s.count++
	s.time += now - th.entered
	next := &r.steps[to]
	th.at, th.entered, th.then = to, now, next.then
	return next.work
}

// fork chooses among successors some times ahead of need, as variate.Ahead draws times.
type fork struct {
	left    uint
	ahead   [choices]int32 // the next is the last of those left
	targets []int32
	choose  *variate.Alias
	random  *des.Stream // from which nobody else draws
}

// choices is how many are made at once.
const choices = 16

// forkOf returns the fork of a step with several successors, among which chance decides alone, or nil.
func (r *replica) forkOf(s *step) *fork {
	f := s.def
	if f.targets == nil || f.cache != none || s.cards != nil || r.observer != nil || r.scripts != nil {
		return nil
	}
	return &fork{targets: f.targets, choose: &f.choose, random: &r.random[f.stream+1]}
}

func (k *fork) take() int32 {
	if k.left == 0 {
		k.draw()
	}
	k.left--
	return k.ahead[k.left%choices]
}

func (k *fork) draw() {
	for i := range k.ahead {
		k.ahead[choices-1-i] = k.targets[k.choose.Draw(k.random)]
	}
	k.left = choices
}
