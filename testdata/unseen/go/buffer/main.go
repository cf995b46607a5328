// Buffer is the textbook's bounded buffer: one lock, two conditions.
package main

import (
	"flag"
	"fmt"
	"math"
	"sync"
)

type buffer struct {
	mu       sync.Mutex
	notEmpty *sync.Cond
	notFull  *sync.Cond
	items    []int
	head     int
	count    int
	closed   bool
}

func newBuffer(capacity int) *buffer {
	b := &buffer{items: make([]int, capacity)}
	b.notEmpty = sync.NewCond(&b.mu)
	b.notFull = sync.NewCond(&b.mu)
	return b
}

func (b *buffer) put(x int) {
	b.mu.Lock()
	for b.count == len(b.items) {
		b.notFull.Wait()
	}
	b.items[(b.head+b.count)%len(b.items)] = x
	b.count++
	b.mu.Unlock()
	b.notEmpty.Signal()
}

func (b *buffer) take() (int, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.count == 0 && !b.closed {
		b.notEmpty.Wait()
	}
	if b.count == 0 {
		return 0, false
	}
	x := b.items[b.head]
	b.head = (b.head + 1) % len(b.items)
	b.count--
	b.notFull.Signal()
	return x, true
}

func (b *buffer) close() {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.notEmpty.Broadcast()
}

// work takes time that depends on x.
func work(x, steps int) float64 {
	y := float64(x%17) + 1
	for i := range steps * (1 + x%3) {
		y = math.Sqrt(y + float64(i%5))
	}
	return y
}

func main() {
	producers := flag.Int("producers", 2, "threads that produce")
	consumers := flag.Int("consumers", 3, "threads that consume")
	capacity := flag.Int("capacity", 5, "of the buffer")
	items := flag.Int("items", 600, "of each producer")
	produce := flag.Int("make", 15000, "steps to produce an item")
	use := flag.Int("use", 30000, "steps to consume one")
	flag.Parse()

	b := newBuffer(*capacity)
	var producing, consuming sync.WaitGroup
	for p := range *producers {
		producing.Add(1)
		go func() {
			defer producing.Done()
			for i := range *items {
				work(i, *produce)
				b.put(p**items + i)
			}
		}()
	}
	results := make([]float64, *consumers)
	for c := range *consumers {
		consuming.Add(1)
		go func() {
			defer consuming.Done()
			for {
				x, ok := b.take()
				if !ok {
					return
				}
				results[c] += work(x, *use)
			}
		}()
	}
	producing.Wait()
	b.close()
	consuming.Wait()
	sum := 0.0
	for _, r := range results {
		sum += r
	}
	fmt.Printf("%.6f\n", sum)
}
