package main

import "sync"

// WANT main.main: add spawn add spawn wait
// WANT sync.(*WaitGroup).Go.func1: lock unlock
func waitgroup() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range 2 {
		wg.Go(func() {
			mu.Lock()
			mu.Unlock()
		})
	}
	wg.Wait()
}
