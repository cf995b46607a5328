package core

// CPUPolicy is how the thread scheduler shares the cores.
type CPUPolicy string

// Scheduler policies.
const (
	EEVDF            CPUPolicy = "eevdf" // Linux ≥ 6.6: per-core run queues, virtual deadlines (the default, also "")
	ProcessorSharing CPUPolicy = "ps"
	RoundRobin       CPUPolicy = "rr" // the papers': one global ready queue, quantum from a distribution
	GoScheduler      CPUPolicy = "go" // goroutines on Ps: run to block, 20 ms slices, wake-up latency of an idle P

	ShortestFirst      CPUPolicy = "spt"      // one ready queue, the shortest burst first; who computes is not disturbed
	ShortestRemaining  CPUPolicy = "srpt"     // the least work left first, at once
	PreemptivePriority CPUPolicy = "priority" // the largest weight of a pool first, at once
)

// SpinRounds is how many rounds a goroutine spins at most at a mutex before it waits (Go 1.26, runtime.active_spin).
const SpinRounds = 4

// CPU is the processor and the thread scheduler of tier 3.
type CPU struct {
	Cores     int          `json:"cores"`
	Policy    CPUPolicy    `json:"policy,omitempty"`
	Quantum   Distribution `json:"quantum_s,omitzero"`        // rr and go; zero value: 4 ms and 20 ms
	Tick      float64      `json:"tick_s,omitempty"`          // eevdf; 0: 4 ms
	BaseSlice float64      `json:"base_slice_s,omitempty"`    // eevdf; 0: 0.7 ms·(1 + log₂ min(cores, 8))
	Credit    float64      `json:"wakeup_credit_s,omitempty"` // eevdf: most lag a sleeper keeps; 0: max(2·slice, tick)
	Balance   float64      `json:"balance_s,omitempty"`       // eevdf: interval between run queue balancing; 0: 1 s

	Switch       float64      `json:"switch_s,omitempty"`        // cost of a context switch on the core
	Spin         float64      `json:"spin_s,omitempty"`          // go: a round of spinning at a mutex that another thread holds; 0: threads wait at once
	WakeSameCore Distribution `json:"wake_same_core_s,omitzero"` // ready → running when the waker's core takes it
	WakeIdleCore Distribution `json:"wake_idle_core_s,omitzero"` // latency until an idle core runs a woken thread
	WakeQueued   Distribution `json:"wake_queued_s,omitzero"`    // go: until an idle core looks for threads; what another core runs next it takes after wake_idle_core_s. Zero: it takes anything at once
	WakerCost    Distribution `json:"waker_cost_s,omitzero"`     // CPU time the waker spends on waking an idle core

	Speed      []float64 `json:"speed,omitempty"`       // per core, relative to 1; missing: 1
	BusyFactor []float64 `json:"busy_factor,omitempty"` // speed when i+1 cores are busy; missing: the last one given, or 1

	// Single is the speed of the core where there is only one, on which a
	// run-time system may set itself up otherwise: a JVM takes another garbage
	// collector. 0 means 1.
	Single float64 `json:"single_speed,omitempty"`

	Halt  *Halt  `json:"halt,omitempty"`  // how a core that has nothing to do falls asleep; nil: it makes no difference
	Cold  *Cold  `json:"cold,omitempty"`  // how computing begins on a core that was idle; nil: as fast as ever
	Turns *Turns `json:"turns,omitempty"` // how it goes on where others have computed since; nil: as fast as ever
}

// Contention is the speed of a core when i+1 of the cores that there are are
// busy, 1 where it says nothing.
func (c *CPU) Contention() []float64 {
	if c.Cores != 1 || c.Single == 0 {
		return c.BusyFactor
	}
	alone := c.Single
	if len(c.BusyFactor) > 0 {
		alone *= c.BusyFactor[0]
	}
	return []float64{alone}
}

// Halt is how a core that has nothing to do falls asleep. It looks for work for a while; then it halts, and waking it up takes longer: it
// has to be interrupted, and a virtual one has to be scheduled by its host.
type Halt struct {
	After float64      `json:"after_s"` // of idleness
	Wake  Distribution `json:"wake_s"`  // by which its wake-up takes longer then
	// Adapts says that how long it looks is learnt, as by KVM (Documentation/virt/kvm/halt-polling.rst): twice as long after an idleness shorter than
	// After that it has not outlasted, half as long after a longer one, up to After.
	Adapts bool `json:"adapts,omitempty"`
}

