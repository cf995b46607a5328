// thumbcache: an in-process TCP thumbnail server with an LRU cache, driven by
// closed-loop clients over loopback connections.
package main

import (
	"bufio"
	"bytes"
	"compress/flate"
	"container/list"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"log"
	"math/rand"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

var (
	renderers = flag.Int("renderers", 2, "max concurrent renders")
	cacheCap  = flag.Int("cache", 150, "thumbnails kept in the LRU cache")
	origins   = flag.Int("origins", 4, "connections to the origin store")
	fetchTime = flag.Duration("fetch", 5*time.Millisecond, "origin store latency")
	clients   = flag.Int("clients", 12, "closed-loop clients")
	requests  = flag.Int("requests", 2800, "total requests")
	think     = flag.Duration("think", 3*time.Millisecond, "client think time")
	images    = flag.Int("images", 1500, "number of distinct images")
	side      = flag.Int("side", 160, "image side in pixels")
)

// ---- cache ----

type thumb struct {
	id   int
	data []byte
}

type lruCache struct {
	mu    sync.Mutex
	cap   int
	order *list.List
	byID  map[int]*list.Element
	hits  int
	gets  int
}

func newLRU(n int) *lruCache {
	return &lruCache{cap: n, order: list.New(), byID: make(map[int]*list.Element)}
}

func (c *lruCache) get(id int) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gets++
	e, ok := c.byID[id]
	if !ok {
		return nil, false
	}
	c.hits++
	c.order.MoveToFront(e)
	return e.Value.(*thumb).data, true
}

func (c *lruCache) put(id int, data []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.byID[id]; ok {
		e.Value.(*thumb).data = data
		c.order.MoveToFront(e)
		return
	}
	c.byID[id] = c.order.PushFront(&thumb{id, data})
	for c.order.Len() > c.cap {
		last := c.order.Back()
		c.order.Remove(last)
		delete(c.byID, last.Value.(*thumb).id)
	}
}

// ---- server ----

type originConn struct{ n int }

func (o *originConn) fetch(id, side int) []byte {
	time.Sleep(*fetchTime)
	px := make([]byte, side*side)
	x := uint32(id)*2654435761 + 12345
	for i := range px {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		px[i] = byte(i/side) + byte(x>>27)
	}
	o.n++
	return px
}

type server struct {
	cache *lruCache
	slots chan struct{}
	pool  chan *originConn
	ln    net.Listener
	wg    sync.WaitGroup
}

func newServer() *server {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	s := &server{cache: newLRU(*cacheCap), slots: make(chan struct{}, *renderers), pool: make(chan *originConn, *origins), ln: ln}
	for i := 0; i < *origins; i++ {
		s.pool <- &originConn{}
	}
	return s
}

func (s *server) serve() {
	for {
		c, err := s.ln.Accept()
		if err != nil {
			return
		}
		s.wg.Add(1)
		go s.handle(c)
	}
}

func (s *server) handle(c net.Conn) {
	defer s.wg.Done()
	defer c.Close()
	rd := bufio.NewScanner(c)
	wr := bufio.NewWriter(c)
	for rd.Scan() {
		var id int
		if _, err := fmt.Sscanf(rd.Text(), "THUMB %d", &id); err != nil {
			fmt.Fprintf(wr, "ERR %v\n", err)
			wr.Flush()
			continue
		}
		data, ok := s.cache.get(id)
		if !ok {
			oc := <-s.pool
			px := oc.fetch(id, *side)
			s.pool <- oc

			s.slots <- struct{}{}
			data = render(px, *side)
			<-s.slots
			s.cache.put(id, data)
		}
		fmt.Fprintf(wr, "OK %d %08x\n", len(data), crc32.ChecksumIEEE(data))
		wr.Write(data)
		if err := wr.Flush(); err != nil {
			return
		}
	}
}

// render smooths the picture twice, halves it and compresses the result.
func render(px []byte, side int) []byte {
	cur, next := px, make([]byte, len(px))
	for pass := 0; pass < 2; pass++ {
		for y := 1; y < side-1; y++ {
			for x := 1; x < side-1; x++ {
				sum := 0
				for dy := -1; dy <= 1; dy++ {
					row := (y+dy)*side + x
					sum += int(cur[row-1]) + int(cur[row]) + int(cur[row+1])
				}
				next[y*side+x] = byte(sum / 9)
			}
		}
		cur, next = next, cur
	}
	var buf bytes.Buffer
	fw, _ := flate.NewWriter(&buf, 5)
	for y := 0; y < side; y += 2 {
		for x := 0; x < side; x += 2 {
			next[x/2] = cur[y*side+x]
		}
		fw.Write(next[:side/2])
	}
	fw.Close()
	return buf.Bytes()
}

// ---- clients ----

func client(addr string, seed int64, n int, total *atomic.Int64) error {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return err
	}
	defer c.Close()
	rng := rand.New(rand.NewSource(seed))
	zipf := rand.NewZipf(rng, 1.15, 8, uint64(*images-1))
	rd := bufio.NewReader(c)
	for i := 0; i < n; i++ {
		if *think > 0 {
			time.Sleep(*think)
		}
		start := time.Now()
		fmt.Fprintf(c, "THUMB %d\n", zipf.Uint64())
		line, err := rd.ReadString('\n')
		if err != nil {
			return err
		}
		var size int
		var crc uint32
		if _, err := fmt.Sscanf(strings.TrimSpace(line), "OK %d %x", &size, &crc); err != nil {
			return err
		}
		body := make([]byte, size)
		if _, err := io.ReadFull(rd, body); err != nil {
			return err
		}
		if crc32.ChecksumIEEE(body) != crc {
			return fmt.Errorf("bad checksum")
		}
		total.Add(int64(time.Since(start)))
	}
	return nil
}

func main() {
	flag.Parse()
	s := newServer()
	go s.serve()
	var total atomic.Int64
	var wg sync.WaitGroup
	start := time.Now()
	for i := 0; i < *clients; i++ {
		n := *requests / *clients
		if i < *requests%*clients {
			n++
		}
		wg.Go(func() {
			if err := client(s.ln.Addr().String(), int64(i+1), n, &total); err != nil {
				log.Println("client:", err)
			}
		})
	}
	wg.Wait()
	el := time.Since(start).Seconds()
	s.ln.Close()
	s.wg.Wait()
	fmt.Printf("total %.3f s  throughput %.1f req/s  mean response %.3f ms  hit ratio %.3f\n", el,
		float64(*requests)/el, float64(total.Load())/1e6/float64(*requests), float64(s.cache.hits)/float64(s.cache.gets))
}
