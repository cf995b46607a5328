// Command planted is a subject for prolongation: five modules, and one dependency
// of the kind that is asked for, which no call shows.
//
//	lock       Brew and Bake share a mutex
//	queue      Brew puts into a full queue, from which Bake takes
//	cache      Brew fills a cache; Bake makes itself what is not there, which takes longer
//	memory     Brew's table fits into the cache of its core, on which Bake computes in between; what misses it
//	           there goes through what all cores share
//	bandwidth  Brew streams through memory, on one core; Carve, Dye and Etch run on the other
//	none       there is none
//
// For the first three and none a module's own work is a wait for something outside the program, so
// that they show on a busy machine too. For the others it is computing on two cores.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

var (
	kind  string
	vat   sync.Mutex
	belt  = make(chan int, 1)
	shelf sync.Map // what Brew has made, by number
	table []uint32 // a cycle in random order
	plain []uint64
	found atomic.Uint64 // where Brew's walk ended
)

const (
	inCore   = 3 << 17 // numbers of 4 bytes: 1.5 MB, which a core has of its own
	visits   = 1 << 14
	streamed = 32 << 17 // numbers of 8 bytes: 32 MB
)

// outside waits for something outside the program, ms on average. It is no module.
var outside = func(ms float64) {
	time.Sleep(time.Duration(ms * (0.8 + 0.4*rand.Float64()) * float64(time.Millisecond)))
}

// computing returns work that needs registers only, for about 0.3 ms.
func computing() func() {
	var result atomic.Uint64
	return func() {
		x := result.Load()
		for range 200_000 {
			x = x*6364136223846793005 + 1442695040888963407
		}
		result.Store(x)
	}
}

// Brew is the first of the two that depend on each other.
func Brew(number int) {
	switch kind {
	case "lock":
		vat.Lock()
		defer vat.Unlock()
		outside(1)
	case "queue":
		outside(1)
		belt <- number
	case "cache":
		outside(1)
		shelf.Store(number, true)
	case "memory":
		at := uint32(found.Load())
		for range visits {
			at = table[at]
		}
		found.Store(uint64(at))
	case "bandwidth":
		for i := 0; i < len(plain); i += 8 {
			plain[i]++
		}
	default:
		own()
	}
}

// Bake is the second.
func Bake(number int) {
	switch kind {
	case "lock":
		vat.Lock()
		defer vat.Unlock()
		outside(1)
	case "queue":
		<-belt
		outside(1.2)
	case "cache":
		if _, ok := shelf.Load(number); ok {
			outside(1.1)
			return
		}
		outside(3)
	default:
		own()
	}
}

// Carve, Dye and Etch depend on nothing.
func Carve() { own() }

// Dye does as much.
func Dye() { own() }

// Etch does as much.
func Etch() { own() }

// own is the work of the modules that depend on nothing.
var own = func() { outside(1) }

// pin keeps the calling thread on one CPU.
func pin(cpu int) {
	runtime.LockOSThread()
	set := [16]uint64{1 << (cpu % runtime.NumCPU())}
	if _, _, errno := syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, 0, unsafe.Sizeof(set), uintptr(unsafe.Pointer(&set))); errno != 0 {
		fmt.Fprintln(os.Stderr, "planted: not pinned:", errno)
	}
}

// prepare makes what the kinds need that compute.
func prepare() {
	switch kind {
	case "memory":
		own = computing()
		order := rand.Perm(inCore)
		table = make([]uint32, len(order))
		for i, at := range order {
			table[at] = uint32(order[(i+1)%len(order)])
		}
	case "bandwidth":
		own = computing()
		plain = make([]uint64, streamed)
	}
}

func main() {
	times := flag.Int("times", 100, "that each module is executed")
	flag.StringVar(&kind, "kind", "lock", "lock, queue, cache, memory, bandwidth or none")
	flag.Parse()
	prepare()
	var all sync.WaitGroup
	each := func(cpu int, modules ...func(int)) {
		all.Go(func() {
			if cpu >= 0 {
				pin(cpu)
			}
			for i := range *times {
				for _, module := range modules {
					module(i)
				}
			}
		})
	}
	carve, dye, etch := func(int) { Carve() }, func(int) { Dye() }, func(int) { Etch() }
	if kind == "memory" || kind == "bandwidth" {
		each(0, Brew, Bake)
		each(1, carve, dye, etch)
	} else {
		for _, module := range []func(int){Brew, Bake, carve, dye, etch} {
			each(-1, module)
		}
	}
	all.Wait()
}
