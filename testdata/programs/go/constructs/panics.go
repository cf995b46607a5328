package main

import "sync"

// An operation that panics has no end; what comes after it, deeper in the
// stack than it was, is recorded all the same.
//
// WANT main.main: make close lock unlock
func panics() {
	c := make(chan int)
	close(c)
	func() {
		defer func() { recover() }()
		c <- 1
	}()
	var mu sync.Mutex
	deep(3, func() {
		mu.Lock()
		mu.Unlock()
	})
}

func deep(n int, f func()) {
	if n == 0 {
		f()
		return
	}
	var pad [64]int
	pad[n] = n
	deep(n-1, f)
	if pad[n] != n {
		panic("stack")
	}
}
