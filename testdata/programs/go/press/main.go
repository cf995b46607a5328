// Command press is a third subject for prolongation, of another shape than orders
// and clinic: a printer's shop with ten modules, methods of four types.
//
//	editors (4 goroutines)   Draft, Proof (under a read lock), Submit (a channel)
//	typesetters (2)          Compose, fed by the channel, then Print (a token)
//	shop                     Revise, Ink, Fold, Deliver and Account, each in its own goroutine
//
// Two dependencies no call shows. Proof reads the dictionary under the read half of a
// read-write lock, in a function that it is handed as a closure, and Revise writes it.
// Print and Ink need the one press, which is a channel with one token. Every module
// counts itself under a mutex that is held for no time worth speaking of, and
// Account locks a book that nobody else has.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"strings"
	"sync"
	"time"
)

// shop is what everybody knows.
type shop struct {
	unit   time.Duration
	faster string
	cut    float64

	mutex sync.Mutex
	count map[string]int
}

// work waits for hands and machines, so many units on average.
func (s *shop) work(module string, units float64) {
	s.mutex.Lock()
	s.count[module]++
	s.mutex.Unlock()
	if module == s.faster {
		units *= 1 - s.cut
	}
	time.Sleep(time.Duration(units * (0.7 + 0.6*rand.Float64()) * float64(s.unit)))
}

// dictionary is read by many and written by one.
type dictionary struct {
	*shop
	lock  sync.RWMutex
	words int
}

// reading calls look under the read lock.
func (d *dictionary) reading(look func()) {
	d.lock.RLock()
	defer d.lock.RUnlock()
	look()
}

// Proof compares a draft with the dictionary.
func (d *dictionary) Proof() {
	d.work("Proof", 0.4)
	d.reading(func() { d.work("Proof", 1.2) })
}

// Revise writes new words.
func (d *dictionary) Revise() {
	d.lock.Lock()
	defer d.lock.Unlock()
	d.words++
	d.work("Revise", 1.6)
}

// machine is the press; who has the token may use it.
type machine struct {
	*shop
	token chan int
}

func (m *machine) take(ctx context.Context) int {
	select {
	case t := <-m.token:
		return t
	case <-ctx.Done():
		return -1
	}
}

// Print uses the press.
func (m *machine) Print() {
	t := m.take(context.Background())
	m.work("Print", 1)
	m.token <- t
}

// Ink cleans and inks it.
func (m *machine) Ink() {
	t := m.take(context.Background())
	defer func() { m.token <- t }()
	m.work("Ink", 1.8)
}

// office has the rest.
type office struct {
	*shop
	book  sync.Mutex
	pages int
}

// Draft is thought.
func (o *office) Draft() { o.work("Draft", 2) }

// Compose sets type.
func (o *office) Compose() { o.work("Compose", 1.5) }

// Fold folds what lies there.
func (o *office) Fold() { o.work("Fold", 2) }

// Deliver is on the road.
func (o *office) Deliver() { o.work("Deliver", 2.5) }

// Account keeps the book.
func (o *office) Account() {
	o.book.Lock()
	defer o.book.Unlock()
	o.pages++
	o.work("Account", 1.5)
}

// Submit hands a page over; it waits while many lie there.
func (o *office) Submit(pages chan<- int, page int) {
	o.work("Submit", 0.8)
	pages <- page
}

func main() {
	editors := flag.Int("editors", 4, "editors")
	each := flag.Int("pages", 45, "pages of each")
	pause := flag.Float64("pause", 5, "mean units between two pages of an editor")
	unit := flag.Duration("unit", time.Millisecond, "unit of time")
	faster := flag.String("faster", "", "MODULE=SHARE: cut the module's own time by the share")
	flag.Parse()
	s := &shop{unit: *unit, count: map[string]int{}}
	if name, share, ok := strings.Cut(*faster, "="); ok {
		s.faster = name
		if _, err := fmt.Sscan(share, &s.cut); err != nil {
			log.Fatal("press: ", err)
		}
	}
	d, m, o := &dictionary{shop: s}, &machine{shop: s, token: make(chan int, 1)}, &office{shop: s}
	m.token <- 1
	began := time.Now()
	response := open(d, m, o, *editors, *each, *pause)
	n := *editors * *each
	fmt.Printf("pages %d elapsed_s %.6f response_s %.6f\n", n, time.Since(began).Seconds(), response.Seconds()/float64(n))
}

// open prints all pages and returns the sum of the times that editors spent on
// them.
func open(d *dictionary, m *machine, o *office, editors, each int, pause float64) time.Duration {
	pages := make(chan int, 8)
	var writing, setting, rest sync.WaitGroup
	spent := make([]time.Duration, editors)
	for e := range editors {
		writing.Go(func() {
			for page := range each {
				time.Sleep(time.Duration(pause * rand.ExpFloat64() * float64(o.unit)))
				began := time.Now()
				o.Draft()
				d.Proof()
				o.Submit(pages, page)
				spent[e] += time.Since(began)
			}
		})
	}
	for range 2 {
		setting.Go(func() {
			for range pages {
				o.Compose()
				m.Print()
			}
		})
	}
	stop := make(chan struct{})
	for task, every := range map[*func()]float64{ptr(d.Revise): 4, ptr(m.Ink): 4, ptr(o.Fold): 4, ptr(o.Deliver): 4, ptr(o.Account): 5} {
		rest.Go(func() {
			for {
				select {
				case <-stop:
					return
				case <-time.After(time.Duration(every * (0.5 + rand.Float64()) * float64(o.unit))):
				}
				(*task)()
			}
		})
	}
	writing.Wait()
	close(pages)
	setting.Wait()
	close(stop)
	rest.Wait()
	var sum time.Duration
	for _, t := range spent {
		sum += t
	}
	return sum
}

func ptr(f func()) *func() { return &f }
