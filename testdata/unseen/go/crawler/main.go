// Crawler follows the links of a site that exists in memory, a few pages at a
// time, and stops when it has seen enough pages.
package main

import (
	"context"
	"flag"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"strings"
	"sync"
	"time"
)

type site struct {
	pages   int
	latency time.Duration
	size    int
}

// fetch returns the text of a page after the time that a network takes.
func (s *site) fetch(ctx context.Context, page int) (string, error) {
	random := rand.New(rand.NewPCG(uint64(page), 3))
	wait := time.NewTimer(time.Duration(float64(s.latency) * (0.5 + random.Float64())))
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	var b strings.Builder
	for b.Len() < s.size {
		fmt.Fprintf(&b, "some text of page %d with a <a href=%d>link</a>\n", page, random.IntN(s.pages))
	}
	return b.String(), nil
}

func links(text string) []int {
	var out []int
	for {
		_, rest, ok := strings.Cut(text, "href=")
		if !ok {
			return out
		}
		var n int
		fmt.Sscanf(rest, "%d", &n)
		out = append(out, n)
		text = rest
	}
}

type crawler struct {
	site   *site
	limit  int
	slots  chan struct{}
	ctx    context.Context
	cancel context.CancelFunc

	mu    sync.Mutex
	seen  map[int]bool
	index map[int]uint32

	stop    sync.Once
	stopped chan struct{}
	pending sync.WaitGroup
}

func (c *crawler) visit(page int) {
	c.mu.Lock()
	if c.seen[page] {
		c.mu.Unlock()
		return
	}
	c.seen[page] = true
	c.mu.Unlock()
	c.pending.Add(1)
	go func() {
		defer c.pending.Done()
		select {
		case c.slots <- struct{}{}:
		case <-c.stopped:
			return
		}
		defer func() { <-c.slots }()
		text, err := c.site.fetch(c.ctx, page)
		if err != nil {
			return
		}
		found := links(text)
		sum := crc32.ChecksumIEEE([]byte(text))
		c.mu.Lock()
		c.index[page] = sum
		enough := len(c.index) >= c.limit
		c.mu.Unlock()
		if enough {
			c.stop.Do(func() {
				close(c.stopped)
				c.cancel()
			})
			return
		}
		for _, next := range found {
			c.visit(next)
		}
	}()
}

func main() {
	fetchers := flag.Int("fetchers", 4, "pages at a time")
	pages := flag.Int("pages", 2000, "of the site")
	limit := flag.Int("limit", 300, "pages to index")
	latency := flag.Duration("latency", 2*time.Millisecond, "of the network, on average")
	size := flag.Int("size", 2000, "bytes per page")
	flag.Parse()

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c := &crawler{site: &site{*pages, *latency, *size}, limit: *limit, slots: make(chan struct{}, *fetchers),
		ctx: ctx, cancel: cancel, seen: map[int]bool{}, index: map[int]uint32{}, stopped: make(chan struct{})}
	c.visit(0)
	c.pending.Wait()
	fmt.Printf("%d pages seen, at least %d indexed: %t\n", len(c.seen), *limit, len(c.index) >= *limit)
}
