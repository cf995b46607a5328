// Command histogram counts numbers: each thread counts its share in a table of its own, and adds that to
// the table of all at the end. More threads share the counting, but each has to clear and to add its
// own table: how many are best depends on how many numbers there are for how many bins.
//
//	histogram -items 4000000 -bins 1000000 -threads 8
//
// With prediction code (tierctl regress predict --hook choose) it chooses the number of its
// threads by itself, and the flag is only what it falls back on.
package main

import (
	"flag"
	"fmt"
	"math"
	"runtime"
	"sync"
	"time"
)

var (
	items   = flag.Int("items", 4_000_000, "numbers to count")
	bins    = flag.Int("bins", 1_000_000, "bins to count them in")
	threads = flag.Int("threads", 8, "threads")
)

// choose is called before the threads are created, where prediction code is compiled in: it takes
// the number of threads with which all are done soonest, if the cores are shared evenly.
func choose(_ string, predict func(behaviour string, threads int) (float64, bool)) {
	least, cores := math.Inf(1), float64(runtime.NumCPU())
	for n := 1; n <= 4*runtime.NumCPU(); n++ {
		if cpu, ok := predict("cpu_s", n); ok && cpu*max(1, float64(n)/cores) < least {
			least, *threads = cpu*max(1, float64(n)/cores), n
		}
	}
}

// number is the i-th of a fixed sequence of numbers (splitmix64).
func number(i int) uint64 {
	z := uint64(i+1) * 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// count counts a share of the numbers and adds what it found to all.
func count(from, to int, all []uint32, guard *sync.Mutex) {
	own := make([]uint32, len(all))
	for i := from; i < to; i++ {
		own[number(i)%uint64(len(own))]++
	}
	guard.Lock()
	defer guard.Unlock()
	for k, n := range own {
		all[k] += n
	}
}

func main() {
	flag.Parse()
	began := time.Now()
	all := make([]uint32, *bins)
	var guard sync.Mutex
	var wait sync.WaitGroup
	for t := 0; t < *threads; t++ {
		wait.Add(1)
		go func() {
			defer wait.Done()
			count(*items*t / *threads, *items*(t+1) / *threads, all, &guard)
		}()
	}
	wait.Wait()
	most := uint32(0)
	for _, n := range all {
		most = max(most, n)
	}
	fmt.Printf("%d threads: %d numbers in %d bins, at most %d in one; %.1f ms\n", *threads, *items, *bins, most, 1e3*time.Since(began).Seconds())
}
