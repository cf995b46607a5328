package main

import (
	"runtime"
	"sync"
)

// garbage keeps 64 MB of pointers and collects three times.
//
// WANT+ main.main: lock unlock
func garbage() {
	keep := make([]*[64]*int, 0, 1<<17)
	for range cap(keep) {
		keep = append(keep, new([64]*int))
	}
	for range 3 {
		runtime.GC()
	}
	var mu sync.Mutex
	mu.Lock()
	runtime.KeepAlive(keep)
	mu.Unlock()
}
