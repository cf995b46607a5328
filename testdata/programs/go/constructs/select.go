package main

// Cases are numbered as the compiler passes them on: sends from the first one
// on, then receives from the last one back.
//
// WANT main.main: make make select=-1 send select=0 select=0 select=2 close select=0
func selects() {
	a, b := make(chan int, 1), make(chan int, 1)
	one := func() {
		select {
		case <-a:
		case <-b:
		default:
		}
	}
	one()
	b <- 1
	select { // a is empty, b has one: only <-b is ready
	case <-a:
	case <-b:
	}
	select { // only b<- is: a is nil here
	case b <- 2:
	case <-a:
	}
	var none chan int
	select { // <-b has one, none is never ready, a is empty
	case none <- 1:
	case <-b:
	case <-a:
	}
	close(a)
	select {
	case <-b:
	case <-a:
	}
}
