// Names uses locks and channels that its text calls something, and some that it does not.
package main

import (
	"sync"
	"time"
)

type store struct {
	mu    sync.Mutex
	ready chan bool
}

type pair struct{ left, right chan int }

var registry sync.RWMutex

func (s *store) put() {
	s.mu.Lock()   // WANT lock store.mu
	s.mu.Unlock() // WANT unlock store.mu
}

func made() chan int { return make(chan int) } // WANT make -

func main() {
	jobs := make(chan int, 3)                 // WANT make jobs
	s := &store{ready: make(chan bool)}       // WANT make store.ready
	p := pair{make(chan int), make(chan int)} // WANT make -
	var locks [4]sync.Mutex
	p.left = make(chan int, 1) // WANT make pair.left
	p.left <- 1                // WANT send pair.left
	work := func() {
		for range jobs { // WANT receive jobs
			s.put()
		}
		s.ready <- true // WANT send store.ready
	}
	go work()                              // WANT spawn work
	go func() { jobs <- 1; close(jobs) }() // WANT spawn -; send jobs; close jobs
	<-s.ready                              // WANT receive store.ready
	var writers, wg sync.WaitGroup
	writers.Go(work)                     // WANT spawn work
	writers.Go(func() {})                // WANT spawn writers
	wg.Go(func() {})                     // WANT spawn -
	time.AfterFunc(time.Hour, func() {}) // WANT spawn -
	time.AfterFunc(time.Hour, s.put)     // WANT spawn store.put
	registry.RLock()                     // WANT rlock registry
	registry.RUnlock()                   // WANT runlock registry
	locks[1].Lock()                      // WANT lock locks
	locks[1].Unlock()                    // WANT unlock locks
	<-made()                             // WANT receive -
}
