package main

import "sync"

// WANT main.main: try-lock=1 try-lock=0 unlock
func trylock() {
	var mu sync.Mutex
	mu.TryLock()
	mu.TryLock()
	mu.Unlock()
}
