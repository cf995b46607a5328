package main

import (
	"math"
	"time"
	_ "unsafe" // for linkname
)

// doSpin is one round of what a goroutine does at a mutex that another one is about to leave, before it waits.
//
//go:linkname doSpin sync.runtime_doSpin
func doSpin()

// spin is how long a round takes, in s.
func spin(batches, rounds int) float64 {
	least := math.Inf(1)
	for range batches {
		begin := time.Now()
		for range rounds {
			doSpin()
		}
		least = min(least, time.Since(begin).Seconds()/float64(rounds))
	}
	return least
}
