// catalogue fetches a catalogue of items from a (fake) remote API with a limit
// on the number of calls in flight, parses each answer and prints totals.
package main

import (
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

// response is what the remote service sends back.
type response struct {
	id   int
	body string
}

// item is one parsed record.
type item struct {
	sku   string
	price int64
	qty   int64
	tags  []string
}

// parsed is the outcome of handling one request.
type parsed struct {
	id       int
	items    int
	revenue  int64
	tags     map[string]int
	checksum uint64
}

// client talks to the remote API. It is safe for concurrent use.
type client struct {
	inflight chan struct{}
	rows     int
	bodies   []string
}

func newClient(limit, rows int) *client {
	c := &client{
		inflight: make(chan struct{}, limit),
		rows:     rows,
	}
	// A handful of canned answers, so that the "server" side costs nothing.
	for i := 0; i < 16; i++ {
		c.bodies = append(c.bodies, makeBody(uint32(i*7919+13), rows))
	}
	return c
}

var tagNames = []string{"new", "sale", "fragile", "bulk", "import", "eco", "promo", "clearance"}

func makeBody(seed uint32, rows int) string {
	next := func() uint32 {
		seed ^= seed << 13
		seed ^= seed >> 17
		seed ^= seed << 5
		return seed
	}
	var sb strings.Builder
	for i := 0; i < rows; i++ {
		fmt.Fprintf(&sb, "sku=%08x;price=%d;qty=%d;tags=", next(), 100+next()%90000, 1+next()%20)
		n := int(next()%4) + 1
		for t := 0; t < n; t++ {
			if t > 0 {
				sb.WriteByte(',')
			}
			sb.WriteString(tagNames[next()%uint32(len(tagNames))])
		}
		sb.WriteByte('\n')
	}
	return sb.String()
}

// latency is 1-3 ms, depending on the request only.
func latency(id int) time.Duration {
	h := uint32(id)*2654435761 + 17
	return time.Millisecond + time.Duration(h>>16%2000)*time.Microsecond
}

// fetch performs one remote call; it blocks while too many are in flight.
func (c *client) fetch(id int) response {
	c.inflight <- struct{}{}
	defer func() { <-c.inflight }()
	time.Sleep(latency(id))
	return response{id: id, body: c.bodies[id%len(c.bodies)]}
}

func parseLine(line string) (item, error) {
	var it item
	for _, field := range strings.Split(line, ";") {
		k, v, ok := strings.Cut(field, "=")
		if !ok {
			return it, fmt.Errorf("bad field %q", field)
		}
		var err error
		switch k {
		case "sku":
			it.sku = v
		case "price":
			it.price, err = strconv.ParseInt(v, 10, 64)
		case "qty":
			it.qty, err = strconv.ParseInt(v, 10, 64)
		case "tags":
			it.tags = strings.Split(v, ",")
		}
		if err != nil {
			return it, err
		}
	}
	return it, nil
}

func parse(r response) (parsed, error) {
	p := parsed{id: r.id, tags: make(map[string]int)}
	h := fnv.New64a()
	var items []item
	for _, line := range strings.Split(strings.TrimSpace(r.body), "\n") {
		it, err := parseLine(line)
		if err != nil {
			return p, fmt.Errorf("request %d: %w", r.id, err)
		}
		items = append(items, it)
	}
	sort.Slice(items, func(i, j int) bool { return items[i].sku < items[j].sku })
	for _, it := range items {
		p.items++
		p.revenue += it.price * it.qty
		for _, t := range it.tags {
			p.tags[t]++
		}
		h.Write([]byte(it.sku))
	}
	p.checksum = h.Sum64()
	return p, nil
}

func worker(c *client, ids <-chan int, out chan<- parsed, wg *sync.WaitGroup) {
	defer wg.Done()
	for id := range ids {
		p, err := parse(c.fetch(id))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		out <- p
	}
}

func main() {
	workers := flag.Int("workers", 2, "number of workers")
	limit := flag.Int("inflight", 3, "maximum number of API calls in flight")
	requests := flag.Int("requests", 500, "number of requests to make")
	rows := flag.Int("rows", 1000, "rows in each answer")
	flag.Parse()
	if *workers < 1 || *limit < 1 || *rows < 1 {
		fmt.Fprintln(os.Stderr, "workers, inflight and rows must be positive")
		os.Exit(2)
	}

	c := newClient(*limit, *rows)
	ids := make(chan int)
	out := make(chan parsed, 16)

	go func() {
		defer close(ids)
		for i := 0; i < *requests; i++ {
			ids <- i
		}
	}()

	var wg sync.WaitGroup
	for i := 0; i < *workers; i++ {
		wg.Add(1)
		go worker(c, ids, out, &wg)
	}
	go func() {
		wg.Wait()
		close(out)
	}()

	// Collector.
	done := make(chan struct{})
	var items int
	var revenue int64
	var sum uint64
	tags := make(map[string]int)
	go func() {
		defer close(done)
		for p := range out {
			items += p.items
			revenue += p.revenue
			sum ^= p.checksum * uint64(2*p.id+1)
			for t, n := range p.tags {
				tags[t] += n
			}
		}
	}()
	<-done

	fmt.Printf("requests=%d items=%d revenue=%d sale=%d checksum=%016x\n",
		*requests, items, revenue, tags["sale"], sum)
}
