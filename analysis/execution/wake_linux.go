package execution

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"tierscope/analysis/trace"
	"tierscope/core/robust"
)

// What is measured of wake-ups.
const (
	wakeTimes   = 60                    // after each pause
	wakeAtMost  = 50 * time.Millisecond // then the thread was not woken up
	waitAtMost  = 5 * time.Millisecond  // longer than all pauses: then the run-time system may stop the thread
	undisturbed = 4                     // times the median: what takes longer, another program had the core
	// halts is by what factor a wake-up takes longer at least on a core that has halted. Convention: less is as good as nothing.
	halts = 1.5
)

// wakePauses are for how long the core is idle before: after the first it still looks for work, if it ever does, after the last it has halted.
var wakePauses = []time.Duration{20e3, 50e3, 100e3, 150e3, 200e3, 300e3, 500e3, 1e6}

// WakeUps measures how long threads of the kernel's take, in s, to run on a core that
// has nothing to do when a thread on another core wakes them: an interrupt, and the
// core's way out of sleep, which in a virtual machine leads through the hypervisor; and by how much
// longer it takes if the core has been idle for so long that it has halted. It
// takes half a second. Empty: there are no two cores.
func WakeUps() (looking []float64, halt trace.Halt) {
	var pauses []time.Duration
	for _, pause := range wakePauses {
		pauses = append(pauses, slices.Repeat([]time.Duration{pause}, wakeTimes)...)
	}
	longest := len(wakePauses) - 1
	mixed := slices.Repeat([]time.Duration{wakePauses[longest], wakePauses[0]}, wakeTimes)
	took := ring(append(pauses, mixed...))
	if took == nil {
		return nil, halt
	}
	var after [][]float64
	for i := range wakePauses {
		after = append(after, usual(took[i*wakeTimes:(i+1)*wakeTimes]))
	}
	if slices.ContainsFunc(after, func(took []float64) bool { return len(took) == 0 }) {
		return nil, halt
	}
	looking = slices.MinFunc(after, func(a, b []float64) int { return cmp.Compare(robust.Median(a), robust.Median(b)) })
	low, high := robust.Median(looking), robust.Median(after[longest])
	if high < halts*low {
		return after[longest], halt
	}
	between := math.Sqrt(low * high)
	slow := func(took []float64) bool { return len(took) > 0 && robust.Median(took) > between }
	first := longest
	for first > 0 && slow(after[first-1]) {
		first--
	}
	if first > 0 {
		halt.After = (wakePauses[first-1] + wakePauses[first]).Seconds() / 2
	}
	for _, d := range after[longest] {
		if d > between { // nobody else has kept it awake
			halt.Wake = append(halt.Wake, d-low)
		}
	}
	var short []float64 // pauses, between long ones
	for i := range mixed {
		if mixed[i] == wakePauses[0] {
			short = append(short, took[len(pauses)+i])
		}
	}
	halt.Adapts = slow(usual(short))
	return looking, halt
}

// usual sorts times and leaves out those in which another program had the core, or that were not measured.
func usual(took []float64) []float64 {
	took = slices.DeleteFunc(slices.Clone(took), func(d float64) bool { return d <= 0 })
	slices.Sort(took)
	for len(took) > 0 && took[len(took)-1] > undisturbed*took[len(took)/2] {
		took = took[:len(took)-1]
	}
	return took
}

// ring wakes a thread on another core after each of some pauses, and returns how long it took, s, 0: it did not come; nil: there are
// no two cores. The run-time system is not told of the system calls, as its monitor would look after the threads then, again
// and again, and keep the core awake.
func ring(pauses []time.Duration) []float64 {
	var cores unix.CPUSet
	if unix.SchedGetaffinity(0, &cores) != nil || cores.Count() < 2 {
		return nil
	}
	bell, err := unix.Eventfd(0, unix.EFD_CLOEXEC)
	if err != nil {
		return nil // too many open files
	}
	var arrived atomic.Int64
	var ended sync.WaitGroup
	took := make([]float64, len(pauses))
	ended.Go(func() {
		onCore(cores, 0)
		wait := unix.PollFd{Fd: int32(bell), Events: unix.POLLIN}
		for token := uint64(0); token < last; {
			atMost := unix.NsecToTimespec(int64(waitAtMost)) // what is left is written back
			if n, _, _ := unix.RawSyscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(&wait)), 1, uintptr(unsafe.Pointer(&atMost)), 0, 0, 0); n != 1 {
				runtime.Gosched() // the loop has no other place to stop at
				continue
			}
			arrived.Store(Monotonic())
			if n, _, _ := unix.RawSyscall(unix.SYS_READ, uintptr(bell), uintptr(unsafe.Pointer(&token)), tokenBytes); n != tokenBytes {
				return
			}
		}
	})
	ended.Go(func() {
		onCore(cores, 1)
		write := func(token uint64) bool {
			n, _, _ := unix.RawSyscall(unix.SYS_WRITE, uintptr(bell), uintptr(unsafe.Pointer(&token)), tokenBytes)
			return n == tokenBytes
		}
		defer write(last) // it has room for it
		for i, pause := range pauses {
			for begin := Monotonic(); Monotonic()-begin < int64(pause); {
			}
			arrived.Store(0)
			rung := Monotonic()
			if !write(1) {
				return
			}
			for arrived.Load() == 0 && Monotonic()-rung < int64(wakeAtMost) {
			}
			if at := arrived.Load(); at > 0 {
				took[i] = float64(at-rung) * 1e-9
			}
		}
	})
	ended.Wait()
	_ = unix.Close(bell)
	return took
}

const (
	tokenBytes = 8       // of the number that an event file counts to
	last       = 1 << 32 // tells that nobody rings any more: it is none of those to which rings add up
)

// onCore keeps the calling goroutine on a thread of its own, which ends with it, and
// that on the nth of some cores.
func onCore(cores unix.CPUSet, n int) {
	runtime.LockOSThread()
	var one unix.CPUSet
	for c := 0; one.Count() == 0; c++ {
		if cores.IsSet(c) {
			if n == 0 {
				one.Set(c)
			}
			n--
		}
	}
	_ = unix.SchedSetaffinity(0, &one) // a wake-up on the same core shows in the times
}
