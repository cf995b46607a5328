// Machine has pools and limits whose sizes follow the machine that it runs on.
package main

import (
	"flag"
	"runtime"
	"sync"
)

var everywhere = runtime.NumCPU()

func main() {
	workers := flag.Int("workers", runtime.GOMAXPROCS(0), "threads")
	queue := flag.Int("queue", 0, "capacity; 0: two for every CPU")
	flag.Parse()
	var wg sync.WaitGroup
	for range *workers {
		wg.Go(func() {}) // WANT -workers spawn; runtime.GOMAXPROCS(0) spawn x unless -workers
	}
	n := *queue
	if n == 0 {
		n = 2 * runtime.NumCPU()
	}
	c := make(chan int, n) // WANT -queue capacity; runtime.NumCPU() capacity 2·x
	limit := runtime.NumCPU() - 1
	if limit < 1 {
		limit = 1
	}
	turns := make(chan struct{}, limit) // WANT runtime.NumCPU() capacity x − 1, at least 1
	sums := make([]int, everywhere)
	for i := range sums {
		wg.Add(1)
		go part(&wg, sums, i, c, turns) // WANT runtime.NumCPU() spawn
	}
	for i := 1; i < min(runtime.GOMAXPROCS(-1)/2, 8); i++ {
		wg.Go(func() {}) // WANT runtime.GOMAXPROCS(0) spawn 0.5·x − 1, at most 7
	}
	for i := 0; i < runtime.NumCPU()+len(sums); i++ { // WANT runtime.NumCPU() loop loose
		<-c
	}
	wg.Wait()
}

func part(wg *sync.WaitGroup, sums []int, i int, c chan int, turns chan struct{}) {
	defer wg.Done()
	turns <- struct{}{}
	for j := i; j < 100; j += len(sums) { // WANT runtime.NumCPU() stride
		sums[i] += j
	}
	<-turns
	c <- sums[i]
}
