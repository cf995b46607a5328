// Fanin merges what several stations measure and keeps statistics of it.
package main

import (
	"flag"
	"fmt"
	"math"
	"sort"
	"sync"
)

type reading struct {
	station int
	value   float64
}

func station(id, n, work int, quit <-chan struct{}) <-chan reading {
	out := make(chan reading)
	go func() {
		defer close(out)
		x := float64(id) + 0.5
		for i := 0; i < n; i++ {
			for k := 0; k < work; k++ {
				x = math.Mod(x*1.000731+math.Sin(x), 100)
			}
			select {
			case out <- reading{id, x}:
			case <-quit:
				return
			}
		}
	}()
	return out
}

func merge(quit <-chan struct{}, ins ...<-chan reading) <-chan reading {
	out := make(chan reading, 16)
	var wg sync.WaitGroup
	for _, in := range ins {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for r := range in {
				select {
				case out <- r:
				case <-quit:
					return
				}
			}
		}()
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	return out
}

func main() {
	stations := flag.Int("stations", 3, "")
	readings := flag.Int("readings", 3000, "of each station")
	work := flag.Int("work", 2000, "")
	window := flag.Int("window", 200, "")
	flag.Parse()

	quit := make(chan struct{})
	var ins []<-chan reading
	for i := 0; i < *stations; i++ {
		ins = append(ins, station(i, *readings, *work, quit))
	}
	var last []float64
	medians := 0.0
	n := 0
	for r := range merge(quit, ins...) {
		last = append(last, r.value)
		if len(last) == *window {
			sort.Float64s(last)
			medians += last[len(last)/2]
			last = last[:0]
		}
		n++
	}
	close(quit)
	fmt.Println(n, medians)
}
