package simulation

import (
	"context"
	"runtime"
)

// Pool bounds how many replications run at once. Runs that share a Pool share
// its workers; which run gets one next is not defined, and no result depends
// on it.
type Pool struct {
	slots chan struct{}
}

// NewPool returns a pool of n workers; GOMAXPROCS workers if n ≤ 0.
func NewPool(n int) *Pool {
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	return &Pool{make(chan struct{}, n)}
}

// Workers returns how many replications may run at once.
func (p *Pool) Workers() int { return cap(p.slots) }

// do calls f on the calling goroutine when a worker is free and reports
// whether it did: it does not after ctx is done.
func (p *Pool) do(ctx context.Context, f func()) bool {
	if ctx.Err() != nil {
		return false
	}
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return false
	}
	defer func() { <-p.slots }()
	f()
	return true
}
