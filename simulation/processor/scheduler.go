package processor

import (
	"tierscope/core"
	"tierscope/simulation/des"
	"tierscope/simulation/variate"
)

// None is no thread, or no core; in the place of the core of who wakes a thread, Clock says that its time has come, and Device that one
// is done with what the thread asked for, which interrupts the core from which it did, and so has woken that already (blk-mq: rq_affinity).
const (
	None   int32 = -1
	Clock  int32 = -2
	Device int32 = -3
)

// Scheduler is a processor under one policy.
type Scheduler interface {
	// Grow makes room for threads 0 … n−1.
	Grow(n int)
	// SetWeight sets the CPU share of thread t relative to 1.
	SetWeight(t int32, weight float64)
	// SetSystem says that thread t is none of the program's. SetSlowness does not
	// slow it, and in Go's scheduler, as the workers of the collector, it goes before
	// all others.
	SetSystem(t int32)
	// SetSlowness makes the program's threads compute so slowly.
	SetSlowness(s Slowness)
	// Submit makes t, which occupies no core, ready to compute for the given
	// time at speed 1. waker is the core of the thread that woke it, Clock, Device, or None.
	// A thread that was just born has never had a core.
	Submit(t int32, work des.Time, waker int32)
	// GoesOn says that t, which occupies no core, does at its next turn what the thread that wakes it would do, if there were no t: it
	// starts as that goes on, without the time that others need to wake up and to come to the core.
	GoesOn(t int32)
	// Crowded reports whether a thread is ready that no core runs.
	Crowded() bool
	// Runs reports whether a core runs t.
	Runs(t int32) bool
	// Stays says that t, which occupies no core, has not gone from the one where it computed last: it starts there at its next turn, without
	// the time that others need to wake up, or on another one if somebody computed there since, or behind who wakes it.
	Stays(t int32)
	// Near says that who wakes t, which occupies no core, is about to wait for it: where no core is idle, it queues at its next turn
	// behind that one, if nobody else does (Linux: a synchronous wake-up, as by a write to a socket or pipe).
	Near(t int32)
	// Looked says that t, which occupies no core, was busy for so long up to now, or until it gave up, where it computed last, if nobody else did there.
	Looked(t int32, d des.Time)
	// Sleep says that t, which occupies no core, sets a timer.
	Sleep(t int32)
	// HandOver lets t, which occupies no core and wants one for a moment, go on at once in the place of the thread
	// of a core, whose burst has just ended and which is the next there after that: Go's runtime, when a mutex goes to a waiter
	// that has starved (goyield). It reports whether the policy does that.
	HandOver(core, t int32) bool
	// MaySpin reports whether t, whose burst on a core has just ended, may spin there for what another thread holds: as in Go's runtime, one that
	// runs elsewhere, while nobody waits for this core.
	MaySpin(core, t int32) bool
	// Keep says that t, whose burst on a core has just ended, waits in a system call: in Go's runtime nobody else computes there until
	// that is over, or has taken long (syscall.go). LetGo says that it is over, and that t computes nothing now.
	Keep(core, t int32)
	LetGo(t int32)
	// Expire executes an event of the processor.
	Expire(target int32)
	// Balancing reports whether an event will look whether threads should move to other cores.
	Balancing() bool

	// Pause stops all cores, and Unpause lets them go on.
	Pause()
	Unpause()
	// Stop forgets that t was ever here: its number can be given to a new thread.
	Forget(t int32)

	// Usage returns the accounts up to now.
	Usage() Usage
	// Work returns the CPU time of all threads since the last Restart, in ns, without what cold cores and slowness cost
	// them, and how many cores compute now.
	Work() (used float64, running int)
	// Restart sets the accounts to zero.
	Restart()
	// Spans calls f for every stretch of a thread on a core, when it ends.
	Spans(f func(core, t int32, from, to des.Time))
}

// Host is the simulator, as a processor sees it.
type Host interface {
	// BurstEnded says that thread t has computed for as long as it wanted; it
	// occupies the core, and has spent the given time on cores in this burst. The rest
	// of the time it was ready. BurstEnded returns its next burst, or false if t
	// frees the core.
	BurstEnded(t, core int32, used des.Time) (work des.Time, computes bool)
}

// Usage is what the processor did since the last Restart.
type Usage struct {
	Busy     []float64 // per core: ns
	Waiting  float64   // ∫ number of ready threads that do not run dt, ns
	Switches int64     // context switches
}

// Slowness is by how much longer the program's threads compute: work takes them
// 1 + Alone + (n−1)·Company times as long while n of them do.
type Slowness struct{ Alone, Company float64 }

// pace is the speed of n ≥ 1 cores that compute for the program; n may be a
// fraction.
func (s Slowness) pace(n float64) float64 { return 1 / (1 + s.Alone + max(0, n-1)*s.Company) }

