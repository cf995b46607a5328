// Cache is a lock-heavy program: workers look blocks up in one LRU cache that
// a single mutex protects, and process them.
//
//	main ──batches (channel)──▶ workers: for every key
//	    lock; look up, move to front, copy the block out and verify it; unlock
//	    on a miss: generate the block; lock; insert, evict; unlock
//	    digest the first -digest bytes of the block
//
// Copying and verifying inside the critical section makes the lock the
// bottleneck: with a hold time of h per key the throughput cannot exceed 1/h
// keys per second, however many workers and cores there are. -shards splits
// the lock.
package main

import (
	"container/list"
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"hash/crc32"
	"log"
	"math/rand/v2"
	"os"
	"sync"
	"time"

	"tierscope/testdata/programs/go/report"
)

// lru is a least-recently-used cache of blocks.
type lru struct {
	mu       sync.Mutex
	capacity int
	order    *list.List // of *entry, most recently used first
	entries  map[uint64]*list.Element
}

type entry struct {
	key      uint64
	block    []byte
	checksum uint32
}

func newLRU(capacity int) *lru {
	return &lru{capacity: capacity, order: list.New(), entries: make(map[uint64]*list.Element, capacity)}
}

// get copies the block of key into dst and reports whether it was there,
// undamaged.
func (c *lru) get(key uint64, dst []byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	element, ok := c.entries[key]
	if !ok {
		return false
	}
	c.order.MoveToFront(element)
	e := element.Value.(*entry)
	copy(dst, e.block)
	return crc32.ChecksumIEEE(dst) == e.checksum
}

// put inserts a copy of the block, in the place of the least recently used one
// when the cache is full.
func (c *lru) put(key uint64, block []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if element, ok := c.entries[key]; ok { // another worker was faster
		c.order.MoveToFront(element)
		return
	}
	if c.order.Len() < c.capacity {
		e := &entry{key: key, block: append([]byte(nil), block...), checksum: crc32.ChecksumIEEE(block)}
		c.entries[key] = c.order.PushFront(e)
		return
	}
	oldest := c.order.Back()
	e := oldest.Value.(*entry)
	delete(c.entries, e.key)
	e.key = key
	copy(e.block, block)
	e.checksum = crc32.ChecksumIEEE(block)
	c.order.MoveToFront(oldest)
	c.entries[key] = oldest
}

// batch is a task: keys to look up.
type batch struct {
	index int
	sent  time.Time
}

func main() {
	workers := flag.Int("workers", 2, "threads in the pool")
	batches := flag.Int("batches", 800, "tasks")
	keys := flag.Int("keys", 50, "look-ups per batch")
	universe := flag.Uint64("universe", 2000, "different keys, Zipf distributed")
	capacity := flag.Int("capacity", 500, "blocks that the cache holds")
	block := flag.Int("block", 64<<10, "bytes per block")
	digest := flag.Int("digest", 16<<10, "bytes of a block that are digested outside the lock")
	shards := flag.Int("shards", 1, "independent locks")
	queue := flag.Int("queue", 16, "capacity of the task queue")
	seed := flag.Uint64("seed", 1, "of the random numbers")
	asJSON := flag.Bool("json", false, "print a summary as one line of JSON")
	flag.Parse()
	if *workers < 1 || *batches < 1 || *keys < 1 || *universe < 1 || *block < 1 || *shards < 1 || *capacity < *shards || *queue < 0 || *digest < 0 || *digest > *block {
		log.Fatal("cache: sizes must be positive, -capacity at least -shards, -digest at most -block, -queue not negative")
	}

	started := time.Now()
	caches := make([]*lru, *shards)
	for i := range caches {
		caches[i] = newLRU(*capacity / *shards)
	}
	pending := make(chan batch, *queue)
	digests := make([][sha256.Size]byte, *batches)
	times := make([][]time.Duration, *workers)
	var pool sync.WaitGroup
	for w := range *workers {
		pool.Go(func() {
			buffer := make([]byte, *block)
			for b := range pending {
				random := rand.New(rand.NewPCG(*seed, uint64(b.index)))
				zipf := rand.NewZipf(random, 1.1, 1, *universe-1)
				for range *keys {
					key := zipf.Uint64()
					shard := caches[key%uint64(*shards)]
					if !shard.get(key, buffer) {
						generate(key, buffer)
						shard.put(key, buffer)
					}
					sum := sha256.Sum256(buffer[:*digest])
					for i := range sum {
						digests[b.index][i] ^= sum[i]
					}
				}
				times[w] = append(times[w], time.Since(b.sent))
			}
		})
	}
	for i := range *batches {
		pending <- batch{index: i, sent: time.Now()}
	}
	close(pending)
	pool.Wait()

	check := fmt.Sprintf("digest %x", combine(digests))
	if *asJSON {
		if err := report.New("cache", *workers, started, check, times...).Print(os.Stdout); err != nil {
			log.Fatal(err)
		}
		return
	}
	fmt.Println(check)
}

// generate fills the block with bytes that depend only on the key.
func generate(key uint64, block []byte) {
	random := rand.NewPCG(key, 0)
	var word [8]byte
	for rest := block; len(rest) > 0; {
		binary.LittleEndian.PutUint64(word[:], random.Uint64())
		rest = rest[copy(rest, word[:]):]
	}
}

func combine(digests [][sha256.Size]byte) []byte {
	var all [sha256.Size]byte
	for _, d := range digests {
		for i := range all {
			all[i] ^= d[i]
		}
	}
	return all[:8]
}
