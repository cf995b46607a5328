// retry delivers messages through a flaky gateway: what fails is tried again later, with a delay that doubles.
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

type message struct {
	id      int
	attempt int
}

type courier struct {
	queue   chan message
	pending sync.WaitGroup
	base    time.Duration
	sent    atomic.Int64
	failed  atomic.Int64
}

func main() {
	senders := flag.Int("senders", 4, "parallel deliveries")
	messages := flag.Int("messages", 400, "messages")
	work := flag.Int("work", 2500, "hashes to sign a message")
	base := flag.Duration("backoff", 5*time.Millisecond, "delay before the second attempt")
	flag.Parse()
	c := &courier{queue: make(chan message, *messages), base: *base}
	c.pending.Add(*messages)
	var wg sync.WaitGroup
	for i := 0; i < *senders; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for m := range c.queue {
				c.deliver(m, *work)
			}
		}()
	}
	for i := 0; i < *messages; i++ {
		c.queue <- message{id: i}
	}
	c.pending.Wait()
	close(c.queue)
	wg.Wait()
	fmt.Println("sent", c.sent.Load(), "failures", c.failed.Load())
}

func (c *courier) deliver(m message, work int) {
	h := sign(m, work)
	time.Sleep(2 * time.Millisecond)
	if h[0] < 64 && m.attempt < 5 {
		c.failed.Add(1)
		m.attempt++
		time.AfterFunc(c.base<<m.attempt, func() { c.queue <- m })
		return
	}
	c.sent.Add(1)
	c.pending.Done()
}

func sign(m message, work int) [32]byte {
	h := sha256.Sum256([]byte(fmt.Sprint(m.id, m.attempt)))
	for i := 0; i < work; i++ {
		h = sha256.Sum256(h[:])
	}
	return h
}
