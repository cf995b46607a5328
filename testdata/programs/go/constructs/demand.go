package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"

	"golang.org/x/sys/unix"
)

// demand computes between operations on a lock, and writes to standard error
// how much CPU time that took, in ns, by the clock of its thread.
//
// WANT+ main.demand.func1: unlock lock unlock lock unlock done
func demand() {
	var wg sync.WaitGroup
	truth := make([]int64, 2)
	for i := range truth {
		wg.Add(1)
		go func() {
			defer wg.Done()
			runtime.LockOSThread()
			var mu sync.Mutex
			for range 500 {
				mu.Lock()
				mu.Unlock()
				start := threadCPU()
				burn(300_000)
				truth[i] += threadCPU() - start
				mu.Lock()
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	fmt.Fprintln(os.Stderr, truth[0]+truth[1])
}

// hog computes for ever.
func hog() {
	for {
		burn(1 << 30)
	}
}

func threadCPU() int64 {
	var ts unix.Timespec
	check(unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts))
	return ts.Nano()
}

//go:noinline
func burn(n int) uint64 {
	x := uint64(1)
	for range n {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}
