// Compaction appends to the logs of a sharded table. When the log of a shard is
// long enough, its writer locks the shard and hands it to a goroutine that
// sorts the log into the shard's table and unlocks the shard again.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"sync"
)

type entry struct {
	key   string
	value uint64
}

type shard struct {
	mu    sync.Mutex
	log   []entry
	table []entry
}

func (s *shard) compact() {
	all := append(slices.Clone(s.table), s.log...)
	slices.SortStableFunc(all, func(a, b entry) int { return cmp.Compare(a.key, b.key) })
	s.table = s.table[:0]
	for i, e := range all {
		if i+1 == len(all) || all[i+1].key != e.key {
			s.table = append(s.table, e)
		}
	}
	s.log = s.log[:0]
}

// write appends to the log of the shard. The shard is locked until the
// compaction is over, if there is one.
func (s *shard) write(es []entry, limit int, running *sync.WaitGroup) {
	s.mu.Lock()
	s.log = append(s.log, es...)
	if len(s.log) < limit {
		s.mu.Unlock()
		return
	}
	running.Add(1)
	go func() {
		defer running.Done()
		defer s.mu.Unlock()
		s.compact()
	}()
}

func batch(r *rand.Rand, n, keys int) []entry {
	es := make([]entry, n)
	for i := range es {
		key := fmt.Sprintf("key-%06d", r.IntN(keys))
		h := fnv.New64a()
		fmt.Fprint(h, key, i)
		es[i] = entry{key, h.Sum64()}
	}
	return es
}

func main() {
	writers := flag.Int("writers", 3, "threads that write")
	shards := flag.Int("shards", 2, "of the table")
	batches := flag.Int("batches", 150, "of a writer")
	size := flag.Int("size", 1000, "entries of a batch")
	limit := flag.Int("limit", 8000, "entries of a log before it is compacted")
	keys := flag.Int("keys", 20000, "different keys")
	flag.Parse()

	table := make([]shard, *shards)
	var writing, compacting sync.WaitGroup
	for id := range *writers {
		writing.Add(1)
		go func() {
			defer writing.Done()
			r := rand.New(rand.NewPCG(uint64(id), 5))
			for range *batches {
				es := batch(r, *size, *keys)
				table[r.IntN(len(table))].write(es, *limit, &compacting)
			}
		}()
	}
	writing.Wait()
	compacting.Wait()
	rows := 0
	for i := range table {
		s := &table[i]
		s.mu.Lock()
		s.compact()
		rows += len(s.table)
		s.mu.Unlock()
	}
	fmt.Printf("%d rows\n", rows)
}