// Cold is what idleness costs a core. Its caches go to others, and the run-time
// system that has gone to sleep must wake up: computing is slower until the core is
// warm again. And before it sleeps it searches. The CPU time of a request therefore
// falls as the load grows.
type Cold struct {
	Slowdown float64 `json:"slowdown"` // on a cold core work takes 1+Slowdown times as long,
	Work     float64 `json:"work_s"`   // until so much of it is done, s
	After    float64 `json:"after_s"`  // idleness of τ s makes a core cold but for a share exp(−τ/After)

	// Search is for how long a core still computes when its last thread has blocked,
	// s: the run-time system looks for other work, and the kernel goes idle. Work that
	// comes meanwhile does not wait for it.
	Search float64 `json:"search_s,omitempty"`
}

// Turns is what it costs threads to take turns at a core. What others compute meanwhile drives what a thread works on out
// of the core's caches, and it has to bring it back: computing is slower at the beginning of its turn.
type Turns struct {
	Slowdown float64 `json:"slowdown"` // work takes 1+Slowdown times as long,
	// Work is for how much of it, s, if others had the core for long; if they had it for τ s since, for a share
	// 1 − exp(−τ/Work) of that: filling a cache takes as long as emptying it.
	Work float64 `json:"work_s"`
}

// DiskOrder is the order in which the I/O scheduler dispatches requests.
type DiskOrder string

// Orders of the I/O scheduler.
const (
	DiskFIFO     DiskOrder = "fifo"
	DiskRandom   DiskOrder = "random"   // the paper's
	DiskElevator DiskOrder = "elevator" // upwards from the head's position, then from the lowest again
	DiskNearest  DiskOrder = "nearest"  // shortest seek first, as native command queueing does
)

// Sleep is how a device that has nothing to do falls asleep: one that a host process serves,
// or that saves power.
type Sleep struct {
	After float64 `json:"after_s,omitempty"` // of idleness
	Wake  float64 `json:"wake_s,omitempty"`  // by which its setup then takes longer
}

// DiskDelivery is when requests that a device has served are told complete.
type DiskDelivery string

// Deliveries of disks.
const (
	DeliverEach DiskDelivery = "each" // each at the end of its service
	DeliverIdle DiskDelivery = "idle" // all together when none is left to serve: one interrupt for all of a busy period
)

// Disk is a scheduler queue in front of a device that accepts Depth requests
// at once and serves them by a service law.
type Disk struct {
	ID      string       `json:"id"`
	Order   DiskOrder    `json:"order,omitempty"` // "" is fifo
	Depth   int          `json:"depth,omitempty"` // dispatch limit D; 0 means 1
	Speed   float64      `json:"speed,omitempty"` // divides service times; 0 means 1
	Service []ServiceLaw `json:"service,omitempty"`
	// Latency is how much longer a request takes than its service, on the way to
	// the device and back, while its server serves others; seconds.
	Latency float64 `json:"latency_s,omitempty"`
	// Bandwidth makes the device a link of a network: a request, such as a call of another
	// machine, occupies it for its bytes over the bandwidth, after what its service law
	// says, if it has one, and comes back after the latency; bytes per second.
	Bandwidth float64 `json:"bandwidth_bytes_per_s,omitempty"`
	// Setup is how long a device that had nothing to do takes to begin, while requests
	// gather that it then serves: the setup time of a server; seconds.
	Setup    float64      `json:"setup_s,omitempty"`
	Sleep    Sleep        `json:"sleep,omitzero"`
	Delivery DiskDelivery `json:"delivery,omitempty"` // "" is each
	// Doorbell is the CPU time that a thread needs to tell the device of its request,
	// while that is served already, by the number in flight, itself included, from 1 on;
	// the last holds for more. A device that is awake because of others need not be told:
	// leaving a virtual machine costs more than all the rest of a request; seconds.
	Doorbell []float64 `json:"doorbell_s,omitempty"`
	// Position is where requests go, 0…1 of the disk; not given: uniformly
	// anywhere.
	Position Distribution `json:"position,omitzero"`
	Origin   Origin       `json:"origin,omitzero"`
}

// LawCondition is what a service law is conditioned on.
type LawCondition string

