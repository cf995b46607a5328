package main

import "sync"

// The first call runs the function while it holds the Once's lock; the second
// one does nothing that the probes see.
//
// WANT main.main: once=1 lock unlock unlock
func once() {
	var o sync.Once
	var mu sync.Mutex
	for range 2 {
		o.Do(func() {
			mu.Lock()
			mu.Unlock()
		})
	}
}
