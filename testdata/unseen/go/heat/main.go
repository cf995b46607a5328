// Heat solves the heat equation on a square plate by Jacobi's method. Each
// thread has a strip of rows; after every sweep they meet, and the last one to
// come adds up how much has changed and decides whether to go on.
package main

import (
	"flag"
	"fmt"
	"math"
	"sync"
)

// barrier lets parties wait for each other. The last runs leader before the
// others go on.
type barrier struct {
	mu      sync.Mutex
	cond    *sync.Cond
	parties int
	arrived int
	round   int
	leader  func()
}

func newBarrier(parties int, leader func()) *barrier {
	b := &barrier{parties: parties, leader: leader}
	b.cond = sync.NewCond(&b.mu)
	return b
}

func (b *barrier) wait() {
	b.mu.Lock()
	defer b.mu.Unlock()
	round := b.round
	b.arrived++
	if b.arrived == b.parties {
		b.leader()
		b.arrived = 0
		b.round++
		b.cond.Broadcast()
		return
	}
	for round == b.round {
		b.cond.Wait()
	}
}

type plate struct {
	n         int
	now, next []float64
	change    []float64 // of each thread's strip
	sweeps    int
	residual  float64
	done      bool
}

func newPlate(n, threads int) *plate {
	p := &plate{n: n, now: make([]float64, n*n), next: make([]float64, n*n), change: make([]float64, threads)}
	for i := range n {
		p.now[i], p.next[i] = 100, 100 // the upper edge is hot
	}
	return p
}

// sweep computes rows from first to before last.
func (p *plate) sweep(first, last int) float64 {
	change := 0.0
	for y := max(first, 1); y < min(last, p.n-1); y++ {
		for x := 1; x < p.n-1; x++ {
			i := y*p.n + x
			p.next[i] = 0.25 * (p.now[i-1] + p.now[i+1] + p.now[i-p.n] + p.now[i+p.n])
			change += math.Abs(p.next[i] - p.now[i])
		}
	}
	return change
}

func main() {
	threads := flag.Int("threads", 2, "threads")
	n := flag.Int("n", 400, "points along an edge")
	iterations := flag.Int("iterations", 300, "sweeps at most")
	tolerance := flag.Float64("tolerance", 1e-3, "change per point that is small enough")
	flag.Parse()

	p := newPlate(*n, *threads)
	b := newBarrier(*threads, func() {
		p.residual = 0
		for _, c := range p.change {
			p.residual += c
		}
		p.residual /= float64(p.n * p.n)
		p.now, p.next = p.next, p.now
		p.sweeps++
		p.done = p.sweeps >= *iterations || p.residual < *tolerance
	})
	var wg sync.WaitGroup
	for t := range *threads {
		wg.Add(1)
		go func() {
			defer wg.Done()
			first, last := t**n / *threads, (t+1)**n / *threads
			for !p.done {
				p.change[t] = p.sweep(first, last)
				b.wait()
			}
		}()
	}
	wg.Wait()
	fmt.Printf("%d sweeps, residual %.6f\n", p.sweeps, p.residual)
}
