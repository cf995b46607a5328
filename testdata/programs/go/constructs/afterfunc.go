package main

import "time"

// WANT main.main: make make spawn receive=1 receive=0
// WANT main.afterfunc.func1: sleep=0 send=0 close
func afterfunc() {
	c, done := make(chan int), make(chan struct{})
	time.AfterFunc(time.Millisecond, func() {
		c <- 1
		close(done) // the program does not end before the end of the send is seen
	})
	<-c
	<-done
}
