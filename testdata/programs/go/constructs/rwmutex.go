package main

import "sync"

// WANT main.main: rlock rlock runlock runlock lock try-rlock=0 try-lock=0 unlock rlock runlock
func rwmutex() {
	var mu sync.RWMutex
	mu.RLock()
	mu.RLock()
	mu.RUnlock()
	mu.RUnlock()
	mu.Lock()
	mu.TryRLock()
	mu.TryLock()
	mu.Unlock()
	l := mu.RLocker()
	l.Lock()
	l.Unlock()
}
