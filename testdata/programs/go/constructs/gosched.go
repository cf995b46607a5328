package main

import "runtime"

// WANT main.main: yield yield
func gosched() {
	runtime.Gosched()
	runtime.Gosched()
}
