// Starters has groups of its own that start threads for their callers.
package main

import (
	"flag"
	"sync"
)

type group struct {
	wg  sync.WaitGroup
	sem chan bool
	max int
	now int
}

func (g *group) Go(f func() error) {
	if g.sem != nil {
		g.sem <- true
	}
	g.wg.Add(1)
	go func() {
		defer g.wg.Done()
		_ = f()
	}()
}

// safely starts them by another function.
func (g *group) safely(f func()) {
	g.Go(func() error { f(); return nil })
}

// submit is no starter: mostly a thread that runs takes what it is given.
func (g *group) submit(jobs chan func(), f func()) {
	if g.now < g.max {
		g.now++
		go func() { // WANT -tasks spawn
			f()
			for job := range jobs {
				job()
			}
		}()
		return
	}
	jobs <- f
}

// twice starts as many as it likes.
func twice(f func()) {
	for range 2 {
		go f()
	}
}

func work() {}

func main() {
	parsers := flag.Int("parsers", 2, "")
	packers := flag.Int("packers", 3, "")
	tasks := flag.Int("tasks", 9, "")
	pairs := flag.Int("pairs", 2, "")
	flag.Parse()
	parse, jobs := &group{}, make(chan func())
	for range *parsers {
		parse.Go(func() error { return nil }) // WANT -parsers spawn
	}
	for range *packers {
		parse.safely(work) // WANT -packers spawn
	}
	for range *tasks {
		parse.submit(jobs, work) // WANT -tasks loop
	}
	for range *pairs {
		twice(work) // WANT -pairs loop
	}
	parse.wg.Wait()
}
