package main

import (
	"context"

	"golang.org/x/sync/semaphore"
)

// A weighted semaphore is a mutex and a list of waiters, each with a channel.
//
// WANT main.main: lock try-receive=0 unlock lock unlock lock unlock
func semaphores() {
	s := semaphore.NewWeighted(1)
	check(s.Acquire(context.Background(), 1))
	s.TryAcquire(1)
	s.Release(1)
}
