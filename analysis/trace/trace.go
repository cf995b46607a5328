package trace

import (
	"cmp"
	"slices"

	"tierscope/analysis/diskio"
	"tierscope/core/robust"
)

// Wake is the time in ns that a thread takes to run again on a core that has been idle for long.
func (t *Trace) Wake() int64 {
	c := t.Calibration
	return int64((MeanOf(c.WakeIdle) + MeanOf(c.Halt.Wake)) * 1e9)
}

// Start functions of the threads that stand for tickers, limiters, and what threads do by turns for others.
const (
	TickerStart  = "ticker"
	LimiterStart = "limiter"
	LeaderStart  = "leader"
)

// Trace is the record of an instrumented run (§4.3): every probe hit of every
// thread, in the order of that thread. It is the input of Build, the same for
// every front end.
type Trace struct {
	Program     string
	Language    string  // for those who read: what the front end is called
	Runtime     Runtime // what a model has to know of the language's run-time system
	Overhead    float64 // CPU of the instrumented run / plain run − 1; NaN: not measured
	OverheadOff float64 // the same with the probes built in but switched off: noise of code layout
	// Interference is the CPU time of the threads on all cores over that on one, for the
	// same work, − 1, where a recording lacks the Runs that show it. 0: none, or not measured.
	Interference float64
	// Alone is the CPU time of the process on one core, on which its run-time
	// system sets itself up for one, over that when it is told that there are as
	// many as there are, − 1, where a recording lacks the Runs that show it. 0: the same, or not measured.
	Alone float64 `json:",omitempty"`
	Runs  Runs    `json:",omitzero"`
	// Recorded is what this run cost in s of CPU, in all or per request answered,
	// and Plain what runs without probes cost, by turns with it. Empty: not
	// measured.
	Recorded float64   `json:",omitempty"`
	Plain    []float64 `json:",omitempty"`
	// RecordedSystem and PlainSystem are what threads of the run-time system, its
	// compilers and collectors, used of these costs. Empty: not measured.
	RecordedSystem float64   `json:",omitempty"`
	PlainSystem    []float64 `json:",omitempty"`
	// PlainAlone is what runs without probes cost on one core, by a run-time system that is told of all,
	// without what the system's own threads used. Empty: not measured.
	PlainAlone []float64 `json:",omitempty"`

	Warnings   []string
	Dropped    int64 // records lost
	Unmatched  int64 // operations that a panic or exit cut short, left out
	Muted      int64 // operations not recorded because their site is muted
	Cores      int   // cores the program could use (Go: Ps)
	WorkStart  int64 // ns: begin and end of the work phase; 0 and 0: the whole run
	WorkEnd    int64
	Begin      int64 // ns: begin and end of the recording
	Start      int64 `json:",omitempty"` // ns of CPU of the first thread until the run-time system had started the program
	End        int64
	ProcessCPU int64   // ns of CPU used by the whole process
	WorkCPU    int64   `json:",omitempty"` // the same in the work phase; 0: not measured
	Busier     *Busier `json:",omitempty"` // of a server; nil: not measured
	// Response is what clients of a server see in plain runs under the load of the recording; zero:
	// not measured.
	Response    ResponseTime `json:"ResponseTime,omitzero"`
	Threads     []Thread
	Sites       []Site   // by Record.Site
	Objects     []Object // locks, queues and channels that the run created or used
	Offers      []Offer  // by Record.Arg of the start of an OpSelect
	Marked      Schema   `json:",omitzero"`
	Options     []string `json:",omitempty"` // that the program takes with a value, given or not: -w/--workers, --effort; nil: not known
	GC          []Collection
	Compiler    []Compiling `json:",omitempty"` // compilers that make the final code while the program runs
	Compilers   int         `json:",omitempty"` // threads of these that worked at a time
	Calibration Calibration
	Disk        DiskRecording // the requests to disks during the run
}

// Runs are what runs of a batch program cost in s of CPU, made by turns on all cores and on one.
// Empty: not measured.
type Runs struct {
	All []float64 `json:",omitempty"` // recorded, the program's threads, as if all code had been compiled
	One []float64 `json:",omitempty"` // the same on one core, by a run-time system that is told of all
	// Told and Single are processes without probes on one core, by a run-time system that is told of
	// all cores and by one that sets itself up for one.
	Told   []float64 `json:",omitempty"`
	Single []float64 `json:",omitempty"`
}

// Busier is what requests cost under higher loads than that of the recording: CPU times
// relative to that under it.
type Busier struct {
	Factor float64 // of the rate
	Cost   float64 // under so many times the rate
	// Between is the cost under √Factor times the rate; 0: not measured.
	Between float64 `json:",omitempty"`
	// Saturated is the cost where users who ask again at once keep all cores busy; 0:
	// not measured.
	Saturated float64 `json:",omitempty"`
	// Usual and Responses are the costs, in s of CPU per request, and the response times of the runs under the usual load.
	Usual     []float64      `json:",omitempty"`
	Responses []ResponseTime `json:"ResponseTimes,omitempty"`
}

