// Ratelimit has clients that call an API that hashes documents; a token bucket limits how many calls start.
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"sync"
	"time"
)

type TokenBucket struct {
	mu       sync.Mutex
	tokens   float64
	capacity float64
	rate     float64
	last     time.Time
}

func NewTokenBucket(rate float64, capacity int) *TokenBucket {
	return &TokenBucket{tokens: float64(capacity), capacity: float64(capacity), rate: rate, last: time.Now()}
}

func (b *TokenBucket) Allow() (bool, time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	b.tokens += now.Sub(b.last).Seconds() * b.rate
	if b.tokens > b.capacity {
		b.tokens = b.capacity
	}
	b.last = now
	if b.tokens >= 1 {
		b.tokens--
		return true, 0
	}
	return false, time.Duration((1 - b.tokens) / b.rate * float64(time.Second))
}

func (b *TokenBucket) Wait() {
	for {
		ok, d := b.Allow()
		if ok {
			return
		}
		time.Sleep(d)
	}
}

func handle(doc []byte, rounds int) [32]byte {
	h := sha256.Sum256(doc)
	for i := 0; i < rounds; i++ {
		h = sha256.Sum256(h[:])
	}
	return h
}

func main() {
	clients := flag.Int("clients", 4, "concurrent clients")
	calls := flag.Int("calls", 100, "calls per client")
	rate := flag.Float64("rate", 800, "tokens per second")
	burst := flag.Int("burst", 20, "bucket capacity")
	rounds := flag.Int("rounds", 2000, "hash rounds per call")
	flag.Parse()

	bucket := NewTokenBucket(*rate, *burst)
	var wg sync.WaitGroup
	var mu sync.Mutex
	var sum int
	for c := 0; c < *clients; c++ {
		wg.Add(1)
		go func(id int) {
			defer wg.Done()
			doc := make([]byte, 512)
			for i := 0; i < *calls; i++ {
				bucket.Wait()
				doc[0] = byte(id + i)
				h := handle(doc, *rounds)
				mu.Lock()
				sum += int(h[0])
				mu.Unlock()
			}
		}(c)
	}
	wg.Wait()
	fmt.Println(sum)
}
