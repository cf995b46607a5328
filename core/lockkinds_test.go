package core_test

import (
	"slices"
	"testing"

	"tierscope/core"
)

// What textbooks say of the kinds: Herlihy & Shavit, The Art of Multiprocessor
// Programming, ch. 8 and 17; java.util.concurrent; Go's sync.
func TestKindsOfLocksAreAsTheirDefinitionsSay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		says string
		is   func(core.LockKind) bool
		want []core.LockKind
	}{
		{"critical sections lie between taking and giving back", core.LockKind.Held,
			[]core.LockKind{core.Monitor, core.Mutex, core.RWLock, core.Semaphore}},
		{"a semaphore has no owner, a lock has", core.LockKind.Exclusive,
			[]core.LockKind{core.Monitor, core.Mutex, core.RWLock}},
		{"who runs the function of a once has it until it is done", core.LockKind.Owned,
			[]core.LockKind{core.Monitor, core.Mutex, core.Once, core.RWLock}},
		{"a semaphore is taken in permits, a latch counts them down", core.LockKind.Rationed,
			[]core.LockKind{core.Semaphore}},
		{"only a condition variable belongs to another lock", core.LockKind.OfAnother,
			[]core.LockKind{core.Condition}},
		{"threads that meet (barrier, phaser, exchanger) signal each other, a lock is given back by who had it", core.LockKind.Signalled,
			[]core.LockKind{core.BlockingQueue, core.Channel, core.Condition, core.Latch, core.Once, core.Park}},
	} {
		got := slices.DeleteFunc(core.LockKinds(), func(k core.LockKind) bool { return !c.is(k) })
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.says, got, c.want)
		}
	}
}

// Utilization is relative to what there is of a lock.
func TestThereIsAsMuchOfALockAsItsParametersSay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lock core.Lock
		want int
	}{
		{core.Lock{Kind: core.Mutex}, 1},
		{core.Lock{Kind: core.Semaphore, Permits: 3}, 3},
		{core.Lock{Kind: core.Latch, Permits: 3}, 1}, // a count, not places
		{core.Lock{Kind: core.Barrier, Parties: 4}, 4},
		{core.Lock{Kind: core.Channel, Capacity: 8}, 8},
		{core.Lock{Kind: core.Channel}, 1},                           // a hand-off
		{core.Lock{Kind: core.Channel, Capacity: core.Unbounded}, 1}, // no share of infinity
	} {
		if got := c.lock.Units(); got != c.want {
			t.Errorf("%s with permits %d, parties %d, capacity %d: %d units, want %d", c.lock.Kind, c.lock.Permits, c.lock.Parties, c.lock.Capacity, got, c.want)
		}
	}
}
