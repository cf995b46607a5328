package core

// FragmentClass is the class of a code fragment (Tarvo & Reiss 2014, §3).
type FragmentClass string

// Classes of fragments. Each names the only parameter field that it uses.
const (
	CPUFragment      FragmentClass = "cpu"      // Demand: computes
	IOFragment       FragmentClass = "io"       // IO: disk requests
	SyncFragment     FragmentClass = "sync"     // Sync: an operation on a lock
	InFragment       FragmentClass = "in"       // In: fetches a task from a queue
	OutFragment      FragmentClass = "out"      // Out: sends a task to a queue or sink
	FetchFragment    FragmentClass = "fetch"    // virtual successor of in: it got a task
	NoFetchFragment  FragmentClass = "nofetch"  // virtual successor of in: timeout, closed or empty
	DelayFragment    FragmentClass = "delay"    // Delay: sleeps, or waits for something outside the model
	LoopFragment     FragmentClass = "loop"     // Loop: an exact number of iterations
	SpawnFragment    FragmentClass = "spawn"    // Spawn: starts threads of a pool
	JoinFragment     FragmentClass = "join"     // Join: waits for threads that this thread started
	DispatchFragment FragmentClass = "dispatch" // no parameter: a branch that takes no time
)

// Fragment is a code fragment (CF): a node of a probabilistic call graph.
type Fragment struct {
	ID    string        `json:"id"`
	Class FragmentClass `json:"class"`

	Demand Distribution `json:"demand_s,omitzero"` // cpu: CPU time per execution
	Scale  float64      `json:"scale,omitempty"`   // multiplies Demand, Delay and disk counts; 0 means 1
	IO     *IO          `json:"io,omitempty"`
	Sync   *Sync        `json:"sync,omitempty"`
	In     *In          `json:"in,omitempty"`
	Out    *Out         `json:"out,omitempty"`
	Delay  Distribution `json:"delay_s,omitzero"` // delay
	// Periodic says that a delay is until the next whole multiple of itself, as that
	// of a ticker, which is not late because it was late the last time.
	Periodic bool `json:"periodic,omitempty"`
	// Timer says that a delay is until a time that the run-time system knows, not until something happens elsewhere: Go's looks
	// for those whose time has come when a P schedules, and where one has nothing to do, every millisecond.
	Timer bool `json:"timer,omitempty"`
	// Polled says that a delay is the rest of the last of the sleeps, each as long as
	// itself, by which the thread has waited for what the fragment before waits for.
	Polled bool   `json:"polled,omitempty"`
	Loop   *Loop  `json:"loop,omitempty"`
	Spawn  *Spawn `json:"spawn,omitempty"`
	Join   *Join  `json:"join,omitempty"`
	// Since is from when on the timeout of a sync or in fragment counts; nil: from when the thread begins to wait.
	Since *Since `json:"since,omitempty"`
	// Lookup makes a dispatch fragment a lookup in a cache.
	Lookup *Lookup `json:"lookup,omitempty"`

	// Next are the possible successors with their probabilities, which sum
	// to 1; none: the thread ends here. An in fragment has exactly one fetch
	// and at most one nofetch successor, without probabilities of choice (1
	// each): the queue decides.
	Next []Edge `json:"next,omitempty"`
	// Order are the indices of the transitions in Next as one thread has made them, where one
	// has made them all: a run that comes to an end by itself makes them in this order.
	Order []Streak `json:"order,omitempty"`

	// Context is the chain of library calls that led here, outermost first:
	// the node-splitting prefix of Tarvo & Reiss 2014, §4.3.1.
	Context []string `json:"context,omitempty"`
	Group   string   `json:"group,omitempty"` // fragments whose times are reported together
	Origin  Origin   `json:"origin,omitzero"`
	// Observed is what the measuring run saw, for "where does the error come from?".
	Observed Observed `json:"observed,omitzero"`
}

// Edge is a possible transition of control flow.
type Edge struct {
	To          string  `json:"to"`
	Probability float64 `json:"p"`
	Count       int64   `json:"count,omitempty"` // times observed
	// Last says that of the transitions observed out of the fragment this one was the
	// last. With it, and counts that give the probabilities, a run that comes to an end
	// by itself makes the same transitions in another order (simulation.Run).
	Last bool `json:"last,omitempty"`
}

// Streak is a value that was observed so many times in a row.
type Streak struct {
	Value int64 `json:"v"`
	Times int64 `json:"n"`
}

// Observed are the measuring run's figures for one fragment.
type Observed struct {
	Count    int64   `json:"count,omitempty"`
	MeanWall float64 `json:"mean_wall_s,omitempty"` // wall-clock time per execution
	MeanCPU  float64 `json:"mean_cpu_s,omitempty"`
	Rounds   float64 `json:"rounds,omitempty"` // of a loop, mean
	Source   string  `json:"source,omitempty"` // "thread clock", "wall clock", …
}

// IO is the parameter of an I/O fragment: Π_disk = ⟨dio₁ … dio_k⟩. Groups are
// issued one after the other.
type IO struct {
	Disk     string        `json:"disk"`
	Requests []RequestType `json:"requests"`
}

