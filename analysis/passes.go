package analysis

import (
	"tierscope/analysis/demand"
	"tierscope/analysis/guards"
	"tierscope/analysis/normalise"
	"tierscope/analysis/ownership"
	"tierscope/analysis/pcg"
	"tierscope/analysis/pools"
	"tierscope/analysis/tasks"
	"tierscope/analysis/trail"
	"tierscope/analysis/waits"
)

// Facet is one aspect of what is known of a program while its model is built. A pass may change
// what it makes and nothing else.
type Facet string

// Facets of the records, of the sequences that are made of them, and of what these mean.
const (
	Children   Facet = "children"   // records: waits for other processes
	Tickers    Facet = "tickers"    // records: threads that stand for tickers
	Onces      Facet = "onces"      // records: calls of a Once
	Counts     Facet = "counts"     // records: atomic counters and sections that share out work
	Conditions Facet = "conditions" // records: locks with conditions
	Messages   Facet = "messages"   // records: what is sent, received and closed
	Sleeps     Facet = "sleeps"     // records: sleeps, and joins in their place

	Pools    Facet = "pools"    // groups of threads
	Steps    Facet = "steps"    // what threads did, in their order
	Times    Facet = "times"    // CPU times of steps
	Objects  Facet = "objects"  // locks, channels and queues, with who uses them
	Requests Facet = "requests" // to disks, by step
	Modelled Facet = "modelled" // groups that get a graph
	Roles    Facet = "roles"    // c_in, c_out, fetch, nofetch, done
	Loops    Facet = "loops"    // with exact numbers of iterations
	Graphs   Facet = "graphs"   // transitions, counted
)

// Pass is one step from a recording to what the model is made of. It changes the facets that it
// makes; what it needs, or makes as well, must have been made by the passes before it.
type Pass struct {
	Name  string
	Does  string
	Needs []Facet
	Makes []Facet
	Run   func(*trail.Trail)
}

