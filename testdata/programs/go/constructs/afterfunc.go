package main

import "time"

// WANT main.main: make receive=1
// WANT main.afterfunc.func1: send
func afterfunc() {
	c := make(chan int)
	time.AfterFunc(time.Millisecond, func() { c <- 1 })
	<-c
}
