// Command calibrate measures in about two seconds what the machine and Go's
// run-time system charge for things that programs do not ask for by name:
// waking a goroutine, switching between two, a time slice, a timer, a
// collection. It prints JSON. It is built and run where the program under
// study runs; with the argument "locks" it only locks and unlocks, so that the
// cost of a probe can be had from runs with and without.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

type result struct {
	WakeIdle, WakeQueued, WakerCost, WakeLocal, TimerLatency []float64 // s
	Switch, Quantum, Spin                                    float64   // s
	CollectCycle, CollectByte                                float64   // s, s per live byte
}

func main() {
	if len(os.Args) == 2 && os.Args[1] == "locks" {
		fmt.Println(locks())
		return
	}
	debug.SetGCPercent(-1)
	var r result
	if runtime.NumCPU() > 1 {
		runtime.GOMAXPROCS(2)
		r.WakeIdle, r.WakerCost = wake(1, 500)
		r.WakeQueued = wakeQueued(500)
	}
	r.TimerLatency = timers(100)
	runtime.GOMAXPROCS(1)
	r.WakeLocal = wakeLocal(20, 1000)
	r.Switch = slices.Min(r.WakeLocal)
	r.Quantum = quantum()
	r.Spin = spin(20, 500)
	runtime.GOMAXPROCS(runtime.NumCPU())
	r.CollectCycle, r.CollectByte = collections()
	if err := json.NewEncoder(os.Stdout).Encode(r); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// wake readies so many goroutines, while the waker keeps its P and the other one has been idle for a while. It returns the time
// until the first of them runs, and the time that the first wake-up takes the waker.
func wake(many, n int) (latency, cost []float64) {
	for range n {
		var gone atomic.Bool
		go gone.Store(true)
		for !gone.Load() {
		}
		wait(50 * time.Microsecond) // until the other P is parked
		var first atomic.Int64
		var over atomic.Int32
		begin := time.Now()
		arrive := func() {
			first.CompareAndSwap(0, int64(time.Since(begin)))
			over.Add(1)
		}
		go arrive()
		woken := time.Since(begin)
		for range many - 1 {
			go arrive()
		}
		for first.Load() == 0 && time.Since(begin) < 50*time.Millisecond {
		}
		if d := first.Load(); d > 0 {
			latency = append(latency, time.Duration(d).Seconds())
			cost = append(cost, woken.Seconds())
		}
		for int(over.Load()) < many {
			runtime.Gosched()
		}
	}
	return undisturbed(latency), undisturbed(cost)
}

// wakeQueued is the latency of wake if several goroutines wait in the queue of the waker's P. A P that arrives before the second
// one makes the same pause as before one (runtime.runqgrab), which is several times as long.
func wakeQueued(n int) []float64 {
	latency, _ := wake(4, n)
	return shortest(latency, 2)
}

// wait keeps the P busy.
func wait(d time.Duration) {
	for begin := time.Now(); time.Since(begin) < d; {
	}
}

// undisturbed leaves out what takes four times as long as the first decile:
// on a quiet machine nothing does; on a busy one another program had the core.
func undisturbed(v []float64) []float64 { return shortest(v, 4) }

// shortest sorts times and leaves out those that are so many times as long as the first decile.
func shortest(v []float64, times float64) []float64 {
	slices.Sort(v)
	for len(v) > 0 && v[len(v)-1] > times*v[len(v)/10] {
		v = v[:len(v)-1]
	}
	return v
}

// wakeLocal passes a token to and fro on one P: the time of one switch.
func wakeLocal(n, rounds int) (out []float64) {
	a, b := make(chan bool), make(chan bool)
	go func() {
		for range a {
			b <- true
		}
	}()
	for range n {
		start := cpu()
		for range rounds {
			a <- true
			<-b
		}
		out = append(out, (cpu()-start).Seconds()/float64(2*rounds))
	}
	close(a)
	return out
}

// quantum is the length of the slices, in CPU time, that two computing
// goroutines get on one P.
func quantum() float64 {
	var (
		seen  []float64
		owner atomic.Int32
		since = cpu()
		wg    sync.WaitGroup
	)
	stop := since + 400*time.Millisecond
	for i := range int32(2) {
		wg.Go(func() {
			for n := 0; ; n++ {
				if owner.Swap(i) != i { // the other one had the P; now it is ours alone
					now := cpu()
					seen = append(seen, (now - since).Seconds())
					since = now
				}
				if n%1000 == 0 && cpu() > stop {
					return
				}
			}
		})
	}
	wg.Wait()
	if len(seen) == 0 {
		return 0
	}
	return slices.Max(seen) // the monitor goes by the wall clock: others' load shortens slices
}

// timers returns how much longer than a millisecond sleeps take.
func timers(n int) (out []float64) {
	for range n {
		start := time.Now()
		time.Sleep(time.Millisecond)
		out = append(out, (time.Since(start) - time.Millisecond).Seconds())
	}
	return undisturbed(out)
}

type node struct {
	next *node
	_    [3]uintptr
}

// collections returns the CPU time of a collection of next to nothing, and
// what each live byte adds, for small objects full of pointers.
func collections() (cycle, perByte float64) {
	base := collect()
	const size, bytes = 32, 32 << 20
	nodes := make([]*node, bytes/size)
	for i := range nodes {
		nodes[i] = &node{}
		if i > 0 {
			nodes[i].next = nodes[i-1]
		}
	}
	live := bytes + 8*len(nodes)
	with := collect()
	runtime.KeepAlive(nodes)
	return base, max(0, with-base) / float64(live)
}

// collect is the CPU time of a collection, the least of a few.
func collect() float64 {
	best := time.Hour
	for range 5 {
		start := cpu()
		runtime.GC()
		best = min(best, cpu()-start)
	}
	return best.Seconds()
}

// locks is the least time of a Lock and Unlock, in s.
func locks() float64 {
	var mu sync.Mutex
	best := time.Hour
	const n = 5000
	for range 50 {
		start := cpu()
		for range n {
			mu.Lock()
			mu.Unlock() //nolint:staticcheck // SA2001: the pair is what is measured
		}
		best = min(best, cpu()-start)
	}
	return best.Seconds() / n
}

// cpu is the CPU time of the process.
func cpu() time.Duration {
	var ts syscall.Timespec
	if err := clock(&ts); err != 0 {
		panic(err)
	}
	return time.Duration(ts.Nano())
}
