package execution

import (
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// What is measured of wake-ups.
const (
	wakeTimes   = 300
	wakePause   = time.Millisecond      // in which the core falls asleep
	wakeAtMost  = 50 * time.Millisecond // then the thread was not woken up
	undisturbed = 4                     // times the first decile: what takes longer, another program had the core
)

// WakeUps measures how long threads of the kernel's take, in s, to run on a core that
// has nothing to do when a thread on another core wakes them: an interrupt, and the
// core's way out of sleep, which in a virtual machine leads through the hypervisor. It
// takes half a second. Empty: there are no two cores.
func WakeUps() []float64 {
	var cores unix.CPUSet
	if unix.SchedGetaffinity(0, &cores) != nil || cores.Count() < 2 {
		return nil
	}
	bell, err := unix.Eventfd(0, unix.EFD_CLOEXEC)
	if err != nil {
		return nil // too many open files
	}
	var arrived atomic.Int64
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		onCore(cores, 0)
		for token := make([]byte, 8); ; {
			if n, _ := unix.Read(bell, token); n < len(token) || token[lastByte] != 0 {
				return
			}
			arrived.Store(Monotonic())
		}
	}()
	var took []float64
	go func() {
		onCore(cores, 1)
		defer func() { _, _ = unix.Write(bell, []byte{lastByte: 1, 7: 0}) }() // it has room for it
		for range wakeTimes {
			pause := unix.NsecToTimespec(int64(wakePause))
			_ = unix.Nanosleep(&pause, nil) // a shorter one by a signal does not matter
			arrived.Store(0)
			rung := Monotonic()
			if n, _ := unix.Write(bell, []byte{1, 7: 0}); n == 0 {
				return
			}
			for arrived.Load() == 0 && Monotonic()-rung < int64(wakeAtMost) {
			}
			if at := arrived.Load(); at > 0 {
				took = append(took, float64(at-rung)*1e-9)
			}
		}
	}()
	<-ended
	_ = unix.Close(bell)
	slices.Sort(took)
	for len(took) > 0 && took[len(took)-1] > undisturbed*took[len(took)/10] {
		took = took[:len(took)-1]
	}
	return took
}

// lastByte of the number that an event file counts to tells that nobody rings any more:
// it is none of those to which rings add up.
const lastByte = 4

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
