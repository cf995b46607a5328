// Halo lets each worker keep a strip of a bar and tell its neighbours its edges by channels, step by step.
package main

import (
	"flag"
	"fmt"
	"sync"
)

func main() {
	parts := flag.Int("parts", 4, "strips")
	cells := flag.Int("cells", 2000000, "of the bar")
	steps := flag.Int("steps", 300, "of time")
	flag.Parse()
	left := make([]chan float64, *parts+1)
	right := make([]chan float64, *parts+1)
	for i := range left {
		left[i] = make(chan float64, 1)
		right[i] = make(chan float64, 1)
	}
	sums := make([]float64, *parts)
	var wg sync.WaitGroup
	for p := range *parts {
		wg.Add(1)
		go func() {
			defer wg.Done()
			sums[p] = strip(p, *parts, *cells / *parts, *steps, left, right)
		}()
	}
	wg.Wait()
	total := 0.0
	for _, s := range sums {
		total += s
	}
	fmt.Printf("%.6f\n", total)
}

func strip(p, parts, n, steps int, left, right []chan float64) float64 {
	now, next := make([]float64, n+2), make([]float64, n+2)
	if p == 0 {
		now[1] = 1000
	}
	for range steps {
		if p > 0 {
			left[p] <- now[1]
		}
		if p < parts-1 {
			right[p+1] <- now[n]
		}
		if p > 0 {
			now[0] = <-right[p]
		}
		if p < parts-1 {
			now[n+1] = <-left[p+1]
		}
		for i := 1; i <= n; i++ {
			next[i] = now[i] + 0.25*(now[i-1]-2*now[i]+now[i+1])
		}
		now, next = next, now
	}
	s := 0.0
	for _, v := range now[1 : n+1] {
		s += v
	}
	return s
}
