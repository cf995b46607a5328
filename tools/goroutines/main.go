// Goroutines measures of goroutines what threads.cc measures of threads: those that sleep and compute beside others that
// only compute, under the scheduler of Go's run time.
//
//	goroutines bursts PROCS HOGS OTHERS BURST SLEEP SECONDS
package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// law is what a set of times has been: mean and percentiles, s.
type law struct {
	Mean float64 `json:"mean"`
	P50  float64 `json:"p50"`
	P90  float64 `json:"p90"`
	P99  float64 `json:"p99"`
	N    int     `json:"n"`
}

var (
	stop  atomic.Bool
	turns float64 // of spin's loop in a second
	sink  atomic.Int64
)

func spin(seconds float64) {
	x := int64(0)
	for i := int64(seconds * turns); i > 0; i-- {
		x = x*31 + i
	}
	if x == 42 {
		sink.Add(1)
	}
}

// calibrate finds how fast spin's loop is.
func calibrate() {
	best := math.Inf(1)
	for range 5 {
		turns = 1
		began := time.Now()
		spin(50e6)
		best = min(best, time.Since(began).Seconds())
	}
	turns = 50e6 / best
}

func of(times []time.Duration) law {
	if len(times) == 0 {
		return law{}
	}
	slices.Sort(times)
	var sum time.Duration
	for _, t := range times {
		sum += t
	}
	at := func(p float64) float64 { return times[int(p*float64(len(times)-1))].Seconds() }
	return law{sum.Seconds() / float64(len(times)), at(.5), at(.9), at(.99), len(times)}
}

// gather runs functions until the time is up; each returns times.
func gather(seconds float64, functions []func() []time.Duration) (all []time.Duration) {
	var group sync.WaitGroup
	var mutex sync.Mutex
	for _, f := range functions {
		group.Go(func() {
			times := f()
			mutex.Lock()
			defer mutex.Unlock()
			all = append(all, times...)
		})
	}
	time.Sleep(time.Duration(seconds * 1e9))
	stop.Store(true)
	group.Wait()
	return all
}

func bursts(hogs, others int, burst, sleep, seconds float64) any {
	warm := time.Now().Add(time.Second)
	var functions []func() []time.Duration
	for range hogs {
		functions = append(functions, func() []time.Duration {
			for !stop.Load() {
				spin(1e-3)
			}
			return nil
		})
	}
	for i := range others {
		functions = append(functions, func() (times []time.Duration) {
			random := rand.New(rand.NewPCG(uint64(i), 1))
			for !stop.Load() {
				wake := time.Now().Add(time.Duration(random.ExpFloat64() * sleep * 1e9))
				time.Sleep(time.Until(wake))
				spin(random.ExpFloat64() * burst)
				if wake.After(warm) {
					times = append(times, time.Since(wake))
				}
			}
			return times
		})
	}
	return map[string]any{"R": of(gather(seconds+1, functions))}
}

func main() {
	a := os.Args[1:]
	number := func(i int) float64 {
		x, err := strconv.ParseFloat(a[i], 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		return x
	}
	if len(a) != 7 || a[0] != "bursts" {
		fmt.Fprintln(os.Stderr, "usage: see the head of main.go")
		os.Exit(2)
	}
	runtime.GOMAXPROCS(int(number(1)))
	calibrate()
	result := bursts(int(number(2)), int(number(3)), number(4), number(5), number(6))
	if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
