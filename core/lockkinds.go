package core

import (
	"fmt"
	"maps"
	"slices"
)

// LockKind names the semantics of a lock. A kind is its row in lockKinds, with what
// everybody has to know of it, and its file in simulation/resource.
type LockKind string

// Kinds of locks (ltype).
const (
	Mutex         LockKind = "mutex"     // Fairness says who gets it
	Monitor       LockKind = "monitor"   // reentrant, with wait / notify / notifyAll (Java)
	RWLock        LockKind = "rwlock"    // Preference says who goes first
	Semaphore     LockKind = "semaphore" // Permits
	Barrier       LockKind = "barrier"   // cyclic, Parties
	Latch         LockKind = "latch"     // countdown latch / WaitGroup, Permits is the initial count
	Condition     LockKind = "condition" // condition variable of another lock
	Once          LockKind = "once"
	BlockingQueue LockKind = "blocking_queue" // of tokens that are not tasks; Capacity
	Channel       LockKind = "channel"        // Go channel of tokens; Capacity, 0 is a hand-off
	Park          LockKind = "park"           // park / unpark permit, one per thread
	Phaser        LockKind = "phaser"         // Parties, may change
	Exchanger     LockKind = "exchanger"
)

// lockKind is what there is to know of a kind of lock besides how it behaves. This
// table is the meaning of "op not available for a kind".
type lockKind struct {
	ops   []SyncOp
	keys  []string // those of Lock that describe it
	owned bool     // it knows which thread has it
	// signalled: threads wait there for what others do there, and for nothing else.
	signalled bool
	parties   int // the least number of them
	// hangs says why a thread waits for ever, to judge by which operations the model
	// has; "": it need not.
	hangs func(l *Lock, has func(SyncOp) bool) string
}

var lockKinds = map[LockKind]lockKind{
	Mutex:         {ops: []SyncOp{Enter, Exit}, keys: []string{"fairness", "instances", "speed_up"}, owned: true},
	Monitor:       {ops: []SyncOp{Enter, Exit, Wait, Notify, NotifyAll}, keys: []string{"fairness", "instances", "speed_up"}, owned: true},
	RWLock:        {ops: []SyncOp{Enter, Exit, EnterRead, ExitRead}, keys: []string{"preference", "instances", "speed_up"}, owned: true},
	Semaphore:     {ops: []SyncOp{Enter, Exit}, keys: []string{"fairness", "permits", "instances", "speed_up"}, hangs: noPermits},
	Barrier:       {ops: []SyncOp{Await}, keys: []string{"fairness", "parties", "spin_s"}, parties: 1},
	Latch:         {ops: []SyncOp{Await, CountDown, Add}, keys: []string{"permits"}, signalled: true, hangs: notCountedDown},
	Condition:     {ops: []SyncOp{Wait, Notify, NotifyAll}, signalled: true},
	Once:          {ops: []SyncOp{Do, Done}, owned: true, signalled: true, hangs: notDone},
	BlockingQueue: {ops: []SyncOp{Send, Receive}, keys: []string{"capacity"}, signalled: true},
	Channel:       {ops: []SyncOp{Send, Receive, Close}, keys: []string{"capacity", "stream"}, signalled: true},
	Park:          {ops: []SyncOp{ParkOp, Unpark}, signalled: true},
	Phaser:        {ops: []SyncOp{Await, Arrive, Register, Leave}, keys: []string{"parties"}},
	Exchanger:     {ops: []SyncOp{Exchange}},
}

// LockKinds lists all kinds, sorted.
func LockKinds() []LockKind { return slices.Sorted(maps.Keys(lockKinds)) }

// kindsThat lists the kinds of which f is true, sorted.
func kindsThat(f func(LockKind) bool) []LockKind {
	return slices.DeleteFunc(LockKinds(), func(k LockKind) bool { return !f(k) })
}

// Ops returns the operations that a kind of lock has; nil for an unknown kind.
func (k LockKind) Ops() []SyncOp { return slices.Clone(lockKinds[k].ops) }

// Does reports whether a kind of lock has the operation.
func (k LockKind) Does(op SyncOp) bool { return slices.Contains(lockKinds[k].ops, op) }

// Has reports whether the key of Lock, such as "parties", describes locks of the kind.
func (k LockKind) Has(key string) bool { return slices.Contains(lockKinds[k].keys, key) }

// Held reports whether threads hold locks of the kind between enter and exit.
func (k LockKind) Held() bool { return k.Does(Exit) }

// Owned reports whether locks of the kind know which thread has them.
func (k LockKind) Owned() bool { return lockKinds[k].owned }

// Exclusive reports whether a thread that holds such a lock keeps others out: all, or
// those that do not only read.
func (k LockKind) Exclusive() bool { return k.Owned() && k.Held() }

// Rationed reports whether threads hold permits of such a lock, of which there are
// several.
func (k LockKind) Rationed() bool { return k.Held() && k.Has("permits") }

// Signalled reports whether threads wait at such a lock for what others do there, and
// for nothing else: with one side alone they wait for ever, or nobody does.
func (k LockKind) Signalled() bool { return lockKinds[k].signalled }

// OfAnother reports whether waiting at such a lock releases another one: it is a
// condition variable.
func (k LockKind) OfAnother() bool { return k.Does(Wait) && !k.Held() }

// Filled reports whether items lie in such a lock.
func (k LockKind) Filled() bool { return k.Has("capacity") }

// Units is how much there is of a lock: permits, places, parties, or 1. The utilization of what threads hold is relative to
// it.
func (l *Lock) Units() int {
	switch {
	case l.Kind.Rationed():
		return max(1, l.Permits)
	case l.Kind.Has("capacity"):
		return max(1, l.Capacity)
	case l.Kind.Has("parties"):
		return max(1, l.Parties)
	}
	return 1
}

func noPermits(l *Lock, has func(SyncOp) bool) string {
	if l.Permits > 0 || !has(Enter) || has(Exit) {
		return ""
	}
	return fmt.Sprintf("has no permits and nobody releases any, so that %q waits for ever; give permits or add %q", Enter, Exit)
}

func notCountedDown(l *Lock, has func(SyncOp) bool) string {
	if l.Permits <= 0 || !has(Await) || has(CountDown) {
		return ""
	}
	return fmt.Sprintf("counts from %d and nobody counts down, so that %q waits for ever; add a fragment with %q", l.Permits, Await, CountDown)
}

func notDone(_ *Lock, has func(SyncOp) bool) string {
	if !has(Do) || has(Done) {
		return ""
	}
	return fmt.Sprintf("is begun by %q and never finished; add a fragment with %q", Do, Done)
}

// blocks reports whether a thread may wait in the operation, so that it may
// have a timeout.
func (op SyncOp) blocks() bool {
	switch op {
	case Enter, EnterRead, Await, Wait, Do, Send, Receive, Select, ParkOp, Exchange:
		return true
	case Exit, ExitRead, Arrive, Register, Leave, CountDown, Add, Notify, NotifyAll, Done, Close, Unpark, Make:
		return false
	}
	return false
}

// signals reports whether the operation lets a thread go on that waits in another one.
func (op SyncOp) signals() bool {
	switch op {
	case Send, Close, CountDown, Notify, NotifyAll, Unpark:
		return true
	default:
		return false
	}
}

// counts reports whether N means something for the operation.
func (op SyncOp) counts() bool {
	switch op {
	case Enter, Exit, CountDown, Add, Arrive, Register, Leave:
		return true
	default:
		return false
	}
}