// RequestType is k requests of one type. k = 0 is a cache hit.
type RequestType struct {
	Type   string       `json:"type"`              // "read", "metadata", "readahead", "write", "flush"
	Count  Distribution `json:"count"`             // k per execution
	Bytes  Distribution `json:"bytes,omitzero"`    // size of each
	Async  bool         `json:"async,omitempty"`   // the thread does not wait (read-ahead, write-back)
	InTurn bool         `json:"in_turn,omitempty"` // the thread waits for each before it asks for the next one; otherwise all are asked for at once
}

// Sync is the parameter of a synchronization fragment: Π_sync = ⟨lid, optype, τ_out⟩.
type Sync struct {
	Lock    string       `json:"lock,omitempty"` // a lock, or a queue for Close
	Op      SyncOp       `json:"op"`
	Timeout Distribution `json:"timeout_s,omitzero"` // zero value: waits for ever; constant 0: a try
	N       int          `json:"n,omitempty"`        // permits, arrivals or delta; 0 means 1
	// Earlier says which one of a lock of scope PerCall: 0 the one that was made last, 1 the
	// one made before it. In a chain every thread waits at what the one before it has got.
	Earlier int `json:"earlier,omitempty"`
	// Permits stands for N where an enter of a semaphore asks for different
	// numbers: they are drawn. An exit that has it gives back what one enter took,
	// of its own thread if there is one, else the first of all.
	Permits Distribution `json:"permits,omitzero"`
	// Cases are the alternatives of a Select, tried in random order as Go
	// does; Default makes it non-blocking. The successor is the case's own.
	Cases   []SelectCase `json:"cases,omitempty"`
	Default string       `json:"default,omitempty"` // successor when no case is ready
	// OnTimeout is the successor after a timeout or failed try; "" is Next.
	OnTimeout string `json:"on_timeout,omitempty"`
	// Monitor is released while waiting on a condition variable that is a
	// lock of its own (Go's sync.Cond.L); "" when the lock is a monitor.
	Monitor string `json:"monitor,omitempty"`
}

// Since is from when on a timeout counts that runs on while its thread does something else, as that of who fills a batch: from
// when the thread last executed From, a dispatch fragment, or, if First is given, a dispatch or fetch fragment, from when it executed that
// for the first time since. Before that there is no timeout.
type Since struct {
	From  string `json:"from"`
	First string `json:"first,omitempty"`
}

// SelectCase is one communication of a select. Lock is a channel-kind lock,
// or a queue: receiving from a queue fetches its task, sending sends the
// current one.
type SelectCase struct {
	Lock string `json:"lock"`
	Op   SyncOp `json:"op"` // Send or Receive
	To   string `json:"to"` // successor fragment
	// Earlier is that of Sync.
	Earlier int `json:"earlier,omitempty"`
	// Closed is the successor of a Receive when the channel is closed and
	// empty; "" is To.
	Closed string `json:"closed,omitempty"`
}

// In is the parameter of a c_in fragment.
type In struct {
	Queue   string       `json:"queue"`
	Timeout Distribution `json:"timeout_s,omitzero"` // zero value: waits until the queue is closed; constant 0: a try
}

// Out is the parameter of a c_out fragment.
type Out struct {
	To string `json:"to"` // queue or sink
	// New sends a new task of Class (a child of the current one, if any)
	// instead of the current task.
	New     bool         `json:"new,omitempty"`
	Class   string       `json:"class,omitempty"`    // with New; "" is the model's first class
	Count   Distribution `json:"count,omitzero"`     // tasks per execution, zero value: 1 (with New only)
	Timeout Distribution `json:"timeout_s,omitzero"` // zero value: as the queue says
	// OnTimeout is the successor after a timeout or failed try, with the current task if that was to be sent; a new one is
	// lost. "" is Next.
	OnTimeout string `json:"on_timeout,omitempty"`
}

// Loop executes the path from Body back to this fragment exactly Count times
// (drawn once per entry), then goes on with Next.
type Loop struct {
	Count Distribution `json:"count"`
	Body  string       `json:"body"`
	Order []Streak     `json:"order,omitempty"` // the numbers as one thread has drawn them, as Fragment.Order
	// Gathered: a thread goes round once for each task that it has taken since it was here last, and Count is what the recorded ones did.
	Gathered bool `json:"gathered,omitempty"`
	// Limited: a thread may leave it earlier, by what a resource does. Count is the most that it goes round.
	Limited bool `json:"limited,omitempty"`
}

// Spawn starts Count threads of a spawned pool; the zero value starts the
// pool's Size. The thread starts with the current task when PassTask is set.
type Spawn struct {
	Pool     string       `json:"pool"`
	Count    Distribution `json:"count,omitzero"`
	PassTask bool         `json:"pass_task,omitempty"`
}

// Join waits until all threads of Pool that this thread has started (or, with
// All, that anybody has) have ended.
type Join struct {
	Pool    string       `json:"pool"`
	All     bool         `json:"all,omitempty"`
	Timeout Distribution `json:"timeout_s,omitzero"`
}
