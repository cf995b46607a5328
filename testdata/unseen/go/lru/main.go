// Lru answers look-ups of clients from a cache that forgets what was used
// least recently. What is not there is computed by a backend that answers only
// so many questions a second.
package main

import (
	"container/list"
	"crypto/sha256"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

// limiter hands out tokens at a steady rate, some of them in advance.
type limiter struct {
	mu     sync.Mutex
	tokens float64
	burst  float64
	rate   float64
	last   time.Time
}

func newLimiter(rate float64, burst int) *limiter {
	return &limiter{tokens: float64(burst), burst: float64(burst), rate: rate, last: time.Now()}
}

// Wait blocks until there is a token.
func (l *limiter) Wait() {
	l.mu.Lock()
	now := time.Now()
	l.tokens = min(l.burst, l.tokens+now.Sub(l.last).Seconds()*l.rate)
	l.last = now
	l.tokens--
	missing := -l.tokens
	l.mu.Unlock()
	if missing > 0 {
		time.Sleep(time.Duration(missing / l.rate * float64(time.Second)))
	}
}

type entry struct {
	key   int
	value [32]byte
}

// Cache is a map with a list in the order of use.
type Cache struct {
	mu       sync.Mutex
	capacity int
	order    *list.List
	entries  map[int]*list.Element
	hits     int
	misses   int
}

func newCache(capacity int) *Cache {
	return &Cache{capacity: capacity, order: list.New(), entries: map[int]*list.Element{}}
}

func (c *Cache) Get(key int) ([32]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.entries[key]; ok {
		c.order.MoveToFront(e)
		c.hits++
		return e.Value.(*entry).value, true
	}
	c.misses++
	return [32]byte{}, false
}

func (c *Cache) Put(key int, value [32]byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.entries[key]; ok {
		e.Value.(*entry).value = value
		c.order.MoveToFront(e)
		return
	}
	c.entries[key] = c.order.PushFront(&entry{key, value})
	if c.order.Len() > c.capacity {
		oldest := c.order.Back()
		c.order.Remove(oldest)
		delete(c.entries, oldest.Value.(*entry).key)
	}
}

// backend is slow: it hashes over and over.
func backend(key, rounds int) [32]byte {
	sum := sha256.Sum256(fmt.Append(nil, key))
	for range rounds {
		sum = sha256.Sum256(sum[:])
	}
	return sum
}

func main() {
	clients := flag.Int("clients", 4, "clients that ask")
	capacity := flag.Int("capacity", 200, "entries of the cache")
	keys := flag.Uint64("keys", 1000, "different questions")
	requests := flag.Int("requests", 500, "questions of each client")
	rate := flag.Float64("rate", 2000, "answers of the backend per second")
	rounds := flag.Int("rounds", 1500, "hashes per answer")
	flag.Parse()

	cache := newCache(*capacity)
	limit := newLimiter(*rate, 10)
	var wg sync.WaitGroup
	for c := range *clients {
		wg.Add(1)
		go func(seed uint64) {
			defer wg.Done()
			zipf := rand.NewZipf(rand.New(rand.NewPCG(seed, 7)), 1.2, 2, *keys-1)
			for range *requests {
				key := int(zipf.Uint64())
				if _, ok := cache.Get(key); ok {
					continue
				}
				limit.Wait()
				cache.Put(key, backend(key, *rounds))
			}
		}(uint64(c))
	}
	wg.Wait()
	fmt.Printf("%d hits, %d misses\n", cache.hits, cache.misses)
}
