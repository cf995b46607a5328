package java

import (
	"cmp"
	"math"
	"slices"
	"sync"
	"time"

	"tierscope/analysis"
	"tierscope/analysis/execution"
	"tierscope/analysis/java/hotspot"
)

// account is the CPU time of the threads of a JVM, those that have ended
// included, read from the kernel while it runs.
type account struct {
	pid   int
	ended chan struct{} // closed when nothing is read any more
	mu    sync.Mutex
	used  map[int]usage // by thread
	reads []reading
}

type usage struct {
	name string
	cpu  int64 // ns
}

// reading is what all threads and the JVM's own had used at a moment.
type reading struct {
	time                   int64 // CLOCK_MONOTONIC, ns
	all, compiler, garbage int64 // ns of CPU
}

// readEvery is how often the threads are looked at: a thread that lives
// shorter may be missed, but the JVM's own live long.
const readEvery = 50 * time.Millisecond

// watch reads the account of a process until done is closed.
func watch(pid int, done <-chan struct{}) *account {
	a := &account{pid: pid, ended: make(chan struct{}), used: map[int]usage{}}
	go func() {
		defer close(a.ended)
		tick := time.NewTicker(readEvery)
		defer tick.Stop()
		for {
			a.read()
			select {
			case <-done:
				return
			case <-tick.C:
			}
		}
	}()
	return a
}

// read looks at all threads and returns the CPU time of the process so far.
func (a *account) read() time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, t := range hotspot.Threads(a.pid) {
		if cpu := t.CPU.Nanoseconds(); cpu >= a.used[t.ID].cpu {
			a.used[t.ID] = usage{t.Name, cpu}
		}
	}
	r := reading{time: execution.Monotonic()}
	for _, u := range a.used {
		r.all += u.cpu
		switch {
		case hotspot.Compiles(u.name):
			r.compiler += u.cpu
		case hotspot.Collects(u.name):
			r.garbage += u.cpu
		}
	}
	a.reads = append(a.reads, r)
	return time.Duration(r.all)
}

// at is what had been used at a moment of CLOCK_MONOTONIC: between two readings
// it grows evenly.
func (a *account) at(moment int64) reading {
	a.mu.Lock()
	defer a.mu.Unlock()
	next, found := slices.BinarySearchFunc(a.reads, moment, func(r reading, t int64) int { return cmp.Compare(r.time, t) })
	switch {
	case found:
		return a.reads[next]
	case next == 0:
		return reading{time: moment}
	}
	before := a.reads[next-1]
	if next == len(a.reads) {
		return before
	}
	after := a.reads[next]
	part := float64(moment-before.time) / float64(after.time-before.time)
	between := func(x, y int64) int64 { return x + int64(part*float64(y-x)) }
	return reading{moment, between(before.all, after.all), between(before.compiler, after.compiler), between(before.garbage, after.garbage)}
}

// system is the CPU time of the JVM's own threads.
func (r reading) system() time.Duration { return time.Duration(r.compiler + r.garbage) }

// program looks at all threads and returns what those that do not compile have
// used so far.
func (a *account) program() time.Duration {
	all := a.read()
	return all - time.Duration(a.last().compiler)
}

// last is what was used in all.
func (a *account) last() reading { return a.at(math.MaxInt64) }

// collections are the CPU times of the JVM's own threads as units of
// background work, one for each reading in which they did something. zero is
// the start of the recording.
func (a *account) collections(zero int64) []analysis.Collection {
	a.mu.Lock()
	defer a.mu.Unlock()
	var cs []analysis.Collection
	var before reading
	for i, r := range a.reads {
		used := r.system() - before.system()
		if i > 0 && used > 0 && r.time > zero {
			cs = append(cs, analysis.Collection{Start: max(before.time-zero, 0), End: r.time - zero, CPU: used.Nanoseconds()})
		}
		before = r
	}
	return cs
}

// warmShare is the share of the CPU time that compilers may take in the work
// phase of a server that is warm.
const warmShare = 0.1
