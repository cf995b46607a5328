// relax solves a Laplace equation by rounds: workers take strips from a counter and meet after each round.
package main

import (
	"flag"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
)

type barrier struct {
	mu     sync.Mutex
	cond   *sync.Cond
	n      int
	here   int
	phase  int
	action func()
}

func newBarrier(n int, action func()) *barrier {
	b := &barrier{n: n, action: action}
	b.cond = sync.NewCond(&b.mu)
	return b
}

func (b *barrier) wait() {
	b.mu.Lock()
	defer b.mu.Unlock()
	phase := b.phase
	if b.here++; b.here == b.n {
		b.action()
		b.here = 0
		b.phase++
		b.cond.Broadcast()
		return
	}
	for phase == b.phase {
		b.cond.Wait()
	}
}

type grid struct {
	n        int
	now, nxt []float64
}

func (g *grid) strip(from, to int) (change float64) {
	for y := max(from, 1); y < min(to, g.n-1); y++ {
		for x := 1; x < g.n-1; x++ {
			i := y*g.n + x
			v := (g.now[i-1] + g.now[i+1] + g.now[i-g.n] + g.now[i+g.n]) / 4
			change += math.Abs(v - g.now[i])
			g.nxt[i] = v
		}
	}
	return change
}

func main() {
	workers := flag.Int("workers", 3, "threads")
	n := flag.Int("n", 900, "width of the grid")
	rounds := flag.Int("rounds", 400, "rounds")
	height := flag.Int("height", 30, "rows of a strip")
	flag.Parse()
	g := &grid{n: *n, now: make([]float64, *n**n), nxt: make([]float64, *n**n)}
	for x := range *n {
		g.now[x], g.nxt[x] = 1, 1
	}
	strips := (*n + *height - 1) / *height
	var next atomic.Int64
	b := newBarrier(*workers, func() {
		g.now, g.nxt = g.nxt, g.now
		next.Store(0)
	})
	var wg sync.WaitGroup
	for range *workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range *rounds {
				for {
					s := int(next.Add(1)) - 1
					if s >= strips {
						break
					}
					g.strip(s**height, (s+1)**height)
				}
				b.wait()
			}
		}()
	}
	wg.Wait()
	fmt.Println(g.now[*n**n/2+*n/2])
}
