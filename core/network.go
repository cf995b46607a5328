package core

import "cmp"

// Class is a kind of task with its own statistics. A model without classes
// has one, "task".
type Class struct {
	ID       string `json:"id"`
	Priority int    `json:"priority,omitempty"` // higher is served first by priority queues
}

// Largest numbers of a valid model: beyond them a typing error is likelier than
// a machine, and a simulator would ask for all memory.
const (
	MostCores   = 1 << 14
	MostThreads = 1 << 20 // of a pool
	MostUsers   = 1 << 24 // of a closed source
)

// DefaultClass is the id of the only class of a model that defines none.
const DefaultClass = "task"

// Sent returns the classes of the tasks that come from sources; of those pools
// make tasks of the others.
func (m *Model) Sent() map[string]bool {
	out := map[string]bool{}
	for _, s := range m.Sources {
		class := s.Class
		if class == "" && len(m.Classes) > 0 {
			class = m.Classes[0].ID
		}
		out[cmp.Or(class, DefaultClass)] = true
	}
	return out
}

// SourceKind is how tasks come into being.
type SourceKind string

// Kinds of sources.
const (
	Poisson       SourceKind = "poisson"       // exponential interarrival times, mean 1/Rate
	Deterministic SourceKind = "deterministic" // constant interarrival time 1/Rate
	Renewal       SourceKind = "renewal"       // interarrival times from Interarrival, scaled to Rate when Rate > 0
	Replay        SourceKind = "replay"        // arrivals at Times, time scaled so that the mean rate is Rate when Rate > 0
	Closed        SourceKind = "closed"        // Population users; each thinks, sends a task, waits for it to leave
	Batch         SourceKind = "batch"         // Count tasks at time 0
)

// Source generates tasks of one class and puts them into a queue.
type Source struct {
	ID           string       `json:"id"`
	Kind         SourceKind   `json:"kind"`
	Class        string       `json:"class,omitempty"`         // "" is the model's first class
	To           string       `json:"to"`                      // queue
	Rate         float64      `json:"rate_per_s,omitempty"`    // tasks per second
	Interarrival Distribution `json:"interarrival_s,omitzero"` // Renewal
	Times        []float64    `json:"times_s,omitempty"`       // Replay, ascending; repeated when they run out
	Population   int          `json:"population,omitempty"`    // Closed
	Think        Distribution `json:"think_s,omitzero"`        // Closed; zero value: no think time
	Count        int          `json:"count,omitempty"`         // Batch; also ends the other kinds after Count tasks when > 0
	GroupSize    Distribution `json:"group_size,omitzero"`     // tasks per arrival, zero value: 1
	// Away is how long a task is outside of the program, on its way there and back: part
	// of its response time, and the same under any load, s.
	Away float64 `json:"away_s,omitempty"`
}

// Discipline is the order in which a queue serves its tasks.
type Discipline string

// Queue disciplines.
const (
	FIFO     Discipline = "fifo"
	LIFO     Discipline = "lifo"
	Priority Discipline = "priority" // by class priority, FIFO within a class
)

// FullPolicy is what happens to a task that finds its queue full.
type FullPolicy string

// Policies of a full queue.
const (
	Block   FullPolicy = "block"   // the sender waits; a source holds the task back
	Drop    FullPolicy = "drop"    // the task is lost and counted
	Timeout FullPolicy = "timeout" // the sender waits at most FullTimeout, then the task is lost
)

// Unbounded is the capacity of a queue without limit.
const Unbounded = -1

// Scope says how many copies of a queue or lock exist at run time.
type Scope string

// Scopes.
const (
	PerProgram Scope = "program" // one (the default, also written as "")
	PerTask    Scope = "task"    // one for every task, made on first use, such as a reply channel
	PerThread  Scope = "thread"  // one for every thread; a source sends to that of one thread or another, at random
	PerCall    Scope = "call"    // one for every Make, for the thread that executes it and those that it starts from then on
)

// Queue is a task queue, buffer or channel that carries tasks between pools.
type Queue struct {
	ID          string       `json:"id"`
	Capacity    int          `json:"capacity"`             // tasks; 0 hands over directly (an unbuffered channel); Unbounded
	Discipline  Discipline   `json:"discipline,omitempty"` // "" is FIFO
	WhenFull    FullPolicy   `json:"when_full,omitempty"`  // "" is Block
	FullTimeout float64      `json:"full_timeout_s,omitempty"`
	Patience    Distribution `json:"patience_s,omitzero"` // a task that waits longer leaves, lost; zero value: never
	Scope       Scope        `json:"scope,omitempty"`
	Origin      Origin       `json:"origin,omitzero"`
}

// PoolKind is how the threads of a pool come into being.
type PoolKind string

// Kinds of pools.
const (
	FixedPool PoolKind = "fixed"    // Size threads exist from the start
	SpawnPool PoolKind = "spawned"  // threads are started by spawn fragments
	TaskPool  PoolKind = "per_task" // a thread is started for every task that enters queue From
)

// Pool is a set of threads that walk the same graph. What they do takes a core, also what takes no CPU time; those of a
// graph without computations are clocks, or users, and need none.
type Pool struct {
	ID    string   `json:"id"`
	Kind  PoolKind `json:"kind,omitempty"` // "" is FixedPool
	Graph string   `json:"graph"`
	Size  int      `json:"size,omitempty"`  // threads: of a fixed pool, or started by one spawn fragment without a count
	Limit int      `json:"limit,omitempty"` // most threads alive at once, 0 is no limit; a spawn beyond it waits
	From  string   `json:"from,omitempty"`  // TaskPool: the queue whose tasks start threads
	// Main marks the pool whose end is the end of a batch program: the
	// makespan is when its last thread ends.
	Main   bool    `json:"main,omitempty"`
	Weight float64 `json:"weight,omitempty"` // CPU share relative to 1; 0 means 1
	// StandsIn marks threads that stand for what others do by turns, for all: who finds one of them idle goes on as that one, and
	// goes on as itself with the answer, without a wake-up.
	StandsIn bool   `json:"stands_in,omitempty"`
	Origin   Origin `json:"origin,omitzero"`
}

// Sink takes finished tasks out of the model and records their response time.
type Sink struct {
	ID string `json:"id"`
}

// Origin says where in the program an element was found.
type Origin struct {
	Function string `json:"function,omitempty"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Note     string `json:"note,omitempty"` // how it was recognised, what the value was taken from
}
