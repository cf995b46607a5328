package main

import "sync"

// WANT main.main: lock spawn cond-wait unlock
// WANT main.cond.func1: lock unlock signal
func cond() {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	done := false
	mu.Lock()
	go func() {
		mu.Lock()
		done = true
		mu.Unlock()
		c.Signal()
	}()
	for !done {
		c.Wait()
	}
	mu.Unlock()
}
