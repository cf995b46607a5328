package core

import (
	"maps"
	"slices"
)

// lockKind says what a kind of lock has: its operations and the keys that
// describe it. This table is the meaning of "op not available for a kind".
type lockKind struct {
	ops  []SyncOp
	keys []string
}

var lockKinds = map[LockKind]lockKind{
	Mutex:         {[]SyncOp{Enter, Exit}, []string{"fairness", "instances", "speed_up"}},
	Monitor:       {[]SyncOp{Enter, Exit, Wait, Notify, NotifyAll}, []string{"fairness", "instances", "speed_up"}},
	RWLock:        {[]SyncOp{Enter, Exit, EnterRead, ExitRead}, []string{"preference", "instances", "speed_up"}},
	Semaphore:     {[]SyncOp{Enter, Exit}, []string{"fairness", "permits", "instances", "speed_up"}},
	Barrier:       {[]SyncOp{Await}, []string{"parties"}},
	Latch:         {[]SyncOp{Await, CountDown, Add}, []string{"permits"}},
	Condition:     {[]SyncOp{Wait, Notify, NotifyAll}, nil},
	Once:          {[]SyncOp{Do, Done}, nil},
	BlockingQueue: {[]SyncOp{Send, Receive}, []string{"capacity"}},
	Channel:       {[]SyncOp{Send, Receive, Close}, []string{"capacity"}},
	Park:          {[]SyncOp{ParkOp, Unpark}, nil},
	Phaser:        {[]SyncOp{Await, Arrive, Register, Leave}, []string{"parties"}},
	Exchanger:     {[]SyncOp{Exchange}, nil},
}

func sortedLockKinds() []LockKind { return slices.Sorted(maps.Keys(lockKinds)) }

// Ops returns the operations that a kind of lock has; nil for an unknown kind.
func (k LockKind) Ops() []SyncOp { return slices.Clone(lockKinds[k].ops) }

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

// counts reports whether N means something for the operation.
func (op SyncOp) counts() bool {
	switch op {
	case Enter, Exit, CountDown, Add, Arrive, Register, Leave:
		return true
	default:
		return false
	}
}
