package main

// WANT main.main: make send send receive=1 receive=1
func buffered() {
	c := make(chan string, 2)
	c <- "a"
	c <- "b"
	<-c
	<-c
}