// New returns a processor whose events are of the given kind. stream returns
// the random stream for a purpose.
func New(host Host, c core.CPU, e *des.Engine, kind des.Kind, stream func(purpose string) des.Stream) Scheduler {
	m := newMachine(c, e, kind, stream)
	m.host = host
	switch c.Policy {
	case core.EEVDF, "":
		return newEEVDF(m, c, stream)
	case core.RoundRobin:
		return newRoundRobin(m, c, stream)
	case core.GoScheduler:
		return newGo(m, c, stream)
	case core.ProcessorSharing:
		return newSharing(m)
	case core.ShortestFirst, core.ShortestRemaining, core.PreemptivePriority:
		return newRanked(m, c.Policy)
	default:
		panic("processor: unknown policy " + string(c.Policy))
	}
}

// thread is what the processor knows of a thread.
type thread struct {
	work   des.Time // left, at speed 1
	used   des.Time // on a core in this burst
	weight float64
	last   int32    // core it ran on last, or None
	ran    des.Time // when it left that
	slept  des.Time // when it set a timer
	next   int32    // in a list of ready threads
	woken  bool     // has not run since it was submitted
	goesOn bool     // is not woken: see GoesOn
	stays  bool     // see Stays
	near   bool     // see Near
	system bool     // none of the program's
	left   des.Time // what its last core had computed when another thread came
	lacks  des.Time // work until it has brought back what others drove out
	fair   fairState
}

// unit is a core.
type unit struct {
	number int32
	thread int32     // on the core, None when idle
	last   int32     // thread that ran last
	finish des.Time  // of the burst, Never when idle
	begin  des.Time  // of the present stretch
	open   bool      // the burst of thread has ended and it is about to go on or leave
	armed  bool      // alarm is set to the end of the slice if that comes before the end of the burst
	alarm  des.Alarm // end of the burst or of the slice
	picked des.Time  // when thread was put on the core
	slice  des.Time  // end of the slice, for policies with quanta
	until  des.Time  // what sliceEnd returns, up to that time, until somebody comes to wait for the place; 0: not known
	heir   int32     // thread that goes on here as soon as the burst of thread has ended, or None
	caller int32     // thread that waits in a system call and keeps the core, which is neither idle nor busy, or None
	owed   des.Time  // CPU time that the thread's wake-ups have cost the core
	cold   des.Time  // work until it is as fast as ever
	rested des.Time  // when it became idle
	looks  des.Time  // for how long it looks for work before it halts, where that is learnt
	busy   des.Time
}

// policy orders the ready threads. The machine runs them.
type policy interface {
	// choose returns an idle core for t, or None: then t goes to enqueue.
	choose(t, waker int32) int32
	// enqueue adds t to the ready threads and returns a core that should run t
	// instead of its thread, or None.
	enqueue(t, waker int32) int32
	// started is told that t was put on core u, and returns what sliceEnd does.
	started(u *unit, t int32) des.Time
	// stopped is told that t has left core u: blocked.
	stopped(u *unit, t int32)
	// expired puts t, whose slice on u has ended, back and returns the next.
	expired(u *unit, t int32) int32
	// next takes the thread to run on the free core c, or returns None.
	next(c int32) int32
	// sliceEnd returns when the thread of u must make room, if anybody waits
	// for its place, or des.Never.
	sliceEnd(u *unit) des.Time
	// wakes handles an event of an idle core and returns a thread to run.
	wakes(c int32) int32
}

// machine is the part that policies with run queues share.
type machine struct {
	*des.Engine
	host    Host
	kind    des.Kind
	policy  policy
	rounds  *roundRobin // the policy if it is that, or nil
	threads []thread
	cores   []unit
	idle    bitset
	running int // cores with a thread

	speed      []float64 // per core; nil: all 1
	busyFactor []float64 // by running−1; nil: all 1
	slowness   Slowness
	pace       float64 // of cores with threads of the program
	even       bool    // speed and busyFactor are nil and nothing is slow: work is time
	steady     bool    // even and not paused
	bare       bool    // even, plain, and not observed
	switchCost des.Time
	halt       *halting        // nil: idleness makes no wake-up longer
	cold       *coldness       // nil: idleness makes no core slower
	turns      *turns          // nil: nor do others
	search     des.Time        // that a core takes to become idle
	same, far  variate.Sampler // wake-up latencies on the same core, on an idle core
	waker      variate.Sampler
	costly     bool // some of the three are not 0
	plain      bool // nothing comes on top of bursts: neither costs of wake-ups nor cold caches nor a search for work
	costs      des.Stream

	waiting      int
	waitingSince des.Time
	waitingArea  float64
	restarted    des.Time
	switches     int64
	worked       des.Time
	paused       bool
	observed     bool // paused, or spans is not nil
	byClock      bool // who is submitted has slept
	byDevice     bool // a device has woken it
	spans        func(core, t int32, from, to des.Time)
}

