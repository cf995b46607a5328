// Memo answers requests from a cache. Who misses a value loads it; who wants it meanwhile waits until the loader closes the
// channel of the entry, and everybody later finds that closed.
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"
)

var (
	clients  = flag.Int("clients", 6, "threads that ask")
	requests = flag.Int("requests", 6000, "of all")
	keys     = flag.Int("keys", 500, "different ones")
	backend  = flag.Duration("backend", 3*time.Millisecond, "of a load")
)

type entry struct {
	ready chan struct{}
	value [32]byte
}

type store struct {
	mu      sync.Mutex
	entries map[int]*entry
	loads   atomic.Int64
}

func (s *store) get(k int) [32]byte {
	s.mu.Lock()
	e, ok := s.entries[k]
	if ok {
		s.mu.Unlock()
		<-e.ready
		return e.value
	}
	e = &entry{ready: make(chan struct{})}
	s.entries[k] = e
	s.mu.Unlock()
	time.Sleep(*backend)
	e.value = sha256.Sum256(make([]byte, 4096))
	s.loads.Add(1)
	close(e.ready)
	return e.value
}

func main() {
	flag.Parse()
	s := &store{entries: map[int]*entry{}}
	var wg sync.WaitGroup
	var sum atomic.Int64
	for c := range *clients {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(c), 1))
			for range *requests / *clients {
				v := s.get(int(float64(*keys) * r.Float64() * r.Float64()))
				page := make([]byte, 32<<10)
				copy(page, v[:])
				h := sha256.Sum256(page)
				sum.Add(int64(h[0]))
			}
		})
	}
	wg.Wait()
	fmt.Println(sum.Load(), s.loads.Load())
}
