// Command stops has loops that are left in every way that no probe sees.
package main

import (
	"context"
	"sync/atomic"
	"time"
)

var stop atomic.Bool

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	began := time.Now()
	n := 0
	for !stop.Load() { // WANT flag
		n++
		stop.Store(n > 10)
	}
	for ctx.Err() == nil { // WANT flag
		n++
	}
	for time.Since(began).Seconds() < 0.5 { // WANT clock
		n++
	}
	for {
		if time.Now().After(began.Add(time.Second)) { // WANT clock
			break
		}
		n++
	}
	for i := range 10 {
		if stop.Load() {
			n += i
		}
	}
	if stop.Load() {
		println(n)
	}
}
