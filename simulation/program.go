package simulation

import (
	"tierscope/core"
	"tierscope/simulation/des"
	"tierscope/simulation/resource"
	"tierscope/simulation/variate"
)

// none is the index of no element, fragment, thread or task.
const none int32 = -1

// program is a configured model compiled into arrays: the elements in canonical
// order (see identity.go), referring to each other by index. It is not changed
// by its replications, which may run in parallel.
type program struct {
	cpu        core.CPU
	spin       des.Time // of a round at a mutex; 0: threads wait at once
	classList  []classDef
	sources    []sourceDef
	objects    []objectDef // locks, then task queues
	firstQueue int32       // objects[firstQueue:] are task queues
	drained    []int64     // objects: what the recorded run sent to queues and channels, if it took all of that
	disks      []core.Disk
	caches     []cacheDef
	pools      []poolDef
	standIns   bool // the threads of a pool stand in for others
	fragments  []fragment
	graphs     []graphDef
	groups     []string // "GRAPH/NAME" of every group of fragments
	background []backgroundDef
	streams    []uint64 // identity of every random stream
	cpuStream  uint64   // identity from which the processor derives its streams
	diskStream []uint64
	measured   []quantity
	ending     bool // a run comes to an end by itself
	ranks      int  // distinct class priorities
	spawnPools int
	scripts    *scripts // nil: threads follow their graphs
}

type classDef struct {
	id   string
	rank int32 // 0 is served first
}

type sourceDef struct {
	id           string
	kind         core.SourceKind
	class        int32
	to           int32
	interarrival variate.Sampler
	think        variate.Sampler
	away         des.Time
	group        variate.Sampler
	grouped      bool
	count        int // 0: no end
	population   int
	times        []des.Time // replay, scaled
	period       des.Time   // replay: after which the times repeat
	stream       int32
	among        int32 // stream that draws one of several threads
}

// objectDef is a lock or a task queue.
type objectDef struct {
	id        string
	lock      core.Lock  // of a lock
	plain     bool       // as new when nobody holds it or waits for it
	queue     core.Queue // of a task queue
	isQueue   bool
	scope     core.Scope
	stripes   int32 // instances of a striped lock
	choose    variate.Alias
	monitor   int32 // of a condition variable: its lock
	speedUp   float64
	spin      des.Time // of who waits at a barrier
	tracked   bool     // threads remember that they hold it
	earliest  int      // most instances of a call made since one that is still used
	lends     bool     // who took how many permits is remembered
	capacity  float64
	rationed  bool // threads hold permits of it
	held      bool // by threads: at others they only wait, and how busy those are nobody can say
	patience  variate.Sampler
	impatient bool
	starts    int32   // task pool that takes from the queue, or none
	closers   []int32 // pools each of whose threads closes it: the last of them does
	stream    int32
}

type poolDef struct {
	id       string
	kind     core.PoolKind
	graph    int32
	size     int
	limit    int
	from     int32
	main     bool
	weight   float64
	spawn    int32 // number among the spawned pools
	standsIn bool
}

type graphDef struct {
	id      string
	entry   int32
	nesting int  // most loops that a thread is in at once
	begets  bool // its threads lead to more threads or tasks of their own kind
	// Its threads compute. Others stand for clocks, users, and what else is no thread of this machine, and need no core.
	computes bool
}

type backgroundDef struct {
	core.Background
	interval, demand, pause variate.Sampler
	stream                  int32
}

// followsWork reports whether units are due when the model has done some work.
func (d *backgroundDef) followsWork() bool {
	return d.Trigger == core.EveryCPU || d.Trigger == core.WarmingUp
}

// opcode is what a fragment does.
type opcode uint8

const (
	opCPU opcode = iota
	opDispatch
	opDelay
	opLock
	opSelect
	opIn
	opSend   // the current task to a queue
	opFinish // the current task to a sink
	opNew    // new tasks to a queue or sink
	opIO
	opLoop
	opMark // a dispatch fragment from which a timeout counts
	opSpawn
	opJoin
	opClose // a task queue
	opMake  // a new instance for this call
)

// fragment is a compiled code fragment.
type fragment struct {
	op        opcode
	try       bool // a timeout of 0
	timed     bool // a timeout
	exits     bool // some successor lies outside a loop that this fragment is in
	once      bool // the outcome First is Next, any other OnTimeout
	periodic  bool // a delay is until the next whole multiple
	timer     bool // of the run-time system ends it
	polled    bool // a delay is until a whole multiple since the fragment before began
	varies    bool // an enter draws how many permits it takes; an exit gives back what one took
	lockOp    resource.Op
	earlier   int // so many instances of a call were made since
	next      int32
	group     int32
	object    int32           // lock, queue, pool, disk
	cache     int32           // that a dispatch looks something up in, or none
	stream    int32           // for the parameter and the timeout
	parameter variate.Sampler // demand, delay, count
	targets   []int32
	choose    variate.Alias // of a successor, with targets
	taken     []int64       // how often each target was taken, if that gives their probabilities
	last      int32         // of the targets, the one that was taken last
	order     []core.Streak // of the targets, if that is known
	rounds    []core.Streak // of a loop, in their order, if that is known
	gathered  bool          // the loop goes round once for each task that the thread has taken since
	samples   int64         // observations behind the parameter
	factor    float64       // scale of disk counts

	timeout   variate.Sampler
	since     int32    // mark of the thread from which the timeout counts; none: from when it begins to wait
	marks     []marker // of opMark
	n         int32
	otherwise int32 // successor after a timeout, of nofetch; none: next
	through   int32 // of an in fragment: what follows its fetch, if that does nothing else
	body      int32 // of a loop
	class     int32 // of new tasks
	passTask  bool
	all       bool // join of everybody's threads
	cases     []selectCase
	fallback  int32   // default of a select
	inside    []int32 // of a loop: its fragments, ascending
	requests  []request
	graph     int32
	id        string
}

type selectCase struct {
	object  int32
	send    bool
	earlier int
	to      int32
	closed  int32 // successor when the channel is closed
}

type request struct {
	kind    int32
	fixed   int // how many, if that is a constant whole number; else −1
	count   variate.Sampler
	bytes   variate.Sampler
	samples int64 // observations behind count
	waits   bool
	inTurn  bool
}

func (p *program) quantities() []quantity { return p.measured }

func (p *program) classes() []string {
	out := make([]string, len(p.classList))
	for i, c := range p.classList {
		out[i] = c.id
	}
	return out
}

// terminating reports whether a run comes to an end by itself: a batch program.
func (p *program) terminating() bool { return p.ending }
