package main

import "sync"

// WANT main.main: add add spawn lock unlock wait
// WANT main.mutex.func1: lock unlock done
func mutex() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	n := 0
	wg.Add(2)
	wg.Add(-1)
	go func() {
		defer wg.Done()
		mu.Lock()
		defer mu.Unlock()
		n++
	}()
	mu.Lock()
	n++
	mu.Unlock()
	wg.Wait()
}