// Passes returns the passes in their order.
func Passes() []Pass {
	of := func(fs ...Facet) []Facet { return fs }
	return []Pass{
		{"children", "who waits for a process computes what it computed", of(), of(Children), normalise.Children},
		{"tickers", "a ticker that threads share is a thread that sends ticks", of(), of(Tickers), normalise.Tickers},
		{"onces", "calls of many Onces at one place are regions under locks", of(), of(Onces), normalise.Onces},
		{"polled permits", "sleeps until fewer threads are at work are a semaphore", of(), of(Counts, Sleeps), normalise.Permits},
		{"counters", "counters that share out work are queues", of(Onces), of(Counts, Messages), normalise.Counters},
		{"monitors", "lists under a lock with wait and notify are queues", of(Onces), of(Conditions, Messages), normalise.Monitors},
		{"timeouts", "receives in vain, one after the other, are one", of(Conditions), of(Messages), normalise.Timeouts},
		{"sentinels", "messages that end threads close the queue", of(Conditions), of(Messages), normalise.Sentinels},
		{"polled joins", "sleeps until threads have ended are joins", of(Messages), of(Sleeps), normalise.Joins},

		{"pools", "threads that have the same function form a pool", of(Children, Tickers, Onces, Counts, Conditions, Messages, Sleeps), of(Pools), pools.Threads},
		{"fragments", "records become sequences of code fragments", of(Pools), of(Steps, Times), pools.Fragments},
		{"disk requests", "requests to disks go to the operations that caused them", of(Steps), of(Requests), waits.AttributeRequests},
		{"stop flags", "loops that a variable or the clock ends ask a channel", of(Pools), of(Steps), guards.StopFlags},
		{"interference", "computing side by side is slower", of(Steps), of(Times), demand.Interference},
		{"coldness", "so is computing after a pause", of(Steps), of(Times), demand.Coldness},
		{"warm-up", "and what is not compiled yet", of(Steps), of(Times), demand.WarmUp},
		{"anchor", "CPU times become those of runs without probes", of(Steps), of(Times), demand.Anchor},

		{"objects", "objects that the same code uses are one lock or channel", of(Steps), of(Objects), ownership.Objects},
		{"calls", "channels that every call makes are the call's", of(Steps), of(Objects), ownership.FindCalls},
		{"task queues", "channels that carry tasks are told from those that carry tokens", of(Steps), of(Objects), tasks.Queues},
		{"closed together", "channels that are closed together are closed once", of(Objects), of(Steps), tasks.ClosedTogether},
		{"condition locks", "a condition belongs to the lock that its waiters hold", of(Steps), of(Objects), ownership.ConditionLocks},
		{"contention", "who waited for which lock, exactly", of(Objects), of(Steps), ownership.Contention},
		{"barriers", "home-made barriers become barriers", of(Pools), of(Steps, Objects), guards.FindBarriers},
		{"buffers", "home-made bounded queues become queues", of(Pools), of(Steps, Objects), guards.FindBuffers},
		{"work phase", "the work phase of a server, and the requests of its connections", of(Pools), of(Steps, Objects), tasks.WorkPhase},
		{"modelled", "groups that have a part in the work get a graph", of(Pools, Steps), of(Modelled, Times), pools.Modelled},
		{"thread trees", "trees of threads that start each other are started at once", of(Pools), of(Steps), pools.ThreadTrees},
		{"worklists", "threads started for what others found are started at once", of(Modelled, Objects), of(Steps), pools.Worklists},
		{"indices", "counters behind a lock that hand out work become queues", of(Modelled, Pools), of(Steps, Objects), guards.Indices},
		{"tokens", "channels made for every piece of work are taken as one", of(Pools), of(Steps, Objects), ownership.Tokens},
		{"lazy pools", "pools that grow with the work are there from the start", of(Modelled, Steps), of(Pools), pools.LazyPools},
		{"joins", "waits for the ends of threads are joins", of(Modelled, Objects, Pools), of(Steps), pools.MarkJoins},
		{"spawns", "bursts that start a pool are one spawn", of(Modelled), of(Steps, Pools), pools.MarkSpawns},
		{"one side", "objects of which the model has one side only are marked", of(Modelled, Steps), of(Objects), waits.OneSided},
		{"thread-tree locks", "locks of which each piece of work has its own belong to calls", of(Pools), of(Steps, Objects), ownership.ThreadTreeLocks},
		{"foreign conditions", "waits for another thread's object are delays", of(Pools, Steps), of(Objects), ownership.ForeignConditions},
		{"marks", "what is neither computation nor a lock goes", of(Modelled, Objects), of(Steps), waits.Marks},
		{"halves", "locks taken or freed without the other half go", of(Modelled, Objects), of(Steps), pcg.Halves},
		{"delays", "waits for the world outside become delays, those for disks I/O", of(Modelled, Objects, Requests, Pools), of(Steps), waits.Delays},
		{"roles", "channels that carry tasks: c_in, c_out, fetch, nofetch", of(Modelled, Objects), of(Steps, Roles), tasks.Roles},
		{"tasks", "a fetched task is passed on, or done at the end of its round", of(Modelled, Objects), of(Steps, Roles), tasks.Tasks},
		{"quiet regions", "regions that hardly anybody waits for go", of(Modelled, Objects), of(Steps), pcg.QuietRegions},
		{"folding", "insignificant computations join the next", of(Modelled, Roles, Objects), of(Steps, Times), pcg.Fold},
		{"under locks", "what is done holding different locks is told apart", of(Modelled, Objects), of(Steps), pcg.UnderLocks},
		{"exact loops", "counted loops are simulated with their count", of(Modelled, Roles, Objects), of(Steps, Loops), pcg.ExactLoops},
		{"graphs", "transitions are counted: equation (1)", of(Modelled, Steps, Times, Loops, Requests), of(Graphs), pcg.Graphs},
	}
}
