// Clusters groups points around centres by the algorithm of Lloyd (1982), in
// parallel with barriers: a subject for input-aware regression, in the place of
// streamcluster of PARSEC (Wu et al. 2010, §5).
//
// In every round each thread assigns its points to the nearest centre, all meet
// at a barrier, one of them moves the centres, and all meet again.
package main

import (
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"sync"
)

// barrier lets a number of threads meet again and again.
type barrier struct {
	mu             sync.Mutex
	all            *sync.Cond
	parties, there int
	round          int
}

func newBarrier(parties int) *barrier {
	b := &barrier{parties: parties}
	b.all = sync.NewCond(&b.mu)
	return b
}

// wait blocks until all parties have come, and reports whether the caller was
// the last.
func (b *barrier) wait() (last bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	round := b.round
	b.there++
	if b.there == b.parties {
		b.there = 0
		b.round++
		b.all.Broadcast()
		return true
	}
	for round == b.round {
		b.all.Wait()
	}
	return false
}

// sums is what a thread contributes to the centres.
type sums struct {
	total []float64 // centres × dimensions
	count []int
}

func main() {
	points := flag.Int("points", 5000, "points")
	dimensions := flag.Int("dimensions", 8, "coordinates of each")
	centres := flag.Int("centres", 10, "clusters")
	rounds := flag.Int("rounds", 10, "iterations")
	threads := flag.Int("threads", 2, "threads")
	flag.Parse()
	if *threads < 1 || *points < *threads || *centres < 1 || *dimensions < 1 || *rounds < 1 {
		log.Fatal("clusters: all numbers must be positive, -points at least -threads")
	}
	d := *dimensions
	random := rand.New(rand.NewPCG(3, 4))
	data := make([]float64, *points*d)
	for i := range data {
		data[i] = random.NormFloat64() + 3*float64(i/d%*centres)
	}
	centre := append([]float64{}, data[:min(*centres, *points)*d]...)
	k := len(centre) / d
	parts := make([]sums, *threads)
	meeting := newBarrier(*threads)
	var wait sync.WaitGroup
	for t := range *threads {
		wait.Go(func() {
			first, last := t**points / *threads, (t+1)**points / *threads
			for range *rounds {
				own := sums{make([]float64, k*d), make([]int, k)}
				for i := first; i < last; i++ {
					c := nearest(data[i*d:(i+1)*d], centre)
					own.count[c]++
					for j := range d {
						own.total[c*d+j] += data[i*d+j]
					}
				}
				parts[t] = own
				if meeting.wait() {
					move(centre, parts, d)
				}
				meeting.wait()
			}
		})
	}
	wait.Wait()
	var cost float64
	for i := range *points {
		p := data[i*d : (i+1)*d]
		cost += distance(p, centre[nearest(p, centre)*d:])
	}
	fmt.Printf("mean distance %.6f\n", math.Sqrt(cost/float64(*points)))
}

// nearest returns the centre closest to a point.
func nearest(point, centre []float64) int {
	best, least := 0, math.Inf(1)
	for c := 0; c*len(point) < len(centre); c++ {
		if v := distance(point, centre[c*len(point):]); v < least {
			best, least = c, v
		}
	}
	return best
}

// distance is the squared distance of two points.
func distance(a, b []float64) float64 {
	var sum float64
	for i, v := range a {
		sum += (v - b[i]) * (v - b[i])
	}
	return sum
}

// move puts every centre into the middle of its points.
func move(centre []float64, parts []sums, d int) {
	for c := range len(centre) / d {
		n := 0
		total := make([]float64, d)
		for _, p := range parts {
			n += p.count[c]
			for j := range d {
				total[j] += p.total[c*d+j]
			}
		}
		if n == 0 {
			continue
		}
		for j := range d {
			centre[c*d+j] = total[j] / float64(n)
		}
	}
}
