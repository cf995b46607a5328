// Kmeans groups points around centres, a round of workers for each iteration.
package main

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
)

type point struct{ x, y, z float64 }

type partial struct {
	sum   []point
	count []int
}

func nearest(p point, centres []point) int {
	best, at := math.Inf(1), 0
	for i, c := range centres {
		dx, dy, dz := p.x-c.x, p.y-c.y, p.z-c.z
		if d := dx*dx + dy*dy + dz*dz; d < best {
			best, at = d, i
		}
	}
	return at
}

func assign(points, centres []point) partial {
	r := partial{make([]point, len(centres)), make([]int, len(centres))}
	for _, p := range points {
		i := nearest(p, centres)
		r.sum[i].x += p.x
		r.sum[i].y += p.y
		r.sum[i].z += p.z
		r.count[i]++
	}
	return r
}

func main() {
	workers := flag.Int("workers", 4, "goroutines per iteration")
	n := flag.Int("n", 200000, "points")
	k := flag.Int("k", 40, "clusters")
	iterations := flag.Int("iterations", 12, "rounds")
	flag.Parse()

	rng := rand.New(rand.NewPCG(1, 2))
	points := make([]point, *n)
	for i := range points {
		points[i] = point{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
	}
	centres := make([]point, *k)
	copy(centres, points)
	for range *iterations {
		results := make([]partial, *workers)
		var wg sync.WaitGroup
		share := (len(points) + *workers - 1) / *workers
		for w := 0; w < *workers; w++ {
			wg.Add(1)
			go func() {
				defer wg.Done()
				lo, hi := w*share, min((w+1)*share, len(points))
				results[w] = assign(points[lo:hi], centres)
			}()
		}
		wg.Wait()
		for c := range centres {
			var s point
			n := 0
			for _, r := range results {
				s.x += r.sum[c].x
				s.y += r.sum[c].y
				s.z += r.sum[c].z
				n += r.count[c]
			}
			if n > 0 {
				centres[c] = point{s.x / float64(n), s.y / float64(n), s.z / float64(n)}
			}
		}
	}
	fmt.Println(centres[0])
}
