package resource

import (
	"slices"

	"tierscope/simulation/des"
)

// drop removes t from a list of threads.
func drop(threads []Thread, t Thread) ([]Thread, bool) {
	i := slices.Index(threads, t)
	if i < 0 {
		return threads, false
	}
	return slices.Delete(slices.Clone(threads), i, i+1), true
}

// plainMutex is a line of threads: the first is inside, the others wait.
type plainMutex struct {
	j    *journal
	line []Thread
}

func (p *plainMutex) Call(t Thread, op Op, _ int32) Outcome {
	if op == Enter {
		if p.line = append(p.line, t); len(p.line) > 1 {
			return Blocked
		}
		return Granted
	}
	if len(p.line) == 0 {
		return NotHeld
	}
	if p.line = p.line[1:]; len(p.line) > 0 {
		p.j.grant(p.line[0])
	}
	return Granted
}

func (p *plainMutex) Try(t Thread, op Op, n int32) Outcome {
	if op == Enter && len(p.line) > 0 {
		return Failed
	}
	return p.Call(t, op, n)
}

func (p *plainMutex) Retry(Thread) Outcome { panic("never") }

func (p *plainMutex) Cancel(t Thread) Outcome {
	i := 1 + slices.Index(p.line[1:], t)
	p.line = slices.Delete(slices.Clone(p.line), i, i+1)
	return Failed
}

// plainAQS is AbstractQueuedSynchronizer with a count of permits: ReentrantLock
// and Semaphore, not fair. Release unparks the first in the queue, which does
// nothing if that thread is not parked; a shared acquire that leaves permits
// unparks the next.
type plainAQS struct {
	j       *journal
	permits int32
	mutex   bool // exclusive: one permit, release when free is an error
	queue   []Thread
	need    [programThreads]int32
	parked  [programThreads]bool
}

func (p *plainAQS) unpark() {
	if len(p.queue) > 0 && p.parked[p.queue[0]] {
		p.parked[p.queue[0]] = false
		p.j.wake(p.queue[0])
	}
}

func (p *plainAQS) Try(t Thread, op Op, n int32) Outcome {
	if n = max(n, 1); op == Enter {
		if p.permits < n {
			return Failed
		}
		p.permits -= n
		return Granted
	}
	if p.mutex && p.permits == 1 {
		return NotHeld
	}
	p.permits += n
	p.unpark()
	return Granted
}

func (p *plainAQS) Call(t Thread, op Op, n int32) Outcome {
	o := p.Try(t, op, n)
	if o == Failed {
		p.queue = append(p.queue, t)
		p.need[t], p.parked[t] = max(n, 1), true
		return Blocked
	}
	return o
}

func (p *plainAQS) Retry(t Thread) Outcome {
	if p.permits < p.need[t] {
		p.parked[t] = true
		return Blocked
	}
	p.permits -= p.need[t]
	p.queue, _ = drop(p.queue, t)
	if p.permits > 0 {
		p.unpark()
	}
	return Granted
}

// Cancel is cancelAcquire: a cancelled first in line signals its successor, for
// which it is a wake-up in vain when nothing is free, so it is left out then.
func (p *plainAQS) Cancel(t Thread) Outcome {
	first := p.queue[0] == t
	p.queue, _ = drop(p.queue, t)
	if first && p.permits > 0 {
		p.unpark()
	}
	return Failed
}

// plainGoMutex transcribes Go's internal/sync/mutex.go, with its state word, its
// semaphore queue and the local variables of each goroutine in lockSlow.
type plainGoMutex struct {
	j       *journal
	locked  bool
	woken   bool
	starve  bool
	waiters int
	sema    []Thread
	local   [programThreads]struct {
		waitStart int64 // −1: has not waited
		starving  bool
		awoke     bool
	}
}

func (p *plainGoMutex) Call(t Thread, op Op, _ int32) Outcome {
	l := &p.local[t]
	if op == Enter {
		l.waitStart, l.starving, l.awoke = -1, false, false
		return p.slow(t)
	}
	if !p.locked {
		return NotHeld
	}
	p.locked = false
	p.unlockSlow()
	return Granted
}

// slow is one round of the loop in lockSlow, without spinning.
func (p *plainGoMutex) slow(t Thread) Outcome {
	l := &p.local[t]
	wasLocked, wasStarving := p.locked, p.starve
	if !wasStarving {
		p.locked = true
	}
	if wasLocked || wasStarving {
		p.waiters++
	}
	if l.starving && wasLocked {
		p.starve = true
	}
	if l.awoke {
		p.woken = false
	}
	if !wasLocked && !wasStarving {
		return Granted
	}
	if l.waitStart >= 0 {
		p.sema = slices.Insert(p.sema, 0, t)
	} else {
		l.waitStart = int64(p.j.now)
		p.sema = append(p.sema, t)
	}
	return Blocked
}

func (p *plainGoMutex) unlockSlow() {
	if !p.starve {
		if p.waiters == 0 || p.locked || p.woken {
			return
		}
		p.waiters--
		p.woken = true
	}
	t := p.sema[0]
	p.sema = p.sema[1:]
	p.j.wake(t)
}

func (p *plainGoMutex) Try(t Thread, op Op, n int32) Outcome {
	if op == Enter {
		if p.locked || p.starve {
			return Failed
		}
		p.locked = true
		return Granted
	}
	return p.Call(t, op, n)
}

// Retry continues lockSlow behind runtime_SemacquireMutex.
func (p *plainGoMutex) Retry(t Thread) Outcome {
	l := &p.local[t]
	l.starving = l.starving || p.j.now-des.Time(l.waitStart) > 1_000_000
	if p.starve {
		p.locked = true
		if !l.starving || p.waiters == 1 {
			p.starve = false
		}
		p.waiters--
		return Granted
	}
	l.awoke = true
	return p.slow(t)
}

func (p *plainGoMutex) Cancel(Thread) Outcome { panic("sync.Mutex has no timeout") }
