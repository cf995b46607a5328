// Flight: readers of a cache that computes each missing entry once; who asks meanwhile waits for who computes.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
)

type call struct {
	done  chan struct{}
	value uint64
}

type group struct {
	mu    sync.Mutex
	calls map[int]*call
}

func render(key, effort int) uint64 {
	x := uint64(key)*2654435761 + 1
	for range effort {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x
}

func (g *group) get(key, effort int) uint64 {
	g.mu.Lock()
	if c, ok := g.calls[key]; ok {
		g.mu.Unlock()
		<-c.done
		return c.value
	}
	c := &call{done: make(chan struct{})}
	g.calls[key] = c
	g.mu.Unlock()
	c.value = render(key, effort)
	close(c.done)
	return c.value
}

func main() {
	readers := flag.Int("readers", 4, "threads")
	requests := flag.Int("requests", 2000, "per reader")
	keys := flag.Int("keys", 500, "entries")
	effort := flag.Int("effort", 1000000, "per entry")
	flag.Parse()
	g := &group{calls: map[int]*call{}}
	var wg sync.WaitGroup
	sums := make([]uint64, *readers)
	for r := range *readers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			random := rand.New(rand.NewPCG(uint64(r), 3))
			for range *requests {
				v := g.get(random.IntN(*keys), *effort)
				sums[r] += render(int(v&1023), 20000)
			}
		}()
	}
	wg.Wait()
	var sum uint64
	for _, s := range sums {
		sum += s
	}
	fmt.Println(sum)
}
