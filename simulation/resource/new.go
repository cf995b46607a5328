package resource

import (
	"fmt"

	"tierscope/core"
)

// New makes a lock of the kind that l asks for; on is the lock of a condition
// variable, nil for other kinds. It returns an error for a combination that
// does not exist.
func New(tab *Table, l core.Lock, on Lock) (Lock, error) {
	switch l.Kind {
	case core.Mutex:
		switch l.Fairness {
		case core.Fair, "":
			return newMutex(tab), nil
		case core.Barging:
			return newBargingMutex(tab), nil
		case core.GoMutex:
			return newGoMutex(tab), nil
		}
	case core.Monitor:
		switch l.Fairness {
		case core.Fair, "":
			return newMonitor(tab, newMutex(tab)), nil
		case core.Barging:
			return newMonitor(tab, newBargingMutex(tab)), nil
		case core.GoMutex:
		}
	case core.RWLock:
		switch l.Preference {
		case core.GoRW, "":
			return newGoRWLock(tab), nil
		case core.JavaFair:
			return newFairRWLock(tab), nil
		case core.JavaUnfair:
			return newBargingRWLock(tab), nil
		case core.ReadFirst:
			return newReadFirstRWLock(tab), nil
		}
	case core.Semaphore:
		switch l.Fairness {
		case core.Fair, "":
			return newSemaphore(tab, l.Permits), nil
		case core.Barging:
			return newBargingSemaphore(tab, l.Permits), nil
		case core.GoMutex:
		}
	case core.Condition:
		if on != nil {
			return newCondition(tab, on), nil
		}
		return nil, fmt.Errorf("lock %q: condition variable without a lock to release", l.ID)
	case core.Barrier:
		return newBarrier(tab, l.Parties), nil
	case core.Latch:
		return newLatch(tab, l.Permits), nil
	case core.Once:
		return newOnce(tab), nil
	case core.BlockingQueue, core.Channel:
		return NewQueue(tab, QueueConfig{Capacity: l.Capacity}), nil
	case core.Park:
		return newPark(tab), nil
	case core.Phaser:
		return newPhaser(tab, l.Parties), nil
	case core.Exchanger:
		return newExchanger(tab), nil
	}
	return nil, fmt.Errorf("lock %q: there is no %s with fairness %q and preference %q", l.ID, l.Kind, l.Fairness, l.Preference)
}

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
