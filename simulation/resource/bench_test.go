package resource

import (
	"testing"

	"tierscope/core"
)

// sleeper is a host that counts.
type sleeper struct {
	journal
	woken []Thread
}

func (s *sleeper) Resume(t Thread, o Outcome, _ int32) {
	if o == Retry {
		s.woken = append(s.woken, t)
	}
}

// contend lets thread 0 hold and release the lock with one waiter each time.
func contend(lock Lock, s *sleeper) {
	lock.Call(0, Enter, 1)
	lock.Call(1, Enter, 1)
	lock.Call(0, Exit, 1)
	for _, t := range s.woken {
		lock.Retry(t)
	}
	s.woken = s.woken[:0]
	lock.Call(1, Exit, 1)
}

// contended lists the locks that contend exercises.
func contended() map[string]core.Lock {
	return map[string]core.Lock{
		"mutex=fair":        {Kind: core.Mutex},
		"mutex=barging":     {Kind: core.Mutex, Fairness: core.Barging},
		"mutex=go":          {Kind: core.Mutex, Fairness: core.GoMutex},
		"monitor=barging":   {Kind: core.Monitor, Fairness: core.Barging},
		"rwlock=go":         {Kind: core.RWLock},
		"rwlock=java":       {Kind: core.RWLock, Preference: core.JavaUnfair},
		"rwlock=java_fair":  {Kind: core.RWLock, Preference: core.JavaFair},
		"semaphore=fair":    {Kind: core.Semaphore, Permits: 1},
		"semaphore=barging": {Kind: core.Semaphore, Permits: 1, Fairness: core.Barging},
	}
}

// One operation is two acquisitions, one of which waits, and two releases.
func BenchmarkContendedLock(b *testing.B) {
	for name, l := range contended() {
		b.Run(name, func(b *testing.B) {
			var s sleeper
			lock := must(New(NewTable(&s, 2), l, nil))
			b.ReportAllocs()
			for b.Loop() {
				contend(lock, &s)
			}
		})
	}
}

// One operation is an item through a queue of capacity 16 with a sleeping
// receiver.
func BenchmarkQueue(b *testing.B) {
	var s sleeper
	q := NewQueue(NewTable(&s, 2), QueueConfig{Capacity: 16})
	b.ReportAllocs()
	for b.Loop() {
		pass(q)
	}
}

func pass(q *Queue) {
	q.Get(1)
	q.Put(0, 7, 0)
	q.Put(0, 8, 0)
	q.Get(1)
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	// AllocsPerRun must not run beside other tests.
	for name, l := range contended() {
		var s sleeper
		lock := must(New(NewTable(&s, 2), l, nil))
		contend(lock, &s)
		if n := testing.AllocsPerRun(100, func() { contend(lock, &s) }); n != 0 {
			t.Errorf("%s: %v allocations per operation", name, n)
		}
	}
	var s sleeper
	tab := NewTable(&s, 2)
	q, r := NewQueue(tab, QueueConfig{Capacity: 16}), NewQueue(tab, QueueConfig{})
	cases, order := []Case{{Queue: q}, {Queue: r, Send: true}}, []int32{0, 1}
	work := func() {
		pass(q)
		tab.Select(0, cases, order, true)
		q.Put(1, 3, 0)
	}
	work()
	if n := testing.AllocsPerRun(100, work); n != 0 {
		t.Errorf("queues: %v allocations per operation", n)
	}
}
