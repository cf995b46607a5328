package main

import "context"

// WANT+ main.main: make spawn receive=0
// WANT+ main.contexts.func1: close
func contexts() {
	ctx, cancel := context.WithCancel(context.Background())
	done := ctx.Done()
	go func() { cancel() }()
	<-done
}