// ResponseTime is the time from request to answer, s.
type ResponseTime struct{ Median, Mean float64 }

// MedianResponse is that of the run in the middle: as measurements are told, with which a prediction is compared.
func MedianResponse(runs []ResponseTime) ResponseTime {
	of := func(part func(ResponseTime) float64) float64 {
		var all []float64
		for _, r := range runs {
			all = append(all, part(r))
		}
		return robust.Median(all)
	}
	return ResponseTime{of(func(r ResponseTime) float64 { return r.Median }), of(func(r ResponseTime) float64 { return r.Mean })}
}

// DiskRecording is what a recorder of package diskio saw, times in ns of the
// trace's clock.
type DiskRecording struct {
	Recorder string           `json:",omitempty"` // "": none, there is only Record.Read
	Lacks    []string         `json:",omitempty"` // what the recorder cannot see, or why there is none
	Requests []diskio.Request `json:",omitempty"`
	Devices  []diskio.Device  `json:",omitempty"`
}

// Thread is one thread or goroutine of the run.
type Thread struct {
	ID      int64
	Name    string
	Start   string // start function
	Creator int32  // site of creation, −1: unknown (main, runtime)
	Parent  int64  // thread that created it, 0: none
	System  bool   // belongs to the language's run-time system
	Guest   bool   `json:",omitempty"` // works beside the threads of a pool while it waits for them, and is none of those that the pool was given
	Host    bool   `json:",omitempty"` // stands for what the thread that started the others of its kind does of their work
	Born    int64  // ns
	Ended   int64  // ns, 0: alive at the end
	Records []Record
}

// Record is a probe hit. Start and end probes of an operation come in pairs;
// Record.End tells which this is.
type Record struct {
	Time   int64 // ns, one clock for all threads
	CPU    int64 // ns of CPU that the thread has used so far, user and kernel, without Assist; never time off the core
	Sys    int64 // wall-clock ns inside system calls so far: minus the CPU used there, it is time in devices or other programs
	Assist int64 // ns of CPU of collector assists so far
	Ready  int64 // ns that it was ready to run but had no core (Go: no P) so far; 0 throughout: not recorded
	Site   int32 // where: index into Trace.Sites
	Op     Op
	End    bool
	Object uint64 // lock, queue, file, connection; 0: none
	Arg    int64  // start: argument (timeout ns, N, bytes, capacity, index into Offers); end: result (bytes or −1, 1 got / 0 not, case chosen, of an OpExternal: ns of CPU of the process that it waited for)
	Value  uint64 // identity of the value moved, the same at sender and receiver; 0: none (closed, failed) or unknown
	OS     int32  // end of an operation on files: the system's number of the thread that executed it; 0: not recorded
	Read   int64  // end of an operation on files: bytes that the thread caused to be read from disks in it (ru_inblock)
}

// Site is a code location with the calls that led to it.
type Site struct {
	Frames   []Frame // innermost (the call of the operation) first, outermost last
	Fragment string  `json:",omitempty"` // that a programmer marked, and in which it lies; "": none
}

// Frame is one call.
type Frame struct {
	Function string `json:"function,omitempty"` // package-qualified
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Std      bool   `json:"std,omitempty"` // in the language's standard library or run-time system
	At       int    `json:"at,omitempty"`  // tells the places of a line apart (Java: index of the bytecode); 0: they are not
}

// Stream is the kind of an object that stands for one direction of a connection or pipe between threads of the program.
const Stream = "stream"

// Pipe is the kind of a descriptor that is known to be one end of a pipe.
const Pipe = "pipe"

// Team is the kind of a barrier of a team of OpenMP: its threads look again and again whether all have come, before they sleep.
const Team = "team"

// Loop is the kind of an object that stands for the connections that one thread serves by turns, and no other does.
const Loop = "loop"

// Object is a lock, queue or channel with what its constructor said.
type Object struct {
	ID       uint64
	Kind     string // "chan", "mutex", "rwmutex", "waitgroup", "cond", "once", "semaphore", "pool", "file", "conn", …
	Capacity int64  // channel capacity, permits, parties; −1: unknown or without
	Elem     int64  // bytes of an element of a channel or queue; 0: it carries signals, not data
	Site     int32  // of creation; −1: unknown
	Time     int64  // of creation, ns; 0: unknown
	Parent   uint64 // object that holds it (a Cond's lock), 0: none
	Ticks    bool   `json:",omitempty"` // the run-time system sends to it again and again: a ticker
	Sets     []Set  `json:",omitempty"` // of its timer, in the order of time, where that is known
}

// Set is the setting of a timer that sends to a channel.
type Set struct {
	At, For int64 // ns
	Site    int32
}

// SetBefore is the last setting of the timer until a time; nil: none is known.
func (o *Object) SetBefore(now int64) *Set {
	i, _ := slices.BinarySearchFunc(o.Sets, now+1, func(s Set, at int64) int { return cmp.Compare(s.At, at) })
	if i == 0 {
		return nil
	}
	return &o.Sets[i-1]
}

// Offer is what a select offers to do.
type Offer struct {
	Cases   []Case
	Default bool // takes the default case, −1, rather than wait
}

