package golang

import (
	"fmt"
	"slices"
	"testing"

	"tierscope/analysis/trace"
)

// Recorded is what may matter in another configuration: every lock of the
// program, and those of the standard library that somebody waits for, that are
// held long, or that the program works on too.
func TestMutedAreOnlyLibraryLocksThatNobodyWaitsForOrHolds(t *testing.T) {
	t.Parallel()
	m := newImage()
	for id := uint64(1); id <= 12; id++ {
		m.context(id)
	}
	now := uint64(1000)
	ready, cpu := uint64(0), uint64(0)
	// wait: the goroutine is parked so long; off: the kernel takes its core away
	acquire, release := trace.OpLock, trace.OpUnlock
	goid := uint64(1)
	pair := func(lockSite, unlockSite, lock, wait, off, hold uint64) {
		m.rec(now, goid, lockSite, acquire, 0, lock, 0, cpu, 0)
		now += wait + off
		if wait > 0 {
			ready++
			m.words(ready<<16|tagExt, 0, 0, 0).rec(now, goid, 0, acquire, flagEnd|flagExt, lock, 0, cpu, 0)
		} else {
			m.rec(now, goid, 0, acquire, flagEnd, lock, 0, cpu, 0)
		}
		now, cpu = now+hold+off, cpu+hold
		m.rec(now, goid, unlockSite, release, 0, lock, 0, cpu, 0)
		m.rec(now+10, goid, 0, release, flagEnd, lock, 0, cpu, 0)
		now += 100_000
	}
	for i := range 100 {
		goid = uint64(1 + i%2)
		pair(1, 2, 0xa0, 0, 0, 100)            // library, idle: muted
		pair(9, 9, 0x90, 0, 50_000, 100)       // library, idle, on a busy machine: muted
		pair(3, 3, 0xb0, 20_000, 0, 100)       // library, waited for
		pair(4, 4, 0xc0, 0, 0, 50_000)         // library, held
		pair(12, 12, 0x120+goid, 0, 0, 50_000) // library, held, one for each goroutine: muted
		pair(5, 5, 0xd0, 0, 0, 100)            // program
		pair(6, 7, 0xe0, 0, 0, 100)            // library locks, program unlocks
		pair(8, 8, 0xf0, 0, 0, 100)            // package sync, for whoever
	}
	for i := range 300 {
		goid = uint64(1 + i%2)
		acquire, release = trace.OpRLock, trace.OpRUnlock
		pair(10, 10, 0x100, 0, 0, 50_000) // library, held by readers: muted
		if i%3 == 0 {
			acquire, release = trace.OpLock, trace.OpUnlock
		}
		pair(11, 11, 0x110, 0, 0, 50_000) // library, held by readers and writers
	}
	r, err := parseProbeFile(m.bytes())
	if err != nil {
		t.Fatal(err)
	}
	symbols := map[uint64][]trace.Frame{}
	for id := uint64(1); id <= 12; id++ {
		f := trace.Frame{Function: fmt.Sprint("net.f", id), Std: true}
		switch id {
		case 5, 7:
			f = trace.Frame{Function: "main.f"}
		case 8:
			f.Function = "sync.(*rlocker).Lock"
		}
		symbols[100*id] = []trace.Frame{f}
	}
	if got, want := r.mutable(symbols), []uint64{100, 200, 900, 1000, 1200}; !slices.Equal(got, want) {
		t.Errorf("muted %v, want %v", got, want)
	}
}
