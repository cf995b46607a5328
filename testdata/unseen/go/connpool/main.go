// Connpool lets clients ask a database over few connections, and work on each answer. Who finds no connection free waits at a
// channel of its own, where whoever brings one back hands it over.
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"sync"
	"time"
)

var (
	clients = flag.Int("clients", 12, "threads that ask")
	conns   = flag.Int("conns", 4, "connections")
	n       = flag.Int("queries", 1500, "queries of all")
	latency = flag.Duration("latency", 2*time.Millisecond, "of the database")
)

type conn struct{ id, used int }

type db struct {
	mu   sync.Mutex
	free []*conn
	wait []chan *conn
}

func (d *db) get() *conn {
	d.mu.Lock()
	if k := len(d.free); k > 0 {
		c := d.free[k-1]
		d.free = d.free[:k-1]
		d.mu.Unlock()
		return c
	}
	ch := make(chan *conn, 1)
	d.wait = append(d.wait, ch)
	d.mu.Unlock()
	return <-ch
}

func (d *db) put(c *conn) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.wait) > 0 {
		d.wait[0] <- c
		d.wait = d.wait[1:]
		return
	}
	d.free = append(d.free, c)
}

func query(c *conn, q int) [32]byte {
	c.used++
	time.Sleep(*latency)
	return sha256.Sum256([]byte(fmt.Sprint(q, c.id)))
}

func render(h [32]byte) (s int) {
	for range 300 {
		h = sha256.Sum256(h[:])
	}
	return int(h[0])
}

func main() {
	flag.Parse()
	d := &db{}
	for i := range *conns {
		d.free = append(d.free, &conn{id: i})
	}
	var wg sync.WaitGroup
	sums := make([]int, *clients)
	for c := range *clients {
		wg.Go(func() {
			for q := c; q < *n; q += *clients {
				k := d.get()
				h := query(k, q)
				d.put(k)
				sums[c] += render(h)
			}
		})
	}
	wg.Wait()
	t := 0
	for _, s := range sums {
		t += s
	}
	fmt.Println(t)
}
