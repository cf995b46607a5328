package simulation

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Pool bounds how many replications run at once. Runs that share a Pool share
// its workers; which run gets one next is not defined, and no result depends
// on it. All methods may be called concurrently.
type Pool struct {
	polite bool // set by GiveWay

	mu     sync.Mutex
	slots  chan struct{}
	paused chan struct{} // closed by Resume; nil when not paused
}

// NewPool returns a pool of n workers; GOMAXPROCS workers if n ≤ 0.
func NewPool(n int) *Pool {
	p := &Pool{}
	p.SetWorkers(n)
	return p
}

// SetWorkers makes it a pool of n workers, GOMAXPROCS workers if n ≤ 0, for
// replications that ask for one from now on.
func (p *Pool) SetWorkers(n int) {
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if cap(p.slots) != n {
		p.slots = make(chan struct{}, n)
	}
}

func (p *Pool) workers() chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.slots
}

// GiveWay makes the workers give way to everything else that wants a CPU, such
// as the window that shows their results: each replication runs on a thread of
// its own with a lower priority, where the system has such (Linux). Nothing
// else about the results changes. It must be called before the first run.
func (p *Pool) GiveWay() { p.polite = true }

// Workers returns how many replications may run at once.
func (p *Pool) Workers() int { return cap(p.workers()) }

// Pause keeps new replications from starting. Those that run go on to their end.
func (p *Pool) Pause() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.paused == nil {
		p.paused = make(chan struct{})
	}
}

// Resume ends a pause.
func (p *Pool) Resume() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.paused != nil {
		close(p.paused)
		p.paused = nil
	}
}

// do calls f on the calling goroutine when a worker is free and the pool is
// not paused, and reports whether it did: it does not after ctx is done.
func (p *Pool) do(ctx context.Context, f func()) bool {
	if ctx.Err() != nil {
		return false
	}
	slots := p.workers()
	select {
	case slots <- struct{}{}:
	case <-ctx.Done():
		return false
	}
	defer func() { <-slots }()
	if p.Wait(ctx); ctx.Err() != nil {
		return false
	}
	if p.polite {
		giveWay(f)
	} else {
		f()
	}
	return true
}

// giveWay calls f on a thread with a low priority and waits. The thread ends
// with f: without privileges no thread gets its priority back.
func giveWay(f func()) {
	var trouble any
	var wg sync.WaitGroup
	wg.Go(func() {
		defer func() { trouble = recover() }()
		runtime.LockOSThread()
		lowerPriority()
		f()
	})
	wg.Wait()
	if trouble != nil {
		panic(trouble)
	}
}

// Wait returns when the pool is not paused or ctx is done.
func (p *Pool) Wait(ctx context.Context) {
	for {
		p.mu.Lock()
		paused := p.paused
		p.mu.Unlock()
		if paused == nil {
			return
		}
		select {
		case <-paused:
		case <-ctx.Done():
			return
		}
	}
}

// upTo calls f for 0, 1, … below n, some of them at once, up to the least for which it returns true: for none after it that has not
// begun, and for all before it.
func upTo(workers, n int, f func(i int) (last bool)) {
	var wg sync.WaitGroup
	var next, least atomic.Int64
	least.Store(int64(n))
	for range min(workers, n) {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < least.Load(); i = next.Add(1) - 1 {
				if !f(int(i)) {
					continue
				}
				for was := least.Load(); i < was && !least.CompareAndSwap(was, i); was = least.Load() {
				}
			}
		})
	}
	wg.Wait()
}
