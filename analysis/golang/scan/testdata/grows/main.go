// Grows has a pool that starts another worker for a piece of work unless there
// are enough of them. How many that is it keeps in an atomic variable.
package main

import (
	"flag"
	"sync"
	"sync/atomic"
)

type worker interface{ run() }

type goWorker struct{ p *pool }

func (w *goWorker) run() {
	go func() { // WANT -size spawn
		for work := range w.p.idle {
			work()
			w.p.done.Done()
		}
	}()
}

type pool struct {
	capacity int32
	running  atomic.Int32
	idle     chan func()
	done     sync.WaitGroup
}

func newPool(size int) *pool {
	p := &pool{capacity: int32(size), idle: make(chan func())}
	return p
}

func (p *pool) limit() int { return int(atomic.LoadInt32(&p.capacity)) }

func (p *pool) submit(work func()) {
	p.done.Add(1)
	if c := p.limit(); c == -1 || c > int(p.running.Load()) {
		p.running.Add(1)
		var w worker = &goWorker{p}
		w.run()
	}
	p.idle <- work
}

func main() {
	size := flag.Int("size", 3, "workers")
	n := flag.Int("n", 100, "pieces of work")
	flag.Parse()
	p := newPool(*size)
	for range *n {
		p.submit(func() {}) // WANT -n loop
	}
	p.done.Wait()
}
