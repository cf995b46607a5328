package main

// WANT main.main: make send close receive=1 receive=0 receive=0
func closed() {
	c := make(chan int, 1)
	c <- 1
	close(c)
	for range c {
	}
	if _, ok := <-c; ok {
		panic("closed")
	}
}
