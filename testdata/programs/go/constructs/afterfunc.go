package main

import "time"

// WANT main.main: make spawn receive=1
// WANT main.afterfunc.func1: sleep=0 send=0
func afterfunc() {
	c := make(chan int)
	time.AfterFunc(time.Millisecond, func() { c <- 1 })
	<-c
}
