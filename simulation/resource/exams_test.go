package resource

import (
	"fmt"

	"tierscope/core"
)

// exams lists the kinds of locks with their references.
func exams() map[string]*exam {
	mutex := []action{{op: Enter}, {op: Exit}, {op: Enter, try: true}}
	permits := []action{{op: Enter, n: 1}, {op: Enter, n: 3}, {op: Exit, n: 1}, {op: Exit, n: 2}, {op: Enter, n: 2, try: true}}
	monitor := []action{{op: Enter}, {op: Enter, n: 2}, {op: Exit}, {op: Exit, n: 2}, {op: Wait}, {op: Notify}, {op: Notify, n: 2}, {op: NotifyAll}, {op: Enter, try: true}, {op: Wait, try: true}}
	rw := []action{{op: Enter}, {op: EnterRead}, {op: Exit}, {op: ExitRead}, {op: EnterRead, try: true}, {op: Enter, try: true}}
	latch := []action{{op: Await}, {op: Await}, {op: Add, n: 2}, {op: CountDown}, {op: CountDown, n: 2}, {op: Await, try: true}}
	phaser := []action{{op: Await}, {op: Await}, {op: Arrive}, {op: Register}, {op: Leave}, {op: Await, try: true}}

	one := func(l core.Lock) func(*Table) Lock {
		return func(tab *Table) Lock { return must(New(tab, l, nil)) }
	}
	pairOf := func(l core.Lock) func(*Table) Lock {
		return func(tab *Table) Lock {
			lock := must(New(tab, l, nil))
			c := must(New(tab, core.Lock{Kind: core.Condition}, lock))
			return &lockPair{pair{lock: lock, condition: c}, lock}
		}
	}
	return map[string]*exam{
		"mutex fair": {
			lock:      one(core.Lock{Kind: core.Mutex}),
			reference: func(j *journal) reference { return &plainMutex{j: j} },
			actions:   mutex, excess: atMostOne, free: nobodyInside,
		},
		"mutex barging": {
			lock:      one(core.Lock{Kind: core.Mutex, Fairness: core.Barging}),
			reference: func(j *journal) reference { return &plainAQS{j: j, permits: 1, mutex: true} },
			actions:   mutex, excess: atMostOne, free: nobodyInside,
		},
		"mutex go": {
			lock:      one(core.Lock{Kind: core.Mutex, Fairness: core.GoMutex}),
			reference: func(j *journal) reference { return &plainGoMutex{j: j} },
			actions:   mutex, patient: true, excess: atMostOne, free: nobodyInside,
		},
		"monitor fair": {
			lock:      one(core.Lock{Kind: core.Monitor}),
			reference: func(j *journal) reference { return &plainMonitor{j: j, owner: NoThread, awake: NoThread} },
			actions:   monitor, excess: atMostOne, free: nobodyInside,
		},
		"monitor barging": {
			lock: one(core.Lock{Kind: core.Monitor, Fairness: core.Barging}),
			reference: func(j *journal) reference {
				return &plainMonitor{j: j, barging: true, owner: NoThread, awake: NoThread}
			},
			actions: monitor, excess: atMostOne, free: nobodyInside,
		},
		"condition on a fair mutex": {
			lock: pairOf(core.Lock{Kind: core.Mutex}),
			reference: func(j *journal) reference {
				m := &plainMutex{j: j}
				return &pair{lock: m, condition: &plainCondition{j: j, lock: m}}
			},
			actions: monitor, excess: atMostOne, free: nobodyInside,
		},
		"condition on a go mutex": {
			lock: pairOf(core.Lock{Kind: core.Mutex, Fairness: core.GoMutex}),
			reference: func(j *journal) reference {
				m := &plainGoMutex{j: j}
				return &pair{lock: m, condition: &plainCondition{j: j, lock: m}}
			},
			actions: monitor, patient: true, excess: atMostOne, free: nobodyInside,
		},
		"condition on a monitor": {
			lock: pairOf(core.Lock{Kind: core.Monitor, Fairness: core.Barging}),
			reference: func(j *journal) reference {
				m := &plainMonitor{j: j, barging: true, owner: NoThread, awake: NoThread}
				return &pair{lock: m, condition: &plainCondition{j: j, lock: m}}
			},
			actions: monitor, excess: atMostOne, free: nobodyInside,
		},
		"rwlock go": {
			lock:      one(core.Lock{Kind: core.RWLock}),
			reference: func(j *journal) reference { return &plainGoRW{j: j, w: plainGoMutex{j: j}} },
			actions:   rw, patient: true, excess: readersOrWriter, free: nobodyInside,
		},
		"rwlock java fair": {
			lock:      one(core.Lock{Kind: core.RWLock, Preference: core.JavaFair}),
			reference: func(j *journal) reference { return &plainRW{j: j, rule: rwFair, awake: NoThread} },
			actions:   rw, excess: readersOrWriter, free: nobodyInside,
		},
		"rwlock java": {
			lock:      one(core.Lock{Kind: core.RWLock, Preference: core.JavaUnfair}),
			reference: func(j *journal) reference { return &plainRW{j: j, rule: rwBarging, awake: NoThread} },
			actions:   rw, excess: readersOrWriter, free: nobodyInside,
		},
		"rwlock read first": {
			lock:      one(core.Lock{Kind: core.RWLock, Preference: core.ReadFirst}),
			reference: func(j *journal) reference { return &plainRW{j: j, rule: rwReadFirst, awake: NoThread} },
			actions:   rw, excess: readersOrWriter, free: nobodyInside,
		},
		"semaphore fair": {
			lock:      one(core.Lock{Kind: core.Semaphore, Permits: 3}),
			reference: func(j *journal) reference { return &plainSemaphore{j: j, permits: 3} },
			actions:   permits, excess: none, free: permitsForFirst,
		},
		"semaphore barging": {
			lock:      one(core.Lock{Kind: core.Semaphore, Permits: 3, Fairness: core.Barging}),
			reference: func(j *journal) reference { return &plainAQS{j: j, permits: 3} },
			actions:   permits, excess: none, free: permitsForFirst,
		},
		"barrier": {
			lock:      one(core.Lock{Kind: core.Barrier, Parties: 3}),
			reference: func(j *journal) reference { return plainBarrier(j, 3) },
			actions:   []action{{op: Await}}, patient: true, excess: none,
			free: func(l Lock) bool { return l.Waiting() >= 3 },
		},
		"barrier with timeouts": {
			lock:      one(core.Lock{Kind: core.Barrier, Parties: 4}),
			reference: func(j *journal) reference { return plainBarrier(j, 4) },
			actions:   []action{{op: Await}, {op: Await}, {op: Await}, {op: Await, try: true}},
			excess:    none, free: func(l Lock) bool { return l.Waiting() >= 4 },
		},
		"wait group": {
			lock:      one(core.Lock{Kind: core.Latch}),
			reference: func(j *journal) reference { return plainLatch(j, 0) },
			actions:   latch, excess: none, free: func(l Lock) bool { return l.Held() == 0 },
		},
		"countdown latch": {
			lock:      one(core.Lock{Kind: core.Latch, Permits: 5}),
			reference: func(j *journal) reference { return plainLatch(j, 5) },
			actions:   latch, excess: none, free: func(l Lock) bool { return l.Held() == 0 },
		},
		"once": {
			lock:      one(core.Lock{Kind: core.Once}),
			reference: plainOnce,
			actions:   []action{{op: Do}, {op: Do, try: true}, {op: Done}},
			excess:    atMostOne, free: nobodyInside,
		},
		"park": {
			lock:      one(core.Lock{Kind: core.Park}),
			reference: func(j *journal) reference { return &plainPark{j: j, seen: map[Thread]bool{}} },
			actions:   []action{{op: Park}, {op: Unpark}, {op: Unpark, n: 2}, {op: Park, try: true}},
			excess:    none, free: func(l Lock) bool { return l.Held() > 0 },
		},
		"phaser": {
			lock:      one(core.Lock{Kind: core.Phaser, Parties: 3}),
			reference: func(j *journal) reference { return plainPhaser(j, 3) },
			actions:   phaser, excess: none, free: func(Lock) bool { return false },
		},
	}
}

