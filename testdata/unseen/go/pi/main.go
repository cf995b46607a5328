// Pi throws darts for as long as it may: threads throw them in batches and add
// up their hits until the time is over.
package main

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"time"
)

type score struct {
	mu           sync.Mutex
	hits, thrown int
	worst        float64
}

func (s *score) add(hits, thrown int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hits += hits
	s.thrown += thrown
	s.worst = max(s.worst, math.Abs(4*float64(hits)/float64(thrown)-math.Pi))
}

func throw(r *rand.Rand, n int) int {
	hits := 0
	for range n {
		x, y := r.Float64(), r.Float64()
		if x*x+y*y < 1 {
			hits++
		}
	}
	return hits
}

func main() {
	threads := flag.Int("threads", 2, "that throw")
	batch := flag.Int("batch", 200_000, "darts between two looks at the clock")
	budget := flag.Duration("budget", 1500*time.Millisecond, "time to throw")
	seed := flag.Uint64("seed", 1, "of the random numbers")
	flag.Parse()

	began := time.Now()
	var s score
	var wg sync.WaitGroup
	for id := range *threads {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := rand.New(rand.NewPCG(*seed, uint64(id)))
			for time.Since(began) < *budget {
				s.add(throw(r, *batch), *batch)
			}
		}()
	}
	wg.Wait()
	pi := 4 * float64(s.hits) / float64(s.thrown)
	fmt.Printf("π ≈ %.6f after %d darts, off by %.2g; the worst batch by %.2g\n", pi, s.thrown, math.Abs(pi-math.Pi), s.worst)
}
