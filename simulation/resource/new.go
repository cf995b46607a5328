package resource

import (
	"fmt"

	"tierscope/core"
)

// kind is how locks of a kind are made.
type kind struct {
	// of makes one; on is the lock of a condition variable, nil for other kinds. nil: there is none
	// with these rules.
	of func(tab *Table, l core.Lock, on Lock) Lock
	// plain: its holders and waiters are all its state, so that without any it is as new.
	plain bool
}

var kinds = map[core.LockKind]kind{
	core.Mutex:         {of: mutexOf, plain: true},
	core.Monitor:       {of: monitorOf, plain: true},
	core.RWLock:        {of: rwlockOf, plain: true},
	core.Semaphore:     {of: semaphoreOf, plain: true},
	core.Condition:     {of: func(tab *Table, _ core.Lock, on Lock) Lock { return newCondition(tab, on) }, plain: true},
	core.Barrier:       {of: barrierOf},
	core.Latch:         {of: func(tab *Table, l core.Lock, _ Lock) Lock { return newLatch(tab, l.Permits) }},
	core.Once:          {of: func(tab *Table, _ core.Lock, _ Lock) Lock { return newOnce(tab) }},
	core.BlockingQueue: {of: queueOf},
	core.Channel:       {of: queueOf},
	core.Park:          {of: func(tab *Table, _ core.Lock, _ Lock) Lock { return newPark(tab) }},
	core.Phaser:        {of: func(tab *Table, l core.Lock, _ Lock) Lock { return newPhaser(tab, l.Parties) }},
	core.Exchanger:     {of: func(tab *Table, _ core.Lock, _ Lock) Lock { return newExchanger(tab) }, plain: true},
}

// New makes a lock of the kind that l asks for; on is the lock of a condition
// variable, nil for other kinds. It returns an error for a combination that
// does not exist.
func New(tab *Table, l core.Lock, on Lock) (Lock, error) {
	if l.Kind.OfAnother() && on == nil {
		return nil, fmt.Errorf("lock %q: condition variable without a lock to release", l.ID)
	}
	if k, known := kinds[l.Kind]; known {
		if made := k.of(tab, l, on); made != nil {
			return made, nil
		}
	}
	return nil, fmt.Errorf("lock %q: there is no %s with fairness %q and preference %q", l.ID, l.Kind, l.Fairness, l.Preference)
}

// Plain reports whether a lock of a kind is as new when nobody holds it or waits for
// it.
func Plain(k core.LockKind) bool { return kinds[k].plain }

// operations maps the operations of the model to those of this package. A
// select is not one of a lock: see Table.Select.
var operations = map[core.SyncOp]Op{
	core.Enter: Enter, core.Exit: Exit, core.EnterRead: EnterRead, core.ExitRead: ExitRead,
	core.Await: Await, core.Arrive: Arrive, core.Register: Register, core.Leave: Leave,
	core.CountDown: CountDown, core.Add: Add,
	core.Wait: Wait, core.Notify: Notify, core.NotifyAll: NotifyAll,
	core.Do: Do, core.Done: Done,
	core.Send: Send, core.Receive: Receive, core.Close: Close,
	core.ParkOp: Park, core.Unpark: Unpark, core.Exchange: Exchange,
}

// OpOf returns the operation that a model calls op.
func OpOf(op core.SyncOp) (Op, bool) {
	o, ok := operations[op]
	return o, ok
}
