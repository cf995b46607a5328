// Rwcache is a sharded map; readers look up, writers replace.
package main

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"sync"
	"sync/atomic"
)

type shard struct {
	sync.RWMutex
	m map[string]int
}

type cache []*shard

func (c cache) of(key string) *shard {
	h := fnv.New32a()
	h.Write([]byte(key))
	return c[h.Sum32()%uint32(len(c))]
}

func (c cache) get(key string) int {
	s := c.of(key)
	s.RLock()
	defer s.RUnlock()
	x := s.m[key]
	for i := 0; i < 20000; i++ {
		x = x*31 + i
	}
	return x
}

func (c cache) put(key string, v int) {
	s := c.of(key)
	s.Lock()
	for i := 0; i < 60000; i++ {
		v = v*31 + i
	}
	s.m[key] = v
	s.Unlock()
}

func main() {
	readers := flag.Int("readers", 3, "goroutines that read")
	writers := flag.Int("writers", 1, "goroutines that write")
	shards := flag.Int("shards", 4, "parts of the map")
	reads := flag.Int("reads", 5000, "reads of each")
	writes := flag.Int("writes", 3000, "writes of each")
	flag.Parse()
	c := make(cache, *shards)
	for i := range c {
		c[i] = &shard{m: map[string]int{}}
	}
	var sum atomic.Int64
	var wg sync.WaitGroup
	for r := range *readers {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(r), 1))
			n := 0
			for range *reads {
				n += c.get(fmt.Sprint("k", rng.IntN(1000)))
			}
			sum.Add(int64(n))
		})
	}
	for w := range *writers {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(w), 2))
			for i := range *writes {
				c.put(fmt.Sprint("k", rng.IntN(1000)), i)
			}
		})
	}
	wg.Wait()
	fmt.Println(sum.Load())
}