// Conditions of service laws.
const (
	Overtaken LawCondition = "overtaken" // number of requests that overtook this one in the scheduler queue
	InFlight  LawCondition = "in_flight" // number of requests in the device, this one included
	Distance  LawCondition = "distance"  // how far the head moves, in thousandths of the disk
)

// ServiceLaw is P(t | type, x) for one request type: the law of the row with
// the largest X not above x, interpolated between rows where it has moments.
// Type "" is for every type that has no law of its own.
type ServiceLaw struct {
	Type  string       `json:"type,omitempty"`
	Given LawCondition `json:"given,omitempty"` // "" is Overtaken
	Rows  []ServiceRow `json:"rows"`            // ascending X, the first at 0 or 1
	// Position is where requests of this type go, 0…1 of the disk, such as
	// metadata to tables of their own; not given: as all of the disk.
	Position Distribution `json:"position,omitzero"`
}

// ServiceRow is one row of a conditional table.
type ServiceRow struct {
	X       int          `json:"x"`
	Time    Distribution `json:"time_s"`
	PerByte float64      `json:"per_byte_s,omitempty"` // added for every byte
	Samples int64        `json:"samples,omitempty"`
}

// Fairness is who gets a freed mutex, monitor or semaphore. At a barrier with Barging who goes on has to regain a lock, and
// lets the next one go; otherwise all go at once.
type Fairness string

// Fairness rules.
const (
	Fair    Fairness = "fair"    // FIFO hand-off (the default, also "")
	Barging Fairness = "barging" // a running thread may overtake the waiters
	GoMutex Fairness = "go"      // normal mode, starvation mode after a 1 ms wait
)

// Preference is the rule of a read-write lock.
type Preference string

// Rules of read-write locks.
const (
	GoRW       Preference = "go"         // a waiting writer blocks new readers; all waiting readers go when it is done (default, also "")
	JavaFair   Preference = "java_fair"  // FIFO
	JavaUnfair Preference = "java"       // readers barge unless the first waiter is a writer
	ReadFirst  Preference = "read_first" // readers never wait for waiting writers
)

// Lock is ⟨lid, ltype, lparam⟩, simulated by its semantics.
type Lock struct {
	ID         string     `json:"id"`
	Kind       LockKind   `json:"kind"`
	Fairness   Fairness   `json:"fairness,omitempty"`
	Preference Preference `json:"preference,omitempty"`
	Permits    int        `json:"permits,omitempty"`
	Parties    int        `json:"parties,omitempty"`
	Capacity   int        `json:"capacity,omitempty"` // may be Unbounded
	// Stream: who sends writes to a connection or pipe, and the system takes it that the writer is about to wait for an answer: who
	// receives is to run where the writer does, if no other core is free.
	Stream bool `json:"stream,omitempty"`
	// Spin is how long who waits at a barrier looks again and again, s, in place of giving up its core, if nobody else wants that: it
	// goes on at once when all have come. One of the parties is who calls for the others, and is one of these meanwhile: the CPU time
	// of looking is not counted for the first that waits.
	Spin float64 `json:"spin_s,omitempty"`
	// Instances > 1 is a striped lock: an acquiring operation picks one at
	// random (by Weights, if given); the releasing one frees what it holds.
	Instances int       `json:"instances,omitempty"`
	Weights   []float64 `json:"weights,omitempty"`
	Scope     Scope     `json:"scope,omitempty"`
	// SpeedUp divides the CPU time spent while the lock is held: "a faster lock".
	SpeedUp float64 `json:"speed_up,omitempty"` // 0 means 1
	Origin  Origin  `json:"origin,omitzero"`
}

// SyncOp is an operation on a lock (optype).
type SyncOp string

