package java

import (
	"cmp"
	"math"
	"slices"
	"sync"
	"time"

	"tierscope/analysis/execution"
	"tierscope/analysis/java/hotspot"
	"tierscope/analysis/trace"
)

// account is the CPU time of the threads of a JVM, those that have ended
// included, read from the kernel while it runs.
type account struct {
	pid   int
	ended chan struct{} // closed when nothing is read any more
	mu    sync.Mutex
	used  map[int]usage // by thread
	reads []reading
	final []compiling
}

type usage struct {
	name      string
	cpu, wait int64 // ns
}

// compiling is what the compilers that make the final code had used at a moment,
// and for how long they had been ready without a core.
type compiling struct{ time, cpu, wait int64 } // ns

// reading is what all threads and the JVM's own had used at a moment.
type reading struct {
	time                   int64 // CLOCK_MONOTONIC, ns
	all, compiler, garbage int64 // ns of CPU
	final                  int64 // of compiler: by those that make the final code
}

// readEvery is how often the threads are looked at: a thread that lives
// shorter may be missed, but the JVM's own live long. A short program becomes quick
// between two looks, so the compilers are looked at more often.
const (
	readEvery    = 50 * time.Millisecond
	compileEvery = 10 * time.Millisecond
)

// watch reads the account of a process until done is closed.
func watch(pid int, done <-chan struct{}) *account {
	a := &account{pid: pid, ended: make(chan struct{}), used: map[int]usage{}}
	go func() {
		defer close(a.ended)
		tick := time.NewTicker(compileEvery)
		defer tick.Stop()
		for n := 0; ; n++ {
			if n%int(readEvery/compileEvery) == 0 {
				a.read()
			} else {
				a.readCompilers()
			}
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
			a.used[t.ID] = usage{t.Name, cpu, t.Wait.Nanoseconds()}
		}
	}
	r := reading{time: execution.Monotonic()}
	for _, u := range a.used {
		r.all += u.cpu
		switch {
		case hotspot.Compiles(u.name):
			r.compiler += u.cpu
			if hotspot.Optimises(u.name) {
				r.final += u.cpu
			}
		case hotspot.Collects(u.name):
			r.garbage += u.cpu
		}
	}
	a.reads = append(a.reads, r)
	a.addFinal(r.time)
	return time.Duration(r.all)
}

// readCompilers looks at the compilers that make the final code.
func (a *account) readCompilers() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for id, u := range a.used {
		if hotspot.Optimises(u.name) {
			if cpu, wait, ok := hotspot.Usage(a.pid, id); ok {
				a.used[id] = usage{u.name, cpu.Nanoseconds(), wait.Nanoseconds()}
			}
		}
	}
	a.addFinal(execution.Monotonic())
}

// addFinal notes what the compilers that make the final code have used.
func (a *account) addFinal(moment int64) {
	c := compiling{time: moment}
	for _, u := range a.used {
		if hotspot.Optimises(u.name) {
			c.cpu, c.wait = c.cpu+u.cpu, c.wait+u.wait
		}
	}
	a.final = append(a.final, c)
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
	return reading{moment, between(before.all, after.all), between(before.compiler, after.compiler), between(before.garbage, after.garbage), between(before.final, after.final)}
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

// compilers is what the compilers that make the final code did from a moment on, in times from zero on, and
// how many of them worked at a time, by the evenness of what they used: as many as
// of one size would be as uneven.
func (a *account) compilers(from, zero int64) (all []trace.Compiling, threads int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var before compiling
	for i, c := range a.final {
		if i > 0 && c.time > from && c.time > before.time {
			part, start := since(from, before.time, c.time)
			all = append(all, trace.Compiling{Start: start - zero, End: c.time - zero, CPU: part(c.cpu - before.cpu), Ready: part(c.wait - before.wait)})
		}
		before = c
	}
	if before.cpu == 0 {
		return nil, 0
	}
	sum, squares := 0.0, 0.0
	for _, u := range a.used {
		if hotspot.Optimises(u.name) {
			sum += float64(u.cpu)
			squares += float64(u.cpu) * float64(u.cpu)
		}
	}
	return all, max(1, int(math.Round(sum*sum/squares)))
}

// ownWork puts what the JVM's own threads did into a trace. Short programs are
// compiled while they run: what makes the final code tells how they became fast, the
// rest grows with what the program does. Compilers of a server that is warm go on
// by the clock, whatever the load. zero is the start of the recording; what was done
// before the agent was ready was done for the agent.
func (a *account) ownWork(tr *trace.Trace, server bool, ready, zero int64) {
	from := max(ready, zero)
	if !server {
		tr.GC = a.units(from, zero, func(r reading) int64 { return r.compiler + r.garbage - r.final })
		tr.Compiler, tr.Compilers = a.compilers(from, zero)
		return
	}
	tr.GC = a.units(from, zero, func(r reading) int64 { return r.garbage })
	for _, u := range a.units(from, zero, func(r reading) int64 { return r.compiler }) {
		tr.Compiler = append(tr.Compiler, trace.Compiling{Start: u.Start, End: u.End, CPU: u.CPU})
	}
}

// units are CPU times of the JVM's own threads as units of background work, one for
// each reading in which they did something.
func (a *account) units(from, zero int64, used func(reading) int64) []trace.Collection {
	a.mu.Lock()
	defer a.mu.Unlock()
	var cs []trace.Collection
	var before reading
	for i, r := range a.reads {
		if cpu := used(r) - used(before); i > 0 && cpu > 0 && r.time > from {
			part, start := since(from, before.time, r.time)
			cs = append(cs, trace.Collection{Start: start - zero, End: r.time - zero, CPU: part(cpu)})
		}
		before = r
	}
	return cs
}

// since returns when the part of an interval begins that lies after a moment, and what of an amount is in it, if it
// grows evenly.
func since(moment, begin, end int64) (part func(amount int64) int64, start int64) {
	start = max(moment, begin)
	share := float64(end-start) / float64(end-begin)
	return func(amount int64) int64 { return int64(math.Round(share * float64(amount))) }, start
}

// warmShare is the share of the CPU time that compilers may take in the work
// phase of a server that is warm.
const warmShare = 0.1
