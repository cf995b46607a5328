package main

import "golang.org/x/sync/errgroup"

// The limiter is a channel: Go sends to it, the goroutine receives.
//
// WANT main.main: make send add spawn send add spawn wait
// WANT+ golang.org/x/sync/errgroup.(*Group).Go.func1: receive=1 done
func errgroups() {
	var g errgroup.Group
	g.SetLimit(1)
	for range 2 {
		g.Go(func() error { return nil })
	}
	check(g.Wait())
}
