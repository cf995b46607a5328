package main

import "time"

// WANT+ main.main: make receive=1 make select=0 receive=1 receive=1
func timer() {
	<-time.After(time.Millisecond)
	never := make(chan int)
	select {
	case <-never:
	case <-time.After(time.Millisecond):
	}
	t := time.NewTicker(time.Millisecond)
	defer t.Stop()
	<-t.C
	<-t.C
}
