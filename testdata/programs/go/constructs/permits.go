package main

import (
	"context"

	"golang.org/x/sync/semaphore"
)

// As long as nobody tries, the mutex and the channels of a weighted semaphore are
// put together again.
//
// WANT main.main: acquire spawn acquire release
// WANT main.permits.func1: release
func permits() {
	s := semaphore.NewWeighted(1)
	check(s.Acquire(context.Background(), 1))
	go func() { s.Release(1) }()
	check(s.Acquire(context.Background(), 1))
	s.Release(1)
}
