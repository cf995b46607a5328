// Pacer calls an interface that allows so many calls a second: callers take the
// next free time slot and sleep until then.
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"sync"
	"time"
)

type pacer struct {
	mu       sync.Mutex
	next     time.Time
	interval time.Duration
}

func (p *pacer) wait() {
	p.mu.Lock()
	now := time.Now()
	if p.next.Before(now) {
		p.next = now
	}
	at := p.next
	p.next = p.next.Add(p.interval)
	p.mu.Unlock()
	time.Sleep(time.Until(at))
}

func main() {
	callers := flag.Int("callers", 4, "goroutines")
	calls := flag.Int("calls", 250, "calls in all")
	interval := flag.Duration("interval", 2*time.Millisecond, "time between calls")
	work := flag.Int("work", 12000, "hashes for an answer")
	flag.Parse()
	p := &pacer{interval: *interval}
	ids := make(chan int, *calls)
	for i := range *calls {
		ids <- i
	}
	close(ids)
	var wg sync.WaitGroup
	for range *callers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for id := range ids {
				p.wait()
				sum := sha256.Sum256([]byte{byte(id)})
				for range *work {
					sum = sha256.Sum256(sum[:])
				}
			}
		}()
	}
	wg.Wait()
	fmt.Println("done")
}
