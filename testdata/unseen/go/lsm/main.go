// Lsm is a log-structured store: writes go to a table in memory; full tables
// are sorted and flushed in the background, and when there are many they are
// merged into one. Writers wait when too many tables wait for their flush.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
)

type pair struct{ key, value uint64 }

type run []pair

type store struct {
	mu       sync.Mutex
	stalled  *sync.Cond // room among the frozen tables
	frozen   []map[uint64]uint64
	table    map[uint64]uint64
	runs     []run // newest first
	limit    int   // entries of a table
	waiting  int   // frozen tables before writers stall
	fan      int   // runs before they are merged
	flush    chan struct{}
	compact  chan struct{}
	flushes  int
	merges   int
	finished sync.WaitGroup
}

func open(limit, waiting, fan int) *store {
	s := &store{table: map[uint64]uint64{}, limit: limit, waiting: waiting, fan: fan,
		flush: make(chan struct{}, 1), compact: make(chan struct{}, 1)}
	s.stalled = sync.NewCond(&s.mu)
	s.finished.Add(2)
	go s.flusher()
	go s.compactor()
	return s
}

// poke wakes a background thread that may be busy.
func poke(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func (s *store) Put(key, value uint64) {
	s.mu.Lock()
	for len(s.table) >= s.limit && len(s.frozen) >= s.waiting {
		s.stalled.Wait()
	}
	if len(s.table) >= s.limit {
		s.frozen = append(s.frozen, s.table)
		s.table = make(map[uint64]uint64, s.limit)
		poke(s.flush)
	}
	s.table[key] = value
	s.mu.Unlock()
}

func (s *store) Get(key uint64) (uint64, bool) {
	s.mu.Lock()
	if v, ok := s.table[key]; ok {
		s.mu.Unlock()
		return v, true
	}
	for i := len(s.frozen) - 1; i >= 0; i-- {
		if v, ok := s.frozen[i][key]; ok {
			s.mu.Unlock()
			return v, true
		}
	}
	runs := s.runs
	s.mu.Unlock()
	for _, r := range runs {
		if i, ok := slices.BinarySearchFunc(r, key, func(p pair, k uint64) int { return cmp.Compare(p.key, k) }); ok {
			return r[i].value, true
		}
	}
	return 0, false
}

func (s *store) flusher() {
	defer s.finished.Done()
	defer close(s.compact)
	for range s.flush {
		for {
			s.mu.Lock()
			if len(s.frozen) == 0 {
				s.mu.Unlock()
				break
			}
			table := s.frozen[0]
			s.mu.Unlock()

			r := make(run, 0, len(table))
			for k, v := range table {
				r = append(r, pair{k, v})
			}
			slices.SortFunc(r, func(a, b pair) int { return cmp.Compare(a.key, b.key) })

			s.mu.Lock()
			s.frozen = s.frozen[1:]
			s.runs = append([]run{r}, s.runs...)
			s.flushes++
			s.stalled.Broadcast()
			s.mu.Unlock()
			poke(s.compact)
		}
	}
}

func (s *store) compactor() {
	defer s.finished.Done()
	for range s.compact {
		s.mu.Lock()
		if len(s.runs) < s.fan {
			s.mu.Unlock()
			continue
		}
		old := s.runs
		s.mu.Unlock()

		merged := old[len(old)-1]
		for i := len(old) - 2; i >= 0; i-- {
			merged = merge(old[i], merged)
		}

		s.mu.Lock()
		s.runs = append(slices.Clone(s.runs[:len(s.runs)-len(old)]), merged)
		s.merges++
		s.mu.Unlock()
	}
}

// merge prefers what is newer.
func merge(newer, older run) run {
	out := make(run, 0, len(newer)+len(older))
	for len(newer) > 0 && len(older) > 0 {
		switch {
		case newer[0].key < older[0].key:
			out, newer = append(out, newer[0]), newer[1:]
		case newer[0].key > older[0].key:
			out, older = append(out, older[0]), older[1:]
		default:
			out, newer, older = append(out, newer[0]), newer[1:], older[1:]
		}
	}
	return append(append(out, newer...), older...)
}

func (s *store) Close() {
	close(s.flush)
	s.finished.Wait()
}

func main() {
	clients := flag.Int("clients", 3, "threads that read and write")
	operations := flag.Int("operations", 700, "of each")
	batch := flag.Int("batch", 20, "keys that an operation reads; one of them is written")
	table := flag.Int("table", 100, "entries of a table in memory")
	waiting := flag.Int("waiting", 2, "tables that may wait for their flush")
	fan := flag.Int("fan", 4, "runs that are merged")
	flag.Parse()

	s := open(*table, *waiting, *fan)
	var wg sync.WaitGroup
	found := make([]int, *clients)
	for id := range *clients {
		wg.Add(1)
		go func() {
			defer wg.Done()
			random := rand.New(rand.NewPCG(uint64(id), 21))
			for range *operations {
				sum := uint64(0)
				for range *batch {
					sum = sum*31 + random.Uint64N(50000)
					for range 400 {
						sum ^= sum<<13 | sum>>7
					}
				}
				if _, ok := s.Get(random.Uint64N(50000)); ok {
					found[id]++
				}
				s.Put(random.Uint64N(50000), sum)
			}
		}()
	}
	wg.Wait()
	s.Close()
	all := 0
	for _, n := range found {
		all += n
	}
	fmt.Printf("%d found, %d flushes, %d merges\n", all, s.flushes, s.merges)
}
