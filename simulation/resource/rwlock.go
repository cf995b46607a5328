package resource

import "tierscope/core"

// rwlockOf makes a read-write lock by its rule: rwlock_go.go, rwlock_fair.go,
// rwlock_barging.go, rwlock_readfirst.go.
func rwlockOf(tab *Table, l core.Lock, _ Lock) Lock {
	switch l.Preference {
	case core.GoRW, "":
		return newGoRWLock(tab)
	case core.JavaFair:
		return newFairRWLock(tab)
	case core.JavaUnfair:
		return newBargingRWLock(tab)
	case core.ReadFirst:
		return newReadFirstRWLock(tab)
	}
	return nil
}
