package main

// A select of one case with default is not a select.
//
// WANT main.main: make try-send=1 try-send=0 try-receive=1 try-receive=0 close try-receive=2
func ready() {
	c := make(chan int, 1)
	for range 2 {
		select {
		case c <- 1:
		default:
		}
	}
	for range 2 {
		select {
		case <-c:
		default:
		}
	}
	close(c)
	select {
	case <-c:
	default:
	}
}
