// Rwstore is an ordered in-memory store behind one read-write lock. Workers
// take requests from a queue: most sum a range of keys under the read lock,
// some insert a key under the write lock.
//
//	main ──requests (channel)──▶ workers: RLock, scan, RUnlock | Lock, insert, Unlock
//
// Readers share the lock, so reads scale with the cores; a waiting writer
// holds new readers back. The share of writes decides between the two.
package main

import (
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"time"

	"tierscope/testdata/programs/go/report"
)

// store holds counters by key, in the order of the keys.
type store struct {
	mu     sync.RWMutex
	keys   []uint64
	counts []uint64
}

// sum adds the counters of n keys from the first one not below from.
func (s *store) sum(from uint64, n int) uint64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	first, _ := slices.BinarySearch(s.keys, from)
	total := uint64(0)
	for i := first; i < min(first+n, len(s.keys)); i++ {
		total += s.counts[i] ^ s.keys[i]>>32
	}
	return total
}

// add increases the counter of a key, which is inserted if need be.
func (s *store) add(key, by uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, found := slices.BinarySearch(s.keys, key)
	if !found {
		s.keys = slices.Insert(s.keys, i, key)
		s.counts = slices.Insert(s.counts, i, 0)
	}
	s.counts[i] += by
}

// request is a task.
type request struct {
	write bool
	key   uint64
	sent  time.Time
}

func main() {
	workers := flag.Int("workers", 2, "threads in the pool")
	requests := flag.Int("requests", 20000, "tasks")
	writes := flag.Float64("writes", 0.1, "share of requests that write")
	keys := flag.Int("keys", 200000, "in the store at the beginning")
	scan := flag.Int("scan", 50000, "keys that a read sums")
	queue := flag.Int("queue", 64, "capacity of the request queue")
	seed := flag.Uint64("seed", 1, "of the random numbers")
	asJSON := flag.Bool("json", false, "print a summary as one line of JSON")
	flag.Parse()
	if *workers < 1 || *requests < 1 || *writes < 0 || *writes > 1 || *keys < 1 || *scan < 0 || *queue < 0 {
		log.Fatal("rwstore: sizes must be positive, -writes 0 to 1, -scan and -queue not negative")
	}

	started := time.Now()
	random := rand.New(rand.NewPCG(*seed, 0))
	s := newStore(*keys, *requests, random)
	pending := make(chan request, *queue)
	times := make([][]time.Duration, *workers)
	var pool sync.WaitGroup
	for w := range *workers {
		pool.Go(func() {
			ignored := uint64(0)
			for r := range pending {
				if r.write {
					s.add(r.key, 1)
				} else {
					ignored += s.sum(r.key, *scan)
				}
				times[w] = append(times[w], time.Since(r.sent))
			}
			_ = ignored // what readers see depends on the order of the writes
		})
	}
	for range *requests {
		write := random.Float64() < *writes
		pending <- request{write: write, key: random.Uint64(), sent: time.Now()}
	}
	close(pending)
	pool.Wait()

	check := fmt.Sprintf("%d keys, sum %d", len(s.keys), s.sum(0, len(s.keys)))
	if *asJSON {
		if err := report.New("rwstore", *workers, started, check, times...).Print(os.Stdout); err != nil {
			log.Fatal(err)
		}
		return
	}
	fmt.Println(check)
}

// newStore holds random keys, with room for one insertion per request.
func newStore(keys, requests int, random *rand.Rand) *store {
	s := &store{keys: make([]uint64, keys, keys+requests), counts: make([]uint64, keys, keys+requests)}
	for i := range s.keys {
		s.keys[i] = random.Uint64()
	}
	slices.Sort(s.keys)
	return s
}
