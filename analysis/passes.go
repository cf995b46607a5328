package analysis

import (
	"errors"
	"fmt"
	"slices"

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

// Pass is one step from a recording to what the model is made of. It changes the facets that it
// makes and nothing else, and reads those and the ones that it needs: two passes of which neither
// makes what the other one makes or needs may be swapped.
type Pass struct {
	Name  string
	Does  string
	Needs []trail.Facet
	Makes []trail.Facet
	Run   func(*trail.Trail)
}

// MayBeSwapped reports whether the order of two passes is of no matter.
func MayBeSwapped(p, q Pass) bool {
	touches := func(p, q Pass) bool {
		return slices.ContainsFunc(p.Makes, func(f trail.Facet) bool { return slices.Contains(q.Makes, f) || slices.Contains(q.Needs, f) })
	}
	return !touches(p, q) && !touches(q, p)
}

// usedBy reports whether the uses of resources are others when a facet is.
func usedBy(f trail.Facet) bool {
	return f == trail.Pools || f == trail.Steps || f == trail.Objects
}

// apply runs a pass. On demand it says what the pass broke: the representation, or its word.
func apply(tr *trail.Trail, p Pass) error {
	var before map[trail.Facet]uint64
	if tr.Options.CheckPasses {
		before = tr.Digests()
	}
	p.Run(tr)
	if tr.Err != nil {
		return fmt.Errorf("build: %w", tr.Err)
	}
	if slices.ContainsFunc(p.Makes, usedBy) {
		tr.CollectUses()
	}
	if !tr.Options.CheckPasses {
		return nil
	}
	errs := []error{tr.Check()}
	for _, f := range trail.Changed(before, tr.Digests()) {
		if !slices.Contains(p.Makes, f) {
			errs = append(errs, fmt.Errorf("it changed the %s, which it does not make", f))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("build: pass %q: %w", p.Name, err)
	}
	return nil
}

// Passes returns the passes in their order.
func Passes() []Pass {
	of := func(fs ...trail.Facet) []trail.Facet { return fs }
	return []Pass{
		{"children", "who waits for a process computes what it computed",
			of(), of(trail.Threads, trail.Regions, trail.Conditions, trail.Counters, trail.Messages, trail.Sleeps), normalise.Children},
		{"rendezvous", "threads that yield or sleep until the last of them has come meet at a barrier",
			of(), of(trail.Threads), normalise.Rendezvous},
		{"hosts", "who starts threads and works as they do starts one more",
			of(), of(trail.Threads, trail.Regions, trail.Conditions, trail.Counters, trail.Messages, trail.Sleeps), normalise.Hosts},
		{"tickers", "a ticker, clock or bucket of tokens that threads share is a thread that sends ticks",
			of(trail.Messages, trail.Regions), of(trail.Threads, trail.Regions, trail.Messages, trail.Sleeps), normalise.Tickers},
		{"onces", "calls of many Onces at one place are regions under locks",
			of(), of(trail.Regions), normalise.Onces},
		{"latches", "channels that their makers close when a value is there are waits for it, if most find it there",
			of(trail.Messages), of(trail.Threads, trail.Messages), normalise.Latches},
		{"lazy makes", "channels that are made by whoever asks first are made by who started all that use them",
			of(trail.Threads, trail.Messages), of(trail.Messages), normalise.LazyMakes},
		{"semaphore queues", "two semaphores that pass things on are a bounded queue",
			of(), of(trail.Regions, trail.Counters, trail.Messages), normalise.SemaphoreQueues},
		{"counters", "counters that share out work are queues",
			of(trail.Regions, trail.Conditions), of(trail.Counters, trail.Messages), normalise.Counters},
		{"inboxes", "a lock with which a thread is given work, one thing at a time, is a queue of its own",
			of(), of(trail.Regions, trail.Conditions, trail.Counters, trail.Messages), normalise.Inboxes},
		{"monitors", "lists under a lock with wait and notify are queues or semaphores",
			of(), of(trail.Regions, trail.Conditions, trail.Counters, trail.Messages), normalise.Monitors},
		{"leaders", "what threads do by turns for all that wait is done by a thread of its own",
			of(trail.Regions, trail.Conditions), of(trail.Threads, trail.Regions, trail.Conditions, trail.Messages), normalise.Leaders},
		{"streams", "what threads write to each other through connections is messages",
			of(), of(trail.Threads, trail.Messages, trail.Sleeps), normalise.Streams},
		{"event loops", "requests enter where a thread reads them that serves many connections by turns",
			of(trail.Messages), of(trail.Threads), normalise.EventLoops},
		{"timeouts", "receives in vain, one after the other, are one",
			of(trail.Threads), of(trail.Messages, trail.Sleeps), normalise.Timeouts},
		{"backlogs", "who holds what it takes, and passes it on in another order, passes it on as it gets it",
			of(), of(trail.Threads, trail.Messages), normalise.Backlogs},
		{"sentinels", "messages that end threads close the queue",
			of(trail.Threads, trail.Sleeps), of(trail.Messages), normalise.Sentinels},
		{"polled joins", "sleeps until threads have ended are joins",
			of(), of(trail.Sleeps, trail.Threads), normalise.Joins},

		{"pools", "threads that have the same function form a pool",
			of(trail.Threads, trail.Messages), of(trail.Pools), pools.Threads},
		{"fragments", "records become sequences of code fragments",
			of(trail.Pools, trail.Threads, trail.Regions, trail.Conditions, trail.Counters, trail.Messages, trail.Sleeps), of(trail.Steps, trail.Times, trail.Waited), pools.Fragments},
		{"disk requests", "requests to disks go to the operations that caused them",
			of(trail.Steps), of(trail.Requests), waits.AttributeRequests},
		{"stop flags", "loops that a variable or the clock ends ask a channel",
			of(trail.Pools), of(trail.Steps, trail.Times, trail.Waited), guards.StopFlags},
		{"interference", "computing side by side is slower",
			of(trail.Steps), of(trail.Times), demand.Interference},
		{"coldness", "so is computing after a pause",
			of(trail.Steps), of(trail.Times), demand.Coldness},
		{"warm-up", "and what is not compiled yet",
			of(trail.Steps), of(trail.Times), demand.WarmUp},
		{"anchor", "CPU times become those of runs without probes",
			of(trail.Steps), of(trail.Times), demand.Anchor},

		{"objects", "objects that the same code uses are one lock or channel",
			of(trail.Pools), of(trail.Objects, trail.Scopes, trail.Steps), ownership.Objects},
		{"found results", "waits of a pool for results of its own that are always there say nothing",
			of(trail.Pools, trail.Objects), of(trail.Steps, trail.Times, trail.Waited), waits.Found},
		{"calls", "channels that every call makes are the call's",
			of(trail.Steps, trail.Objects), of(trail.Scopes), ownership.FindCalls},
		{"task queues", "channels that carry tasks are told from those that carry tokens",
			of(trail.Steps, trail.Objects, trail.Scopes), of(trail.Carries), tasks.Queues},
		{"closed together", "channels that are closed together are closed once",
			of(trail.Objects, trail.Scopes, trail.Carries), of(trail.Steps, trail.Times, trail.Waited), tasks.ClosedTogether},
		{"condition locks", "a condition belongs to the lock that its waiters hold",
			of(trail.Steps, trail.Objects), of(trail.Guarded), ownership.ConditionLocks},
		{"contention", "who waited for which lock, exactly",
			of(trail.Steps, trail.Objects), of(trail.Waited), ownership.Contention},
		{"barriers", "home-made barriers become barriers",
			of(trail.Pools), of(trail.Steps, trail.Times, trail.Waited, trail.Objects, trail.Guarded), guards.FindBarriers},
		{"outstanding", "home-made counts of what is not done yet become latches",
			of(trail.Pools, trail.Guarded), of(trail.Steps, trail.Times, trail.Waited, trail.Objects, trail.Guarded), guards.FindOutstanding},
		{"buffers", "home-made bounded queues become queues",
			of(trail.Pools, trail.Guarded), of(trail.Steps, trail.Times, trail.Waited, trail.Objects, trail.Scopes, trail.Carries), guards.FindBuffers},
		{"gates", "cases of selects that are shut while nothing is to be sent or expected ask for permits",
			of(trail.Pools, trail.Carries), of(trail.Steps, trail.Times, trail.Waited, trail.Objects, trail.Scopes), guards.Gates},
		{"work phase", "the work phase of a server, and the requests of its connections",
			of(trail.Pools), of(trail.Steps, trail.Times, trail.Waited, trail.Requests, trail.Objects, trail.Scopes, trail.Carries), tasks.WorkPhase},
		{"modelled", "pools that have a part in the work get a graph",
			of(trail.Pools, trail.Steps), of(trail.Modelled, trail.Times), pools.Modelled},
		{"thread trees", "trees of threads that start each other are started at once",
			of(trail.Pools), of(trail.Steps, trail.Times, trail.Waited), pools.ThreadTrees},
		{"worklists", "threads started for what others found are started at once",
			of(trail.Modelled, trail.Objects), of(trail.Steps, trail.Times, trail.Waited), pools.Worklists},
		{"indices", "counters behind a lock that hand out work become queues",
			of(trail.Modelled, trail.Pools), of(trail.Steps, trail.Times, trail.Waited, trail.Objects, trail.Scopes, trail.Carries), guards.Indices},
		{"tokens", "channels made for every piece of work are taken as one",
			of(trail.Pools, trail.Carries), of(trail.Steps, trail.Times, trail.Waited, trail.Objects, trail.Scopes), ownership.Tokens},
		{"lazy pools", "pools that grow with the work are there from the start",
			of(trail.Modelled, trail.Steps), of(trail.Pools), pools.LazyPools},
		{"joins", "waits for the ends of threads are joins",
			of(trail.Modelled, trail.Objects, trail.Pools, trail.Carries), of(trail.Steps, trail.Times, trail.Waited), pools.MarkJoins},
		{"spawns", "bursts that start a pool are one spawn",
			of(trail.Modelled), of(trail.Steps, trail.Times, trail.Waited, trail.Pools), pools.MarkSpawns},
		{"one side", "objects of which the model has one side only are marked",
			of(trail.Modelled, trail.Steps, trail.Objects, trail.Carries), of(trail.Sides), waits.OneSided},
		{"marks", "what is neither computation nor a lock goes",
			of(trail.Modelled, trail.Objects, trail.Scopes, trail.Sides, trail.Guarded, trail.Carries), of(trail.Steps, trail.Times, trail.Waited, trail.Requests), waits.Marks},
		{"halves", "locks taken or freed without the other half go",
			of(trail.Modelled, trail.Objects), of(trail.Steps, trail.Times, trail.Waited, trail.Requests), pcg.Halves},
		{"delays", "waits for the world outside become delays, those for disks I/O",
			of(trail.Modelled, trail.Objects, trail.Pools, trail.Sides, trail.Carries), of(trail.Steps, trail.Times, trail.Waited, trail.Requests), waits.Delays},
		{"roles", "channels that carry tasks: c_in, c_out, fetch, nofetch",
			of(trail.Modelled, trail.Objects, trail.Carries), of(trail.Steps, trail.Times, trail.Waited, trail.Requests), tasks.Roles},
		{"tasks", "a fetched task is passed on, or done when it is answered or at the end of its round",
			of(trail.Modelled, trail.Objects, trail.Carries), of(trail.Steps, trail.Times, trail.Waited, trail.Requests, trail.Roles), tasks.Tasks},
		{"quiet regions", "regions that hardly anybody waits for go",
			of(trail.Modelled, trail.Objects, trail.Scopes, trail.Guarded), of(trail.Steps, trail.Times, trail.Waited, trail.Requests), pcg.QuietRegions},
		{"folding", "insignificant computations join the next",
			of(trail.Modelled, trail.Steps, trail.Roles, trail.Objects), of(trail.Times), pcg.Fold},
		{"under locks", "what is done holding different locks is told apart",
			of(trail.Modelled, trail.Objects), of(trail.Steps), pcg.UnderLocks},
		{"exact loops", "counted loops are simulated with their count",
			of(trail.Modelled, trail.Roles, trail.Objects), of(trail.Steps, trail.Times, trail.Waited, trail.Requests, trail.Loops), pcg.ExactLoops},
		{"graphs", "transitions are counted: equation (1)",
			of(trail.Modelled, trail.Steps, trail.Times, trail.Loops, trail.Requests), of(trail.Graphs), pcg.Graphs},
	}
}
