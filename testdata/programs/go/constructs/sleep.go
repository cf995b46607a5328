package main

import "time"

// WANT main.main: sleep sleep
func sleep() {
	time.Sleep(time.Millisecond)
	time.Sleep(time.Microsecond)
}
