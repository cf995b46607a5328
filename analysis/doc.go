// Package analysis turns one run of a program into a three-tier performance
// model, after Tarvo & Reiss 2014, §4. It is the same for every language: a
// front end (Target) samples, scans and traces; Build makes the model.
//
// The trace says for every thread which operations it executed, when, in
// which calling context, on which object, and how much CPU it had used:
//
//	thread 7   receive q   11 ms   cpu 0.2 ms     lock m   14 ms   cpu 3.1 ms   …
//
// Two neighbouring probe hits are a code fragment: an operation, or the
// computation between two. Build works in these steps, a file or two each:
//
//	tickers.go              a ticker that threads share is a thread that sends ticks,
//	                        a limiter one that sends tokens
//	counters.go             counters that share out work are queues
//	monitors.go             so are lists under a lock with wait and notify
//	poison.go, poison_relay.go  messages that end threads close the queue
//	wrappers.go             threads that a library starts are those of its caller
//	groups.go, tuples.go    threads that have the same function form a pool
//	context.go, sequence.go records become a sequence of code fragments;
//	                        nodes are split by calling context
//	told.go                 loops that a variable or the clock ends ask a channel
//	interference.go         computing side by side is slower
//	cold.go, coldloads.go   so is computing after a pause
//	warmup*.go, isotonic.go  and what is not compiled yet
//	anchor.go               CPU times become those of runs without probes
//	objects.go              objects that the same code uses are one lock or queue
//	calls.go                channels that every call makes are the call's
//	contention.go           who waited for which lock, exactly
//	barriers.go             home-made barriers become barriers
//	phases.go, requests.go  the work phase of a server; requests of a connection
//	modelled.go             groups that have a part in the work
//	disks.go                requests to disks go to the operations that caused them
//	buffers.go              home-made bounded queues become queues
//	indices.go, counters.go so do counters that hand out work
//	recursion.go            trees of threads that start each other
//	worklists.go            threads that are started for what others found
//	lineages.go             locks of which each piece of work has its own
//	settle.go               what is neither computation nor a lock
//	lazy.go                 pools that grow with the work
//	tokens.go               channels that are made for every piece of work
//	joins.go                waiting for threads; starting pools
//	waits.go, strangers.go  waits for the world outside, or for another thread's object, become delays
//	tasks.go, roles.go      channels that carry tasks: c_in, c_out, fetch, nofetch, done
//	reduce.go               what is insignificant goes, its time stays
//	borrowed.go             so do locks of objects that one thread uses at a time
//	underlocks.go           what is done holding different locks is told apart
//	loops.go, exact.go      counted loops are simulated with their count
//	pcg.go                  transitions are counted: equation (1)
//	assemble.go, demand.go  counts become fragments with distributions
//	permits.go, partners.go semaphores of different weights; a channel for each partner
//	network.go              pools, queues, sources, locks, CPU, garbage collector
//	parameters.go, collector.go what an analyst may turn
//	scaling.go              whether threads share a fixed amount of work
//	settings.go             how the program is told
//	rounds.go               how much there is to do
//	rates.go                limits of events per second
//	follow.go               what the program computes from another parameter's number
//	trust.go                how far the model can be trusted
//	evidence.go             what it has to repeat (package calibrate)
//
// All changes are made to the sequences, before anything is counted. What
// Build takes out therefore leaves neither a hole in the control flow nor one
// in the time: the CPU time of a removed operation is part of the computation
// that now reaches across it, and the graph is counted afterwards.
//
// For the worker
//
//	for t := range tasks { x := work(t); mu.Lock(); sum += x; mu.Unlock() }
//
// the graph is, if the lock matters,
//
//	receive ─▶ fetch ─▶ cpu ─▶ lock ─▶ cpu ─▶ unlock ─▶ done ─▶ receive
//	   └─────▶ nofetch ─▶ end
package analysis
