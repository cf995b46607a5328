package main

import (
	"context"

	"golang.org/x/sync/semaphore"
)

// A weighted semaphore is a mutex and a list of waiters, each with a channel. They
// are put together again, with the permits of every call; a try that fails does
// not tell how many it asked for.
//
// WANT main.main: acquire(2) acquire(1) try-acquire(1)=0 try-acquire(2)=1 spawn acquire(4) release(4)
// WANT main.semaphores.func1: release(2) release(3)
func semaphores() {
	s := semaphore.NewWeighted(5)
	check(s.Acquire(context.Background(), 2))
	check(s.Acquire(context.Background(), 1))
	s.TryAcquire(3)
	s.TryAcquire(2)
	go func() {
		s.Release(2)
		s.Release(3)
	}()
	check(s.Acquire(context.Background(), 4))
	s.Release(4)
}
