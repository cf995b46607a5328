// Soak puts a key-value store under load until the time is over, and tells how
// many operations that were.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"
)

type record struct {
	ID    int       `json:"id"`
	Name  string    `json:"name"`
	Marks []float64 `json:"marks"`
}

type store struct {
	mu   sync.RWMutex
	rows map[string][]byte
}

func (s *store) put(r record) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows[r.Name] = data
	return nil
}

func (s *store) get(name string) (record, bool) {
	s.mu.RLock()
	data, ok := s.rows[name]
	s.mu.RUnlock()
	var r record
	return r, ok && json.Unmarshal(data, &r) == nil
}

func main() {
	clients := flag.Int("clients", 3, "threads that put the store under load")
	keys := flag.Int("keys", 2000, "different names")
	writes := flag.Float64("writes", 0.3, "part of the operations that write")
	marks := flag.Int("marks", 2000, "numbers in a record")
	lasts := flag.Duration("for", 1500*time.Millisecond, "how long")
	flag.Parse()

	s := &store{rows: map[string][]byte{}}
	var stop atomic.Bool
	var operations, found atomic.Int64
	var wg sync.WaitGroup
	for c := range *clients {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := rand.New(rand.NewPCG(uint64(c), 7))
			for !stop.Load() {
				id := r.IntN(*keys)
				name := fmt.Sprintf("row-%d", id)
				if r.Float64() < *writes {
					row := record{ID: id, Name: name, Marks: make([]float64, *marks)}
					h := fnv.New64a()
					for i := range row.Marks {
						fmt.Fprint(h, i, id)
						row.Marks[i] = float64(h.Sum64()%1000) / 10
					}
					if err := s.put(row); err != nil {
						panic(err)
					}
				} else if _, ok := s.get(name); ok {
					found.Add(1)
				}
				operations.Add(1)
			}
		}()
	}
	time.Sleep(*lasts)
	stop.Store(true)
	wg.Wait()
	fmt.Printf("%d operations, %d found, %.0f /s\n", operations.Load(), found.Load(), float64(operations.Load())/lasts.Seconds())
}
