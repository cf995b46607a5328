// Command cachesim asks a cache with expiry: entries live for a while, loads of one key are shared, a janitor throws out what is old.
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"math/rand"
	"sync"
	"time"
)

type entry struct {
	value [32]byte
	until time.Time
}

type call struct {
	done  chan struct{}
	value [32]byte
}

type Cache struct {
	mu       sync.RWMutex
	items    map[int]entry
	flightMu sync.Mutex
	flight   map[int]*call
	ttl      time.Duration
	backend  chan struct{}
	latency  time.Duration
	cost     int
}

func (c *Cache) load(key int) [32]byte {
	c.backend <- struct{}{}
	defer func() { <-c.backend }()
	time.Sleep(c.latency)
	s := sha256.Sum256([]byte{byte(key), byte(key >> 8)})
	for i := 0; i < c.cost; i++ {
		s = sha256.Sum256(s[:])
	}
	return s
}

func (c *Cache) Get(key int) [32]byte {
	c.mu.RLock()
	e, ok := c.items[key]
	c.mu.RUnlock()
	if ok && time.Now().Before(e.until) {
		return e.value
	}
	c.flightMu.Lock()
	if f := c.flight[key]; f != nil {
		c.flightMu.Unlock()
		<-f.done
		return f.value
	}
	f := &call{done: make(chan struct{})}
	c.flight[key] = f
	c.flightMu.Unlock()
	f.value = c.load(key)
	c.mu.Lock()
	c.items[key] = entry{f.value, time.Now().Add(c.ttl)}
	c.mu.Unlock()
	c.flightMu.Lock()
	delete(c.flight, key)
	c.flightMu.Unlock()
	close(f.done)
	return f.value
}

func (c *Cache) janitor(every time.Duration, stop <-chan struct{}) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-stop:
			return
		case now := <-t.C:
			c.mu.Lock()
			for k, e := range c.items {
				if now.After(e.until) {
					delete(c.items, k)
				}
			}
			c.mu.Unlock()
		}
	}
}

func main() {
	clients := flag.Int("clients", 8, "clients")
	asks := flag.Int("asks", 1500, "questions of each client")
	keys := flag.Int("keys", 400, "different keys")
	ttl := flag.Duration("ttl", 150*time.Millisecond, "life of an entry")
	conns := flag.Int("conns", 4, "connections to the backend")
	latency := flag.Duration("latency", 2*time.Millisecond, "of the backend")
	cost := flag.Int("cost", 500, "hashes for a load")
	use := flag.Int("use", 300, "hashes for each answer")
	flag.Parse()
	c := &Cache{items: map[int]entry{}, flight: map[int]*call{}, ttl: *ttl, backend: make(chan struct{}, *conns), latency: *latency, cost: *cost}
	stop := make(chan struct{})
	var janitor sync.WaitGroup
	janitor.Add(1)
	go func() { defer janitor.Done(); c.janitor(50*time.Millisecond, stop) }()
	var wg sync.WaitGroup
	sums := make([]byte, *clients)
	for i := 0; i < *clients; i++ {
		wg.Add(1)
		go func(i int) {
			defer wg.Done()
			r := rand.New(rand.NewSource(int64(i)))
			z := rand.NewZipf(r, 1.3, 4, uint64(*keys-1))
			for n := 0; n < *asks; n++ {
				v := c.Get(int(z.Uint64()))
				for k := 0; k < *use; k++ {
					v = sha256.Sum256(v[:])
				}
				sums[i] ^= v[0]
			}
		}(i)
	}
	wg.Wait()
	close(stop)
	janitor.Wait()
	fmt.Printf("%x\n", sums)
}
