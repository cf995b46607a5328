// Homemade has a spin lock and a barrier of its own making, and an atomic
// counter that is neither.
package main

import (
	"runtime"
	"sync"
	"sync/atomic"
)

type barrier struct {
	mu     sync.Mutex
	lifted *sync.Cond
	n      int
	count  int
	round  int
}

func (b *barrier) wait() {
	b.mu.Lock()
	defer b.mu.Unlock()
	round := b.round
	if b.count++; b.count == b.n {
		b.count, b.round = 0, b.round+1
		b.lifted.Broadcast()
		return
	}
	for round == b.round {
		b.lifted.Wait() // WANT barrier
	}
}

type spin struct{ held atomic.Bool }

func (s *spin) lock() {
	for !s.held.CompareAndSwap(false, true) { // WANT spin loop
		runtime.Gosched()
	}
}

func work(int64) {}

func main() {
	sum(make([]atomic.Int64, 3))
	b := &barrier{n: 1}
	b.lifted = sync.NewCond(&b.mu)
	b.wait()
	var s spin
	s.lock()
	var next atomic.Int64
	for i := next.Add(1); i < 10; i = next.Add(1) {
		work(i)
	}
}

func sum(ns []atomic.Int64) (total int64) {
	for i := range ns { // waits for nothing
		total += ns[i].Load()
	}
	return total
}
