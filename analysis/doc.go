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
// computation between two. Build works in passes. Each needs some facets of
// what is known (Facet) and makes others, and changes nothing else; what these
// do not forbid may be swapped.
//
// The passes in their order:
//
//	children            who waits for a process computes what it computed
//	                      makes threads, regions, conditions, counters, messages, sleeps
//	rendezvous          threads that yield or sleep until the last of them has come meet at a barrier
//	                      makes threads
//	hosts               who starts threads and works as they do starts one more
//	                      makes threads, regions, conditions, counters, messages, sleeps
//	tickers             a ticker, clock or bucket of tokens that threads share is a thread that sends ticks
//	                      makes threads, regions, messages, sleeps of messages, regions
//	onces               calls of many Onces at one place are regions under locks
//	                      makes regions
//	latches             channels that their makers close when a value is there are waits for it, if most find it there
//	                      makes threads, messages of messages
//	lazy makes          channels that are made by whoever asks first are made by who started all that use them
//	                      makes messages of threads, messages
//	semaphore queues    two semaphores that pass things on are a bounded queue
//	                      makes regions, counters, messages
//	counters            counters that share out work are queues
//	                      makes counters, messages of regions, conditions
//	inboxes             a lock with which a thread is given work, one thing at a time, is a queue of its own
//	                      makes regions, conditions, counters, messages
//	monitors            lists under a lock with wait and notify are queues or semaphores
//	                      makes regions, conditions, counters, messages
//	leaders             what threads do by turns for all that wait is done by a thread of its own
//	                      makes threads, regions, conditions, messages of regions, conditions
//	streams             what threads write to each other through connections is messages
//	                      makes threads, messages, sleeps
//	event loops         requests enter where a thread reads them that serves many connections by turns
//	                      makes threads of messages
//	timeouts            receives in vain, one after the other, are one
//	                      makes messages, sleeps of threads
//	backlogs            who holds what it takes, and passes it on in another order, passes it on as it gets it
//	                      makes threads, messages
//	sentinels           messages that end threads close the queue
//	                      makes messages of threads, sleeps
//	polled joins        sleeps until threads have ended are joins
//	                      makes sleeps, threads
//	pools               threads that have the same function form a pool
//	                      makes pools of threads, messages
//	fragments           records become sequences of code fragments
//	                      makes steps, times, waited of pools, threads, regions, conditions, counters, messages, sleeps
//	disk requests       requests to disks go to the operations that caused them
//	                      makes requests of steps
//	stop flags          loops that a variable or the clock ends ask a channel
//	                      makes steps, times, waited of pools
//	interference        computing side by side is slower
//	                      makes times of steps
//	coldness            so is computing after a pause
//	                      makes times of steps
//	warm-up             and what is not compiled yet
//	                      makes times of steps
//	anchor              CPU times become those of runs without probes
//	                      makes times of steps
//	objects             objects that the same code uses are one lock or channel
//	                      makes objects, scopes, steps of pools
//	found results       waits of a pool for results of its own that are always there say nothing
//	                      makes steps, times, waited of pools, objects
//	calls               channels that every call makes are the call's
//	                      makes scopes of steps, objects
//	task queues         channels that carry tasks are told from those that carry tokens
//	                      makes carries of steps, objects, scopes
//	closed together     channels that are closed together are closed once
//	                      makes steps, times, waited of objects, scopes, carries
//	condition locks     a condition belongs to the lock that its waiters hold
//	                      makes guarded of steps, objects
//	contention          who waited for which lock, exactly
//	                      makes waited of steps, objects
//	barriers            home-made barriers become barriers
//	                      makes steps, times, waited, objects, guarded of pools
//	outstanding         home-made counts of what is not done yet become latches
//	                      makes steps, times, waited, objects, guarded of pools, guarded
//	buffers             home-made bounded queues become queues
//	                      makes steps, times, waited, objects, scopes, carries of pools, guarded
//	gates               cases of selects that are shut while nothing is to be sent or expected ask for permits
//	                      makes steps, times, waited, objects, scopes of pools, carries
//	work phase          the work phase of a server, and the requests of its connections
//	                      makes steps, times, waited, requests, objects, scopes, carries of pools
//	modelled            pools that have a part in the work get a graph
//	                      makes modelled, times of pools, steps
//	thread trees        trees of threads that start each other are started at once
//	                      makes steps, times, waited of pools
//	worklists           threads started for what others found are started at once
//	                      makes steps, times, waited of modelled, objects
//	indices             counters behind a lock that hand out work become queues
//	                      makes steps, times, waited, objects, scopes, carries of modelled, pools
//	tokens              channels made for every piece of work are taken as one
//	                      makes steps, times, waited, objects, scopes of pools, carries
//	lazy pools          pools that grow with the work are there from the start
//	                      makes pools of modelled, steps
//	joins               waits for the ends of threads are joins
//	                      makes steps, times, waited of modelled, objects, pools, carries
//	spawns              bursts that start a pool are one spawn
//	                      makes steps, times, waited, pools of modelled
//	one side            objects of which the model has one side only are marked
//	                      makes sides of modelled, steps, objects, carries
//	marks               what is neither computation nor a lock goes
//	                      makes steps, times, waited, requests of modelled, objects, scopes, sides, guarded, carries
//	halves              locks taken or freed without the other half go
//	                      makes steps, times, waited, requests of modelled, objects
//	delays              waits for the world outside become delays, those for disks I/O
//	                      makes steps, times, waited, requests of modelled, objects, pools, sides, carries
//	roles               channels that carry tasks: c_in, c_out, fetch, nofetch
//	                      makes steps, times, waited, requests of modelled, objects, carries
//	tasks               a fetched task is passed on, or done when it is answered or at the end of its round
//	                      makes steps, times, waited, requests, roles of modelled, objects, carries
//	quiet regions       regions that hardly anybody waits for go
//	                      makes steps, times, waited, requests of modelled, objects, scopes, guarded
//	folding             insignificant computations join the next
//	                      makes times of modelled, steps, roles, objects
//	under locks         what is done holding different locks is told apart
//	                      makes steps of modelled, objects
//	exact loops         counted loops are simulated with their count
//	                      makes steps, times, waited, requests, loops of modelled, roles, objects
//	graphs              transitions are counted: equation (1)
//	                      makes graphs of modelled, steps, times, loops, requests
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