// Operations. Not every kind has every one; Validate says which.
const (
	Enter     SyncOp = "enter"      // mutex, monitor, rwlock (write); semaphore acquires N
	Exit      SyncOp = "exit"       // the release of Enter
	EnterRead SyncOp = "enter_read" // rwlock
	ExitRead  SyncOp = "exit_read"
	Await     SyncOp = "await"      // barrier, latch, phaser: arrive (not latch) and wait
	Arrive    SyncOp = "arrive"     // phaser: arrive without waiting
	Register  SyncOp = "register"   // phaser
	Leave     SyncOp = "leave"      // phaser: arrive and deregister
	CountDown SyncOp = "count_down" // latch: subtract N
	Add       SyncOp = "add"        // latch (WaitGroup): add N
	Wait      SyncOp = "wait"       // monitor, condition
	Notify    SyncOp = "notify"     // wake one
	NotifyAll SyncOp = "notify_all"
	Do        SyncOp = "do"      // once: the first goes on to Next and must call Done; others wait, then take OnTimeout or Next
	Done      SyncOp = "done"    // once
	Send      SyncOp = "send"    // channel, blocking queue
	Receive   SyncOp = "receive" // channel, blocking queue
	Close     SyncOp = "close"   // channel, queue; what every thread of a pool closes on all ways is closed by the last of them
	Select    SyncOp = "select"  // several channels or queues
	ParkOp    SyncOp = "park"
	Unpark    SyncOp = "unpark" // a waiting thread of the lock, oldest first
	Exchange  SyncOp = "exchange"
	Make      SyncOp = "make" // lock or queue of scope PerCall: the thread gets a new one
)

// Trigger is what starts a unit of background work.
type Trigger string

// Triggers of background work.
const (
	EveryPeriod  Trigger = "period"  // Interval is seconds of time
	EveryCPU     Trigger = "cpu"     // Interval is seconds of CPU time used by the model's threads, without assists: garbage collection
	EveryArrival Trigger = "arrival" // Interval is a number of arrivals: a load generator on the same machine
	WarmingUp    Trigger = "warmup"  // Stages say when: a compiler that works while the program runs
)

// Stage is a part of the work of a just-in-time compiler. Of those whose time has come
// the one is worked at that makes the program's threads faster by most, even if another was begun: parts are
// many methods, and compilers take what is executed most first. Their threads share the cores with those of the program, so
// that the more of these compute, the later the rest is done: beside n of
// them one compiler has the share c/(n+1) of a core of c ≤ n.
type Stage struct {
	// After is how much the program's threads must have done before there is
	// something to compile, in s of CPU that it takes them when all is compiled.
	After  float64 `json:"after_s,omitempty"`
	Demand float64 `json:"demand_s"` // CPU time of the stage, s
	// Slowdown is by how much longer the program's threads compute until the stage is
	// done, if those before it are: work takes them 1+Slowdown times as long. It never grows from stage to
	// stage, and what a stage is worth is what it has more than the next.
	Slowdown float64 `json:"slowdown,omitempty"`
	// Company is what every other core that computes for the program adds to
	// Slowdown meanwhile: what is not compiled counts how often it is executed, in memory
	// that its threads share. It never grows either.
	Company float64 `json:"company,omitempty"`
}

// Background is load on the CPU that no task of the model causes directly:
// garbage collection, JIT compilation, the load generator.
type Background struct {
	ID       string       `json:"id"`
	Trigger  Trigger      `json:"trigger"`
	Interval Distribution `json:"interval,omitzero"` // between units of work, by Trigger
	Demand   Distribution `json:"demand_s,omitzero"` // CPU time of one unit
	Stages   []Stage      `json:"stages,omitempty"`  // warmup: all units that there are, in place of Interval and Demand
	// Start is the CPU time of the model's threads before any of their code is slow: the
	// start of a run-time system that is compiled ahead itself. warmup only; s.
	Start   float64 `json:"start_s,omitempty"`
	Threads int     `json:"threads,omitempty"` // it is shared by this many threads; 0 means 1
	// Share limits the cores that it may use, as a fraction of all: Go's
	// collector takes a quarter. 0: no limit.
	Share float64 `json:"share,omitempty"`
	// Assist is the fraction of Demand that the threads that run meanwhile
	// pay themselves, in proportion to their CPU use.
	Assist float64 `json:"assist,omitempty"`
	// Pause stops all threads at the start of every unit. If PauseCores is set,
	// it is what stopping that many cores takes, and as it is the other cores
	// that have to be stopped, n cores take (n−1)/(PauseCores−1) of it.
	Pause      Distribution `json:"pause_s,omitzero"`
	PauseCores int          `json:"pause_cores,omitempty"`
	Weight     float64      `json:"weight,omitempty"`
	Scale      float64      `json:"scale,omitempty"` // multiplies Demand and that of the stages; 0 means 1
	Origin     Origin       `json:"origin,omitzero"`
}

// Work is the CPU time of all stages, in s.
func (b *Background) Work() float64 {
	sum := 0.0
	for _, s := range b.Stages {
		sum += s.Demand
	}
	return sum * orOne(b.Scale)
}
