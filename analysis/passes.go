package analysis

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
	Run   func(*build)
}

// Passes returns the passes in their order.
func Passes() []Pass {
	of := func(fs ...Facet) []Facet { return fs }
	return []Pass{
		{"children", "who waits for a process computes what it computed", of(), of(Children), (*build).childrenCompute},
		{"tickers", "a ticker that threads share is a thread that sends ticks", of(), of(Tickers), (*build).sharedTickers},
		{"onces", "calls of many Onces at one place are regions under locks", of(), of(Onces), (*build).onceCalls},
		{"polled permits", "sleeps until fewer threads are at work are a semaphore", of(), of(Counts, Sleeps), (*build).polledPermits},
		{"counters", "counters that share out work are queues", of(Onces), of(Counts, Messages), (*build).counterQueues},
		{"monitors", "lists under a lock with wait and notify are queues", of(Onces), of(Conditions, Messages), (*build).monitorQueues},
		{"timeouts", "receives in vain, one after the other, are one", of(Conditions), of(Messages), (*build).waitOnce},
		{"sentinels", "messages that end threads close the queue", of(Conditions), of(Messages), (*build).closeSentinels},
		{"polled joins", "sleeps until threads have ended are joins", of(Messages), of(Sleeps), (*build).polledJoins},

		{"pools", "threads that have the same function form a pool", of(Children, Tickers, Onces, Counts, Conditions, Messages, Sleeps), of(Pools), (*build).poolThreads},
		{"fragments", "records become sequences of code fragments", of(Pools), of(Steps, Times), (*build).fragments},
		{"disk requests", "requests to disks go to the operations that caused them", of(Steps), of(Requests), (*build).attributeRequests},
		{"stop flags", "loops that a variable or the clock ends ask a channel", of(Pools), of(Steps), (*build).toldLoops},
		{"interference", "computing side by side is slower", of(Steps), of(Times), (*build).removeInterference},
		{"coldness", "so is computing after a pause", of(Steps), of(Times), (*build).removeColdness},
		{"warm-up", "and what is not compiled yet", of(Steps), of(Times), (*build).removeWarmup},
		{"anchor", "CPU times become those of runs without probes", of(Steps), of(Times), (*build).anchor},

		{"objects", "objects that the same code uses are one lock or channel", of(Steps), of(Objects), (*build).findResources},
		{"calls", "channels that every call makes are the call's", of(Steps), of(Objects), (*build).findCalls},
		{"task queues", "channels that carry tasks are told from those that carry tokens", of(Steps), of(Objects), (*build).findTaskQueues},
		{"closed together", "channels that are closed together are closed once", of(Objects), of(Steps), (*build).closeOnce},
		{"condition locks", "a condition belongs to the lock that its waiters hold", of(Steps), of(Objects), (*build).findMonitors},
		{"contention", "who waited for which lock, exactly", of(Objects), of(Steps), (*build).findWaits},
		{"barriers", "home-made barriers become barriers", of(Pools), of(Steps, Objects), (*build).findBarriers},
		{"buffers", "home-made bounded queues become queues", of(Pools), of(Steps, Objects), (*build).findBuffers},
		{"work phase", "the work phase of a server, and the requests of its connections", of(Pools), of(Steps, Objects), (*build).startAndWork},
		{"modelled", "groups that have a part in the work get a graph", of(Pools, Steps), of(Modelled, Times), (*build).chooseGroups},
		{"thread trees", "trees of threads that start each other are started at once", of(Pools), of(Steps), (*build).bags},
		{"worklists", "threads started for what others found are started at once", of(Modelled, Objects), of(Steps), (*build).worklists},
		{"indices", "counters behind a lock that hand out work become queues", of(Modelled, Pools), of(Steps, Objects), (*build).shareCounters},
		{"tokens", "channels made for every piece of work are taken as one", of(Pools), of(Steps, Objects), (*build).poolTokens},
		{"lazy pools", "pools that grow with the work are there from the start", of(Modelled, Steps), of(Pools), (*build).lazyPools},
		{"joins", "waits for the ends of threads are joins", of(Modelled, Objects, Pools), of(Steps), (*build).markJoins},
		{"spawns", "bursts that start a pool are one spawn", of(Modelled), of(Steps, Pools), (*build).markSpawns},
		{"one side", "objects of which the model has one side only are marked", of(Modelled, Steps), of(Objects), (*build).markOneSided},
		{"thread-tree locks", "locks of which each piece of work has its own belong to calls", of(Pools), of(Steps, Objects), (*build).makeLineages},
		{"foreign conditions", "waits for another thread's object are delays", of(Pools, Steps), of(Objects), (*build).markForeign},
		{"marks", "what is neither computation nor a lock goes", of(Modelled, Objects), of(Steps), (*build).settle},
		{"halves", "locks taken or freed without the other half go", of(Modelled, Objects), of(Steps), (*build).dropHalves},
		{"delays", "waits for the world outside become delays, those for disks I/O", of(Modelled, Objects, Requests, Pools), of(Steps), (*build).markWaits},
		{"roles", "channels that carry tasks: c_in, c_out, fetch, nofetch", of(Modelled, Objects), of(Steps, Roles), (*build).markRoles},
		{"tasks", "a fetched task is passed on, or done at the end of its round", of(Modelled, Objects), of(Steps, Roles), (*build).markTasks},
		{"quiet regions", "regions that hardly anybody waits for go", of(Modelled, Objects), of(Steps), (*build).dropQuiet},
		{"folding", "insignificant computations join the next", of(Modelled, Roles, Objects), of(Steps, Times), (*build).foldComputations},
		{"under locks", "what is done holding different locks is told apart", of(Modelled, Objects), of(Steps), (*build).splitByLocks},
		{"exact loops", "counted loops are simulated with their count", of(Modelled, Roles, Objects), of(Steps, Loops), (*build).exactLoops},
		{"graphs", "transitions are counted: equation (1)", of(Modelled, Steps, Times, Loops, Requests), of(Graphs), (*build).countGraphs},
	}
}
