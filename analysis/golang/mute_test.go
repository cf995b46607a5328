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

// Where recording would cost too much, the locks of the program are not recorded either that nobody waits for, that are held little,
// and that no condition belongs to, those first that are used most. For the wait group of the last somebody waits once, as long as
// all else takes: one long wait is no usual one, but it costs nothing to record either.
func TestLocksOfTheProgramAreMutedWhereTheyCostTooMuch(t *testing.T) {
	t.Parallel()
	recorded := func(gap uint64) []uint64 {
		m := newImage()
		for id := uint64(1); id <= 6; id++ {
			m.context(id)
		}
		now, ready, cpu := uint64(1000), uint64(0), uint64(0)
		op := func(goid, site uint64, op trace.Op, lock, wait uint64) {
			m.rec(now, goid, site, op, 0, lock, 0, cpu, 0)
			if now += wait + 10; wait > 0 {
				ready++
				m.words(ready<<16|tagExt, 0, 0, 0).rec(now, goid, 0, op, flagEnd|flagExt, lock, 0, cpu, 0)
			} else {
				m.rec(now, goid, 0, op, flagEnd, lock, 0, cpu, 0)
			}
		}
		pair := func(goid, site, lock, wait, hold uint64) {
			op(goid, site, trace.OpLock, lock, wait)
			now, cpu = now+hold, cpu+hold
			op(goid, site, trace.OpUnlock, lock, 0)
			now, cpu = now+gap, cpu+gap
		}
		for i := range uint64(300) {
			goid := 1 + i%2
			for range 3 {
				pair(goid, 1, 0xa0+goid, 0, 10) // often
			}
			pair(goid, 2, 0xb0, 0, 10)     // less often
			pair(goid, 3, 0xc0, 5_000, 10) // somebody waits
			pair(goid, 4, 0xd0, 0, 2_000)  // held
			pair(goid, 5, 0xe0, 0, 10)     // with a condition
			op(goid, 5, trace.OpSignal, 0xe8, 0)
		}
		op(1, 6, trace.OpWaitGroup, 0xf0, 1_000_000)
		r, err := parseProbeFile(m.bytes())
		if err != nil {
			t.Fatal(err)
		}
		symbols := map[uint64][]trace.Frame{}
		for id := uint64(1); id <= 6; id++ {
			symbols[100*id] = []trace.Frame{{Function: fmt.Sprint("main.f", id), File: "main.go", Line: int(id)}}
		}
		muted := r.mutable(symbols)
		if said := unrecorded(muted, symbols); (len(said) == 1) != (len(muted) > 0) {
			t.Errorf("of %v muted places it is said %q", muted, said)
		}
		return muted
	}
	for gap, want := range map[uint64][]uint64{100: {100, 200}, 1100: {100}, 100_000: nil} {
		if got := recorded(gap); !slices.Equal(got, want) {
			t.Errorf("with %d ns between operations %v are muted, want %v", gap, got, want)
		}
	}
}
