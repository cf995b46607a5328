// Command exam is what every front end is examined with (package
// analysis/targettest): WORKERS threads take TASKS numbers from a queue of
// capacity 4, compute, and add to a sum under a lock.
package main

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"sync"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: exam TASKS WORKERS")
		os.Exit(3)
	}
	tasks, _ := strconv.Atoi(os.Args[1])
	workers, _ := strconv.Atoi(os.Args[2])
	queue := make(chan int, 4)
	var lock sync.Mutex
	var done sync.WaitGroup
	sum := 0.0
	for range workers {
		done.Add(1)
		go func() {
			defer done.Done()
			for x := range queue {
				y := compute(x)
				lock.Lock()
				sum += y
				lock.Unlock()
			}
		}()
	}
	for i := range tasks {
		queue <- i
	}
	close(queue)
	done.Wait()
	fmt.Println(sum)
}

func compute(x int) float64 {
	y := float64(x)
	for i := range 100_000 {
		y = math.Sqrt(y*y+float64(i%7))*0.999 + 0.1
	}
	return y
}
