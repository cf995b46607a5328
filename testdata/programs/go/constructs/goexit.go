package main

import (
	"runtime"
	"sync"
)

// WANT main.main: add spawn wait
// WANT main.goexit.func1: lock unlock done
func goexit() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	wg.Add(1)
	go func() {
		defer wg.Done()
		mu.Lock()
		defer mu.Unlock()
		runtime.Goexit()
	}()
	wg.Wait()
}
