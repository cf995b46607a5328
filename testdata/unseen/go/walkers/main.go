// Walkers estimates how long random walkers take to leave a disc; who starts the others walks, too.
package main

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
)

// study is what all walkers work on.
type study struct {
	mu     sync.Mutex
	next   int
	batch  int
	trials int
	steps  int64
}

// take gives out the next batch of walks, and notes how long the last one took.
func (s *study) take(steps int64) (from, to int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.steps += steps
	from = s.next
	s.next = min(s.next+s.batch, s.trials)
	return from, s.next
}

// walk takes batches until there are none.
func (s *study) walk(radius float64) {
	from, to := s.take(0)
	for from < to {
		var steps int64
		for trial := from; trial < to; trial++ {
			r := rand.New(rand.NewPCG(uint64(trial), 7))
			for x, y := 0.0, 0.0; x*x+y*y < radius*radius; steps++ {
				sin, cos := math.Sincos(2 * math.Pi * r.Float64())
				x, y = x+cos, y+sin
			}
		}
		from, to = s.take(steps)
	}
}

func main() {
	walkers := flag.Int("walkers", 3, "goroutines that walk")
	trials := flag.Int("trials", 12000, "walks")
	batch := flag.Int("batch", 20, "walks that are taken at a time")
	radius := flag.Float64("radius", 50, "of the disc")
	flag.Parse()
	s := &study{batch: *batch, trials: *trials}
	var others sync.WaitGroup
	for range *walkers - 1 {
		others.Add(1)
		go func() {
			defer others.Done()
			s.walk(*radius)
		}()
	}
	s.walk(*radius)
	others.Wait()
	fmt.Printf("%.1f steps\n", float64(s.steps)/float64(*trials))
}
