package main

// WANT main.main: make make spawn send send close receive=0
// WANT main.unbuffered.func1: receive=1 receive=1 receive=0 close
func unbuffered() {
	c, done := make(chan int), make(chan bool)
	go func() {
		for range c {
		}
		close(done)
	}()
	c <- 1
	c <- 2
	close(c)
	<-done
}
