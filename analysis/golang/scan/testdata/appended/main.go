// Appended keeps its workers in a slice that it appends to; how many there are is
// the length of that slice from then on.
package main

import "flag"

type worker struct{ done int }

type model struct {
	workers []*worker
	pairs   []int
}

func newModel(n int) *model {
	m := &model{}
	for i := 0; i < n; i++ { // WANT -workers loop
		m.workers = append(m.workers, &worker{})
	}
	for i := 0; i < n; i++ { // WANT -workers loop
		for k := range i {
			m.pairs = append(m.pairs, k)
		}
	}
	return m
}

func (m *model) step(rounds int) {
	results := make(chan int, len(m.workers)) // WANT -workers capacity
	share := rounds / len(m.workers)          // WANT -workers divisor
	for _, w := range m.workers {
		go func() { // WANT -workers spawn
			w.done += share
			results <- w.done
		}()
	}
	for range m.pairs {
		println()
	}
	for range m.workers {
		<-results // WANT -workers loop
	}
}

func main() {
	newModel(*flag.Int("workers", 2, "of them")).step(100)
}
