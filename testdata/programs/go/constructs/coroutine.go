package main

import (
	"iter"
	"sync"
)

// A coroutine runs on a goroutine of its own, but never beside its caller.
//
// WANT main.main: spawn lock unlock
// WANT iter.Pull[...].func1: lock unlock lock unlock
func coroutine() {
	var mu sync.Mutex
	next, stop := iter.Pull(func(yield func(int) bool) {
		for i := range 2 {
			mu.Lock()
			mu.Unlock()
			if !yield(i) {
				return
			}
		}
	})
	defer stop()
	for {
		if _, ok := next(); !ok {
			break
		}
	}
	mu.Lock()
	mu.Unlock()
}