// Case is an operation on a channel that a select offers.
type Case struct {
	Object uint64 // 0: a nil channel, never ready
	Send   bool
}

// Collection is one cycle of the garbage collector.
type Collection struct {
	Start, End int64 // ns
	CPU        int64 // ns used by the collector's own threads, without Idle
	Idle       int64 // ns used by them on cores that had nothing else to do
	Assist     int64 // ns paid by the program's threads
	Pause      int64 // ns with all threads stopped
	Live       int64 // bytes reachable after it
	Heap       int64 // bytes allocated when it began
}

// Calibration are costs of the machine and run-time system, measured by a
// short microbenchmark and stored with the model.
type Calibration struct {
	Machine      string
	Cores        int
	WakeIdle     []float64 // seconds, samples: readied → running on an idle core
	Halt         Halt      `json:",omitzero"` // of an idle core
	WakeLocal    []float64 // seconds: on the waker's own core
	WakeQueued   []float64 `json:",omitempty"` // seconds: readied → running on an idle core that finds it in a queue; none: as WakeIdle
	WakerCost    []float64 // seconds of CPU of the waker
	Switch       float64   // seconds
	Spin         float64   `json:",omitempty"` // seconds of one round of spinning at a mutex; 0: it is not known, or threads do not
	ProbeCost    float64   // seconds a record costs, subtracted by Build
	Quantum      float64   // seconds, time slice of equal CPU-bound threads
	TimerLatency []float64 // seconds that a sleep takes too long
	CollectCycle float64   // seconds of CPU of a collection with next to nothing to mark
	CollectByte  float64   // seconds of CPU that each live byte adds, small objects full of pointers
}

// Halt is how a core that has nothing to do falls asleep (core.Halt).
type Halt struct {
	After  float64   // seconds of idleness
	Wake   []float64 // seconds, samples: by which its wake-up takes longer then. Empty: not at all
	Adapts bool      // how long it looks for work before is learnt
}

// Op is the operation that a pair of probes surrounds.
type Op uint8

// Operations. The classes that they become are in ops.go.
const (
	OpNone Op = iota
	OpThreadBegin
	OpThreadEnd
	OpSpawn     // Value: id of the new thread
	OpJoin      // Value: id of the thread waited for
	OpTaskBegin // mark of a load generator or server: a request begins; Value: its identity
	OpTaskEnd
	OpSend          // channel or blocking queue
	OpReceive       // end Arg: 1 got one, 0 closed
	OpTrySend       // select with one case and default
	OpTryReceive    // end Arg: 1 got one, 0 empty, 2 closed
	OpSelect        // start Arg: index into Trace.Offers; end Arg: index of the case taken (−1: default); Object: its channel
	OpClose         //
	OpLock          // mutex, monitor, write lock
	OpTryLock       // end Arg: 1 got it
	OpUnlock        //
	OpRLock         //
	OpTryRLock      //
	OpRUnlock       //
	OpAdd           // WaitGroup, Arg: delta
	OpDone          //
	OpWaitGroup     // WaitGroup.Wait, latch await
	OpCondWait      //
	OpSignal        //
	OpBroadcast     //
	OpOnce          // end Arg: 1 it ran the function
	OpAcquire       // semaphore, Arg: permits
	OpTryAcquire    //
	OpRelease       //
	OpBarrier       // Arg: parties
	OpPark          // also: waited at a lock whose probes are muted, Object
	OpUnpark        //
	OpSleep         // Arg: ns
	OpYield         //
	OpOpen          // file operations
	OpStat          //
	OpFileRead      // end Arg: bytes
	OpFileWrite     //
	OpFileSync      //
	OpFileClose     //
	OpReadDir       //
	OpFileChange    // remove, rename, mkdir
	OpAccept        // network operations
	OpConnect       //
	OpNetRead       // end Arg: bytes
	OpNetWrite      //
	OpNetClose      //
	OpMake          // constructor of Object, Arg: capacity
	OpExternal      // a call that leaves the program: database, cgo
	OpFileSend      // sendfile: from a file to a connection
	OpCount         // atomic addition to a counter, start Arg: what is added; end Arg: the value before or after
	OpRest          // of the last sleep of a poll, start Arg: ns of a sleep
	OpFragmentBegin // mark of a programmer: the fragment of its site begins
	OpFragmentEnd   //
)

// ThreadTime is the CPU time that the program's threads used, in s.
func (t *Trace) ThreadTime() float64 {
	sum := int64(0)
	for i := range t.Threads {
		if rs := t.Threads[i].Records; len(rs) > 0 {
			sum += rs[len(rs)-1].CPU
		}
	}
	return float64(sum) * 1e-9
}

// Slack is the time in ns that an operation may take without having waited:
// probes, a cache miss, a clock read. Convention, sensitivity none.
const Slack = 2_000

// Compiling is what the compilers that make the final code did in an interval.
type Compiling struct {
	Start, End int64 // ns
	CPU        int64 // ns
	Ready      int64 // ns that they were ready without a core
}
