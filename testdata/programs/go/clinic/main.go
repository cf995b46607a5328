// Command clinic is a second subject for prolongation, of another shape than
// orders: a closed loop of patients instead of a pipeline, modules that lock in
// the middle of their work or under a read-write lock, and a mutex that is passed
// as an argument. Ten modules, one function each.
//
//	patients (6 goroutines)   Admit, Examine (calls Measure), Prescribe, Pay
//	laboratory (2)            Analyse, fed by a channel from Examine's samples
//	staff                     Clean, Restock, Bill and Roster, each in its own goroutine
//
// Two dependencies no call shows: Admit and Clean share the beds, Prescribe and
// Restock share the shelf. Roster locks a board that nobody else touches, and Bill
// and Pay do not share anything.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"
)

var (
	unit   time.Duration
	faster string
	cut    float64
)

// busy waits for people and devices: so many units on average.
func busy(module string, units float64) {
	if module == faster {
		units *= 1 - cut
	}
	time.Sleep(time.Duration(units * (0.7 + 0.6*rand.Float64()) * float64(unit)))
}

// clinic is what patients and staff share.
type clinic struct {
	beds, board sync.Mutex
	shelf       sync.Mutex
	stock       int
	samples     chan int
}

// Admit finds a bed.
func (c *clinic) Admit() {
	busy("Admit", 0.5)
	c.beds.Lock()
	busy("Admit", 0.8)
	c.beds.Unlock()
}

// Examine takes a sample.
func (c *clinic) Examine(patient int) {
	busy("Examine", 1)
	c.Measure()
	select {
	case c.samples <- patient:
	default: // the laboratory is busy
	}
}

// Measure is a part of Examine.
func (c *clinic) Measure() { busy("Measure", 1.2) }

// Prescribe takes medicine from the shelf.
func (c *clinic) Prescribe() { take(&c.shelf, &c.stock, 1, "Prescribe", 1) }

// Restock fills the shelf.
func (c *clinic) Restock() { take(&c.shelf, &c.stock, -20, "Restock", 2.5) }

// take changes a stock under its lock.
func take(l sync.Locker, stock *int, n int, module string, units float64) {
	l.Lock()
	defer l.Unlock()
	busy(module, units)
	*stock -= n
}

// Pay needs nobody.
func (c *clinic) Pay() { busy("Pay", 1.5) }

// Clean needs the beds.
func (c *clinic) Clean() {
	c.beds.Lock()
	defer c.beds.Unlock()
	busy("Clean", 2)
}

// Bill needs nobody.
func (c *clinic) Bill() { busy("Bill", 2) }

// Roster has a lock of its own.
func (c *clinic) Roster() {
	c.board.Lock()
	defer c.board.Unlock()
	busy("Roster", 1.5)
}

// Analyse looks at a sample.
func (c *clinic) Analyse(int) { busy("Analyse", 1.8) }

func main() {
	patients := flag.Int("patients", 6, "patients at a time")
	visits := flag.Int("visits", 40, "visits of each")
	pause := flag.Float64("pause", 6, "mean units between two visits of a patient")
	flag.DurationVar(&unit, "unit", time.Millisecond, "unit of time")
	speedUp := flag.String("faster", "", "MODULE=SHARE: cut the module's own time by the share")
	flag.Parse()
	if name, share, ok := strings.Cut(*speedUp, "="); ok {
		faster = name
		if _, err := fmt.Sscan(share, &cut); err != nil {
			fmt.Println(err)
			return
		}
	}
	c := &clinic{samples: make(chan int, 4)}
	began := time.Now()
	response := c.open(*patients, *visits, *pause)
	fmt.Printf("visits %d elapsed_s %.6f response_s %.6f\n", *patients**visits, time.Since(began).Seconds(), response.Seconds()/float64(*patients**visits))
}

// open treats the patients and returns the sum of the times of their visits.
func (c *clinic) open(patients, visits int, pause float64) time.Duration {
	var people, staff sync.WaitGroup
	var mutex sync.Mutex
	var sum time.Duration
	for i := range patients {
		people.Go(func() {
			var mine time.Duration
			for range visits {
				time.Sleep(time.Duration(pause * rand.ExpFloat64() * float64(unit)))
				began := time.Now()
				c.Admit()
				c.Examine(i)
				c.Prescribe()
				c.Pay()
				mine += time.Since(began)
			}
			mutex.Lock()
			sum += mine
			mutex.Unlock()
		})
	}
	for range 2 {
		staff.Go(func() {
			for s := range c.samples {
				c.Analyse(s)
			}
		})
	}
	stop := make(chan struct{})
	for task, every := range map[*func()]float64{ptr(c.Clean): 3, ptr(c.Restock): 5, ptr(c.Bill): 4, ptr(c.Roster): 4} {
		staff.Go(func() {
			for {
				select {
				case <-stop:
					return
				case <-time.After(time.Duration(every * (0.5 + rand.Float64()) * float64(unit))):
				}
				(*task)()
			}
		})
	}
	people.Wait()
	close(stop)
	close(c.samples)
	staff.Wait()
	return sum
}

func ptr(f func()) *func() { return &f }
