// Nested starts threads in rounds and deals work out to them, and others that only
// know their neighbours; how many there are is said by its arguments.
package main

import (
	"fmt"
	"os"
	"strconv"
	"sync"
)

func main() {
	threads, _ := strconv.Atoi(os.Args[1])
	rounds, _ := strconv.Atoi(os.Args[2])
	seats, _ := strconv.Atoi(os.Args[3])
	var wg sync.WaitGroup
	for range rounds {
		fmt.Println("round") // WANT argument 2 loop
		for t := range threads {
			wg.Add(1)
			go func() { // WANT argument 1 spawn
				defer wg.Done()
				for i := range 1000 {
					if i%threads == t { // WANT argument 1 divisor
						fmt.Println(i)
					}
				}
			}()
		}
		wg.Wait()
	}
	forks := make([]sync.Mutex, seats)
	for t := range seats {
		wg.Add(1)
		go func() { // WANT argument 3 spawn
			defer wg.Done()
			forks[t].Lock()
			forks[(t+1)%seats].Lock()
		}()
	}
	wg.Wait()
	for t := range seats {
		fmt.Println(<-source(t)) // WANT argument 3 loop
	}
}

// source starts a thread each time that it is called.
func source(n int) <-chan int {
	out := make(chan int)
	go func() { // WANT argument 3 spawn
		out <- n
	}()
	return out
}
