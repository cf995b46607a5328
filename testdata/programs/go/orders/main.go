// Command orders is a subject for prolongation: ten modules, one function each,
// that take part in handling orders, and two dependencies that no call shows.
//
//	intake (2 goroutines)   Request calls Parse and Validate
//	pricing (2 goroutines)  Lookup, then Price
//	writer                  Format, then Store
//	background              Audit, Report and Stats, each in its own goroutine
//
// Lookup and Audit share the mutex registry, Store and Report share the mutex
// ledger; nothing calls across. Stats has a mutex of its own, so that not every
// lock is a dependency. A module's own work is a wait for something outside the
// program, so that the dependencies show on a busy machine too.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"
)

var registry, ledger, counters sync.Mutex

// faster cuts the own time of one module, the truth for predicted speed-ups.
var (
	faster string
	cut    float64
	unit   time.Duration
)

// outside waits for something outside the program, units long on average.
func outside(module string, units float64) {
	if module == faster {
		units *= 1 - cut
	}
	time.Sleep(time.Duration(units * (0.8 + 0.4*rand.Float64()) * float64(unit)))
}

// order is passed from stage to stage.
type order struct{ arrived time.Time }

// Request is the first stage.
func Request() {
	Parse()
	Validate()
}

// Parse and Validate are parts of Request.
func Parse() { outside("Parse", 1.2) }

// Validate is the second part.
func Validate() { outside("Validate", 0.8) }

// Lookup reads the registry.
func Lookup() {
	registry.Lock()
	defer registry.Unlock()
	outside("Lookup", 1)
}

// Price needs nothing that others have.
func Price() { outside("Price", 1.5) }

// Format is the writer's first half.
func Format() { outside("Format", 0.8) }

// Store writes to the ledger.
func Store() {
	ledger.Lock()
	defer ledger.Unlock()
	outside("Store", 1)
}

// Audit goes through the registry from time to time.
func Audit() {
	registry.Lock()
	defer registry.Unlock()
	outside("Audit", 2)
}

// Report goes through the ledger from time to time.
func Report() {
	ledger.Lock()
	defer ledger.Unlock()
	outside("Report", 2)
}

// Stats locks what nobody else locks.
func Stats() {
	counters.Lock()
	defer counters.Unlock()
	outside("Stats", 1)
}

func main() {
	orders := flag.Int("orders", 250, "orders to handle")
	gap := flag.Float64("gap", 4, "mean units between two orders")
	flag.DurationVar(&unit, "unit", time.Millisecond, "unit of time of the modules' own work")
	speedUp := flag.String("faster", "", "MODULE=SHARE: cut the module's own time by the share")
	flag.Parse()
	if name, share, ok := strings.Cut(*speedUp, "="); ok {
		faster = name
		if _, err := fmt.Sscan(share, &cut); err != nil {
			fmt.Println(err)
			return
		}
	}
	handle(*orders, *gap)
}

// handle sends orders through the three stages while the background works.
func handle(orders int, gap float64) {
	incoming, priced, done := make(chan *order, orders), make(chan *order, orders), make(chan *order, orders)
	var intake, pricing, writer, background sync.WaitGroup
	for range 2 {
		intake.Go(func() {
			for o := range incoming {
				Request()
				priced <- o
			}
		})
		pricing.Go(func() {
			for o := range priced {
				Lookup()
				Price()
				done <- o
			}
		})
	}
	var response time.Duration
	writer.Go(func() {
		for o := range done {
			Format()
			Store()
			response += time.Since(o.arrived)
		}
	})
	stop := make(chan struct{})
	background.Go(func() { repeat(Audit, 3, stop) })
	background.Go(func() { repeat(Report, 4, stop) })
	background.Go(func() { repeat(Stats, 5, stop) })
	began := time.Now()
	for range orders {
		time.Sleep(time.Duration(gap * rand.ExpFloat64() * float64(unit)))
		incoming <- &order{time.Now()}
	}
	close(incoming)
	intake.Wait()
	close(priced)
	pricing.Wait()
	close(done)
	writer.Wait()
	elapsed := time.Since(began)
	close(stop)
	background.Wait()
	fmt.Printf("orders %d elapsed_s %.6f response_s %.6f\n", orders, elapsed.Seconds(), response.Seconds()/float64(orders))
}

// repeat runs a task every so many units on average until stop is closed.
func repeat(task func(), every float64, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		time.Sleep(time.Duration(every * (0.5 + rand.Float64()) * float64(unit)))
		task()
	}
}
