// Quadrature integrates a function in strips with sync.WaitGroup.Go.
package main

import (
	"flag"
	"fmt"
	"math"
	"sync"
)

func main() {
	threads := flag.Int("threads", 3, "goroutines")
	steps := flag.Int("steps", 100000000, "steps in all")
	flag.Parse()
	sums := make([]float64, *threads)
	h := 1 / float64(*steps)
	var wg sync.WaitGroup
	for t := range *threads {
		wg.Go(func() {
			s := 0.0
			for i := t; i < *steps; i += *threads {
				x := (float64(i) + 0.5) * h
				s += math.Sqrt(1 - x*x)
			}
			sums[t] = s
		})
	}
	wg.Wait()
	total := 0.0
	for _, s := range sums {
		total += s
	}
	fmt.Println(4 * total * h)
}
