// pricelist answers questions from a table of prices that another goroutine refreshes now and then.
package main

import (
	"flag"
	"fmt"
	"math"
	"sync"
	"time"
)

type table struct {
	mu     sync.RWMutex
	prices []float64
	age    int
}

func (t *table) refresh(size int) {
	fresh := make([]float64, size)
	for i := range fresh {
		x := float64(i + t.age)
		fresh[i] = 100 + 10*math.Sin(x) + math.Sqrt(x)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	copy(t.prices, fresh)
	t.age++
}

func (t *table) quote(from, n int) float64 {
	t.mu.RLock()
	defer t.mu.RUnlock()
	sum := 0.0
	for i := range n {
		sum += math.Log(t.prices[(from+i*7)%len(t.prices)])
	}
	return sum
}

func main() {
	clients := flag.Int("clients", 4, "clients")
	asks := flag.Int("asks", 3000, "questions of all clients")
	size := flag.Int("size", 60000, "prices")
	span := flag.Int("span", 20000, "prices of a question")
	every := flag.Duration("every", 3*time.Millisecond, "pause between refreshes")
	flag.Parse()
	t := &table{prices: make([]float64, *size)}
	t.refresh(*size)
	stop := make(chan struct{})
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(*every)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				t.refresh(*size)
			}
		}
	}()
	questions := make(chan int)
	var wg sync.WaitGroup
	totals := make([]float64, *clients)
	for c := range *clients {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for q := range questions {
				totals[c] += t.quote(q*31, *span)
			}
		}()
	}
	for q := range *asks {
		questions <- q
	}
	close(questions)
	wg.Wait()
	close(stop)
	<-stopped
	sum := 0.0
	for _, x := range totals {
		sum += x
	}
	fmt.Printf("%.0f answers, refreshed %d times\n", float64(*asks), t.age)
}
