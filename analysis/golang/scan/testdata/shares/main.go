// Shares divides work among a number of threads that a flag gives, and sends
// results through a channel whose capacity another one gives.
package main

import (
	"flag"
	"os"
	"runtime"
	"strconv"
	"sync"
)

type options struct{ workers, queue int }

func main() {
	var o options
	flag.IntVar(&o.workers, "workers", 2, "threads")
	flag.IntVar(&o.queue, "queue", 8, "capacity")
	rounds := flag.Int("rounds", 3, "how often")
	flag.Parse()
	if n, err := strconv.Atoi(os.Getenv("PROCS")); err == nil {
		runtime.GOMAXPROCS(n) // WANT PROCS cores
	}
	for range *rounds {
		run(o, make([]int, 1000)) // WANT -rounds loop
	}
}

func run(o options, xs []int) {
	results := make(chan int, o.queue) // WANT -queue capacity
	var mu sync.Mutex
	total := 0
	for w := 0; w < o.workers; w++ {
		go func() { // WANT -workers spawn
			sum := 0
			for i := w; i < len(xs); i += o.workers { // WANT -workers stride
				sum += xs[i]
			}
			mu.Lock()
			total += sum
			mu.Unlock()
			results <- sum / o.workers // WANT -workers divisor
		}()
	}
	for range o.workers {
		<-results // WANT -workers loop
	}
}