func newMachine(c core.CPU, e *des.Engine, kind des.Kind, stream func(string) des.Stream) *machine {
	m := &machine{
		Engine: e, kind: kind, pace: 1,
		cores: make([]unit, c.Cores), idle: newBitset(c.Cores),
		switchCost: des.Seconds(c.Switch),
		same:       variate.Compile(c.WakeSameCore, 1),
		far:        variate.Compile(c.WakeIdleCore, 1),
		waker:      variate.Compile(c.WakerCost, 1),
		costs:      stream("wake-up costs"),
	}
	if c.Cold != nil {
		m.search = des.Seconds(c.Cold.Search)
	}
	m.costly = !c.WakeSameCore.IsZero() || !c.WakeIdleCore.IsZero() || !c.WakerCost.IsZero() || c.Halt != nil
	for i := range m.cores {
		m.cores[i] = unit{number: int32(i), thread: None, last: None, heir: None, caller: None, finish: des.Never, rested: -m.search}
		m.cores[i].alarm = e.NewQuickAlarm(kind, int32(i))
		m.idle.add(int32(i))
	}
	m.cold, m.turns, m.halt = newColdness(c.Cold), newTurns(c.Turns), newHalting(c.Halt)
	m.plain = !m.costly && m.cold == nil && m.turns == nil && m.search == 0
	m.speed = factors(c.Speed, c.Cores, 1)
	contention := c.Contention()
	m.busyFactor = factors(contention, c.Cores, lastOf(contention))
	m.setEven()
	return m
}

// factors returns the first n factors, filled up with what those have that are
// missing, or nil if all are 1.
func factors(given []float64, n int, missing float64) []float64 {
	out, trivial := make([]float64, n), true
	for i := range out {
		out[i] = missing
		if i < len(given) {
			out[i] = 1
			if given[i] > 0 {
				out[i] = given[i]
			}
		}
		trivial = trivial && out[i] == 1
	}
	if trivial {
		return nil
	}
	return out
}

// lastOf is the factor for more busy cores than there are factors for.
func lastOf(factors []float64) float64 {
	if n := len(factors); n > 0 && factors[n-1] > 0 {
		return factors[n-1]
	}
	return 1
}

func (m *machine) Grow(n int) {
	for len(m.threads) < n {
		m.threads = append(m.threads, thread{weight: 1, last: None, next: None})
	}
}

func (m *machine) SetWeight(t int32, weight float64) { m.threads[t].weight = weight }

func (m *machine) Sleep(t int32) { m.threads[t].slept = m.Now() }

func (m *machine) SetSystem(t int32) { m.threads[t].system = true }

func (m *machine) setEven() {
	m.even = m.speed == nil && m.busyFactor == nil && m.slowness == Slowness{}
	m.steady = m.even && !m.paused
	m.bare = m.even && m.plain && !m.observed
}

func (m *machine) Forget(t int32) {
	m.LetGo(t)
	if p, ok := m.policy.(*eevdf); ok && m.threads[t].fair.owes {
		p.returns(t)
	}
	m.threads[t] = thread{weight: 1, last: None, next: None}
	for i := range m.cores {
		if m.cores[i].last == t {
			m.cores[i].last = None
		}
	}
}

func (m *machine) Spans(f func(core, t int32, from, to des.Time)) {
	m.spans = f
	m.observed = true
	m.setEven()
}

func (m *machine) Balancing() bool {
	p, ok := m.policy.(*eevdf)
	return ok && p.IsSet(p.balancer)
}

func (m *machine) Restart() {
	now := m.Now()
	m.worked = 0
	for i := range m.cores {
		c := &m.cores[i]
		old := c.busy
		c.busy = 0
		if c.thread != None && !m.paused { // what comes before now does not count
			d := max(0, now-c.begin)
			c.busy = -d
			m.worked -= d - m.lost(c.thread, d)
		}
		for t := range m.threads {
			if x := &m.threads[t]; m.turns != nil && x.last == c.number {
				x.left -= old - c.busy
			}
		}
	}
	m.waitingArea, m.waitingSince, m.switches = 0, now, 0
	m.restarted = now
}

func (m *machine) Usage() Usage {
	now := m.Now()
	u := Usage{Busy: make([]float64, len(m.cores)), Switches: m.switches}
	u.Waiting = m.waitingArea + float64(m.waiting)*float64(now-m.waitingSince)
	for i := range m.cores {
		c := &m.cores[i]
		u.Busy[i] = float64(c.busy)
		if c.thread == None {
			u.Busy[i] += float64(m.searched(c))
		}
		if c.thread != None && !m.paused {
			u.Busy[i] += float64(max(0, now-c.begin))
		}
	}
	return u
}

func (m *machine) Work() (used float64, running int) {
	used = float64(m.worked)
	if m.paused {
		return used, 0
	}
	for i := range m.cores {
		if c := &m.cores[i]; c.thread != None {
			d := max(0, m.Now()-c.begin)
			used += float64(d)
			used -= float64(m.lost(c.thread, d))
			running++
		}
	}
	return used, running
}

func (m *machine) wait(d int) {
	now := m.Now()
	m.waitingArea += float64(m.waiting) * float64(now-m.waitingSince)
	m.waitingSince = now
	m.waiting += d
}
