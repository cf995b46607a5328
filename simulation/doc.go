// Package simulation predicts: it turns a model and a configuration into
// numbers with intervals.
//
//	model ──compile──▶ program ──start──▶ replication ─┐
//	                      ├────────────▶ replication ─┼─observe──▶ outcomes ──estimate──▶ result
//	                      └────────────▶ replication ─┘
//
// A program is the model in arrays: elements in an order that does not depend
// on names, fragments with a program counter for every thread. A replication
// is one independent simulation of it, a state machine per simulated thread on
// the event engine of package des, with the resources of packages processor
// and resource. It draws from one random stream per source of randomness,
// derived from seed, replication and what the element is, so configurations
// compare on common random numbers.
//
// Run conducts: pilot replications find how long the warm-up lasts and how
// long to simulate; replications then run in parallel until the precision, the
// budget or the caller says enough; package output estimates. Batch programs
// run from start to end instead, and repeat what was observed (recorded.go). The answer does not depend on the number of
// workers, and doubts (a queue that grows for ever, too few replications, a
// deadlock) travel with it as warnings.
//
// # One replication
//
// A thread is a program counter into the compiled graph of its pool. It walks
// through fragments that take no time until it computes, waits or ends; then
// the next event is somebody else's. A worker that serves one task:
//
//	in ──▶ fetch ──▶ parse (cpu 2 ms) ──▶ lock L ──▶ update (cpu 1 ms) ──▶ unlock L ──▶ out ──▶ in
//
//	t = 0     a task arrives: the queue resumes the worker, which walks in, fetch
//	          and asks for 2 ms of CPU; the core is idle: one event at 2 ms
//	t = 2 ms  the burst ends: lock L is free, it walks on and asks for 1 ms
//	t = 3 ms  unlock, out, in: the next task, or the core is given back
//
// Three kinds of waiting are told apart, because they have different cures: the
// wait for a task or a lock ends by another thread's operation (package
// resource), the wait for a core by the scheduler (package processor), a delay
// by the clock. A thread that was resumed by another goes on after that one, at
// the same time, in the order of the wake-ups.
//
// Every event costs about a hundred nanoseconds and allocates nothing: threads,
// tasks and events live in arrays with free lists, a fragment is wired to what
// it works on (step.go), a slice that nobody waits
// for the end of is no event, and statistics are sums, integrals of levels and
// logarithmic histograms. Where a task's time went is charged when its thread
// changes state, so the parts add up to the response time.
//
// An element draws its random numbers from streams that its structure names
// (identity.go): renaming or reordering the model changes nothing, and a
// configuration changes only what it sets.
//
// Many simulations make the packages below: experiment (grids and the ledger
// of all runs), explain (what limits a configuration), optimise (which one is
// best).
package simulation
