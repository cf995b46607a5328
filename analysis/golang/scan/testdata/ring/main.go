// Ring has a queue of its own making: a mutex, two conditions and a slice whose
// length a flag decides.
package main

import (
	"flag"
	"sync"
)

type ring struct {
	mu              sync.Mutex
	notEmpty, space *sync.Cond
	items           []int
	head, n         int
}

func newRing(size int) *ring {
	r := &ring{items: make([]int, size)}
	r.notEmpty, r.space = sync.NewCond(&r.mu), sync.NewCond(&r.mu)
	return r
}

func (r *ring) put(v int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.n == len(r.items) {
		r.space.Wait() // WANT -size capacity
	}
	r.items[(r.head+r.n)%len(r.items)] = v
	r.n++
	r.notEmpty.Signal()
}

func (r *ring) get() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.n == 0 {
		r.notEmpty.Wait()
	}
	v := r.items[r.head]
	r.head = (r.head + 1) % len(r.items)
	r.n--
	r.space.Signal()
	return v
}

func main() {
	r := newRing(*flag.Int("size", 8, "places"))
	go r.put(1)
	r.get()
}