func must(l Lock, err error) Lock {
	if err != nil {
		panic(err)
	}
	return l
}

func none(Lock) string { return "" }

func nobodyInside(l Lock) bool { return l.Held() == 0 }

func atMostOne(l Lock) string {
	if l.Held() > 1 {
		return fmt.Sprintf("%d holders of an exclusive lock", l.Held())
	}
	return ""
}

// readersOrWriter: a writer is alone, but for its own reads.
func readersOrWriter(l Lock) string {
	var writer Thread
	var inside []Thread
	switch l := l.(type) {
	case *goRWLock:
		writer, inside = l.writer, l.readers.threads
	case *fairRWLock:
		writer, inside = l.writer, l.readers.threads
	case *bargingRWLock:
		writer, inside = l.writer, l.readers.threads
	case *readFirstRWLock:
		writer, inside = l.writer, l.readers.threads
	}
	for _, r := range inside {
		if writer != NoThread && r != writer {
			return fmt.Sprintf("thread %d reads while thread %d writes", r, writer)
		}
	}
	return ""
}

// permitsForFirst reports whether the first waiter's wish could be met.
func permitsForFirst(l Lock) bool {
	switch l := l.(type) {
	case *semaphore:
		return l.permits >= l.tab.slots[l.wait.head].n
	case *bargingSemaphore:
		return l.permits >= l.tab.slots[l.wait.head].n
	}
	return false
}
