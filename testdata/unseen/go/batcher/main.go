// Batcher collects requests of many clients into batches, evaluates a batch at once, and answers each.
package main

import (
	"flag"
	"fmt"
	"math"
	"sync"
	"time"
)

type request struct {
	x      float64
	answer chan float64
}

type engine struct {
	in   chan request
	size int
	wait time.Duration
}

func (e *engine) run(evaluators int) *sync.WaitGroup {
	batches := make(chan []request)
	var wg sync.WaitGroup
	for range evaluators {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for b := range batches {
				evaluate(b)
			}
		}()
	}
	go func() {
		defer close(batches)
		for {
			first, ok := <-e.in
			if !ok {
				return
			}
			b := []request{first}
			t := time.NewTimer(e.wait)
		fill:
			for len(b) < e.size {
				select {
				case r, ok := <-e.in:
					if !ok {
						break fill
					}
					b = append(b, r)
				case <-t.C:
					break fill
				}
			}
			t.Stop()
			batches <- b
		}
	}()
	return &wg
}

func evaluate(b []request) {
	// a fixed part for the batch, a part for each request
	w := 0.0
	for i := range 60000 {
		w += math.Sqrt(float64(i))
	}
	for _, r := range b {
		s := r.x
		for range 4000 {
			s = math.Sin(s) + w*1e-12
		}
		r.answer <- s
	}
}

func main() {
	clients := flag.Int("clients", 12, "that ask")
	evaluators := flag.Int("evaluators", 2, "threads that evaluate")
	size := flag.Int("batch", 8, "requests of a batch at most")
	wait := flag.Duration("wait", 2*time.Millisecond, "for more requests")
	asks := flag.Int("asks", 400, "of each client")
	flag.Parse()
	e := &engine{in: make(chan request), size: *size, wait: *wait}
	done := e.run(*evaluators)
	var wg sync.WaitGroup
	for c := range *clients {
		wg.Add(1)
		go func() {
			defer wg.Done()
			answer := make(chan float64, 1)
			x := float64(c)
			for range *asks {
				e.in <- request{x, answer}
				x = <-answer
				x = prepare(x)
			}
		}()
	}
	wg.Wait()
	close(e.in)
	done.Wait()
	fmt.Println("done")
}

func prepare(x float64) float64 {
	for range 3000 {
		x = math.Cos(x)
	}
	return x
}
