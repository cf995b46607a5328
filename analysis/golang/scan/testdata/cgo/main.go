// Cgo computes in C. It is no program without C.
package main

// static int work(int n) { return n * n; }
import "C"

import "flag"

func main() {
	workers := flag.Int("workers", 2, "threads")
	flag.Parse()
	done := make(chan C.int)
	for range *workers {
		go func() { done <- C.work(3) }() // WANT -workers spawn
	}
	for range *workers {
		<-done // WANT -workers loop
	}
}
