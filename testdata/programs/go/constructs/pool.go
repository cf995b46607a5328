package main

import "sync"

// WANT main.main: make add spawn send send close wait
// WANT main.pool.func1: receive=1 lock unlock receive=1 lock unlock receive=0 done
func pool() {
	jobs := make(chan int, 4)
	var mu sync.Mutex
	sum := 0
	var wg sync.WaitGroup
	for range 1 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range jobs {
				mu.Lock()
				sum += j
				mu.Unlock()
			}
		}()
	}
	jobs <- 1
	jobs <- 2
	close(jobs)
	wg.Wait()
}
