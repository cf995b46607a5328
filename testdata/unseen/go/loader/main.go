// Loader is a store behind a loader that joins the lookups of concurrent requests into one query.
package main

import (
	"flag"
	"fmt"
	"hash/fnv"
	"sync"
	"time"
)

type lookup struct {
	key   int
	reply chan string
}

type Loader struct {
	requests chan lookup
	max      int
	delay    time.Duration
	slots    chan struct{}
	db       *table
}

type table struct {
	mu   sync.Mutex
	rows map[int]string
}

func (t *table) query(keys []int) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	time.Sleep(300 * time.Microsecond) // the round trip
	out := make([]string, len(keys))
	for i, k := range keys {
		h := fnv.New64a()
		for range 3000 {
			fmt.Fprint(h, k)
		}
		out[i] = fmt.Sprint(t.rows[k%len(t.rows)], h.Sum64())
	}
	return out
}

func (l *Loader) collect(done *sync.WaitGroup) {
	defer done.Done()
	var batch []lookup
	var inFlight sync.WaitGroup
	ship := func() {
		if len(batch) == 0 {
			return
		}
		full := batch
		batch = nil
		l.slots <- struct{}{}
		inFlight.Add(1)
		go func() {
			defer inFlight.Done()
			defer func() { <-l.slots }()
			l.load(full)
		}()
	}
	tick := time.NewTicker(l.delay)
	defer tick.Stop()
	for {
		select {
		case q, ok := <-l.requests:
			if !ok {
				ship()
				inFlight.Wait()
				return
			}
			batch = append(batch, q)
			if len(batch) == l.max {
				ship()
			}
		case <-tick.C:
			ship()
		}
	}
}

func (l *Loader) load(batch []lookup) {
	keys := make([]int, len(batch))
	for i, q := range batch {
		keys[i] = q.key
	}
	rows := l.db.query(keys)
	for i, q := range batch {
		q.reply <- rows[i]
	}
}

func (l *Loader) Get(key int) string {
	reply := make(chan string, 1)
	l.requests <- lookup{key, reply}
	return <-reply
}

func render(row string) int {
	n := 0
	for i := range 60000 {
		n += int(row[i%len(row)]) * i
	}
	return n
}

func main() {
	users := flag.Int("users", 10, "concurrent users")
	pages := flag.Int("pages", 300, "of each user")
	max := flag.Int("max", 6, "lookups of a query")
	delay := flag.Duration("delay", time.Millisecond, "after which a query is sent anyway")
	slots := flag.Int("queries", 2, "at a time")
	flag.Parse()
	l := &Loader{requests: make(chan lookup), max: *max, delay: *delay, slots: make(chan struct{}, *slots), db: &table{rows: map[int]string{}}}
	for i := range 1000 {
		l.db.rows[i] = fmt.Sprint("row ", i)
	}
	var collector, wg sync.WaitGroup
	collector.Add(1)
	go l.collect(&collector)
	total := make([]int, *users)
	for u := range *users {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for p := range *pages {
				total[u] += render(l.Get(u*1000 + p))
			}
		}()
	}
	wg.Wait()
	close(l.requests)
	collector.Wait()
	fmt.Println(total[0])
}
