// Package core is the three-tier performance model as a document: what the
// analysis writes, an analyst edits, and the simulator reads. It is plain data
// without state. It imports nothing of ours and does no I/O beyond its codec.
//
// # The model
//
// A program is described in three tiers (Tarvo & Reiss 2014, §3).
//
//  1. The queueing network says how tasks flow: a Source makes them, a Queue
//     holds them, a Pool of threads serves them, a Sink takes them out. The
//     knobs of a configuration live here: pool sizes, rates, capacities, cores.
//
//  2. A Graph, the probabilistic call graph ⟨S, δ⟩ of a pool, says what each
//     thread does: nodes are code fragments of a FragmentClass with the
//     parameters Π, edges carry the probabilities δ.
//
//  3. CPU, Disk, Lock and Background are the shared resources: a fragment's
//     delay is τ = f(Π, Q(t)), computed by the resource from its own state.
//
// A Go worker such as
//
//	for task := range tasks {             in      queue "tasks"
//		mu.Lock()                         sync    enter lock "mu"
//		page, ok := cache[task.path]      cpu     demand_s 40 µs
//		mu.Unlock()                       sync    exit lock "mu"
//		if !ok {                          (edges .25 and .75)
//			page = os.ReadFile(task.path) io      disk "sda", 2 reads
//		}
//		task.reply(page)                  cpu     demand_s 2 ms
//	}                                     out     sink "done"
//
// becomes a graph of eight fragments: in leads to its virtual successor fetch
// when it got a task, and to nofetch when the queue was closed.
//
// # What is here
//
//   - Model and its elements: model.go, network.go, fragment.go, resource.go.
//   - Distribution: the law of a parameter, with moments and quantiles; empirical
//     laws from samples by FromSamples.
//   - Format, Decode, Encode, Hash: versioned JSON whose bytes depend on the
//     content only, with errors that name the place.
//   - Model.Validate: every Defect, each with its element and its remedy. After it,
//     nothing checks again. Model.Warnings: what is odd but possible.
//   - Model.With: the model under a configuration, settings of a Parameter or of a
//     path; Model.Knobs lists all of them. Model.Edited: what-ifs that change
//     the structure, such as splitting a lock.
//   - Walks, what each thread of the recorded run did, of which the graphs are the counts: UnpackWalks,
//     Walks.Fold; Model.Departures, where an edited model is not that; Model.Shapes, its episodes.
//   - Graph.Visits, Model.Demands, Demands.Bounds, Demands.Estimate: what
//     operational laws say without simulating.
//
// # Where the papers' parts are
//
// Every block of Appendix 1 of Tarvo, "Using computer simulation to predict
// performance of parallel programs":
//
//	Request source      Source; interarrival time: Kind with Rate, Interarrival or Times
//	Queue               Queue; maximum size: Capacity, type: Discipline
//	Sink                Sink; statistics are simulation.Metric R, X
//	Computation block   Fragment of class cpu; CPU time: Demand
//	Disk I/O block      Fragment of class io; types, numbers and sizes of requests: IO
//	Dispatch block      Fragment of class dispatch, or several Next of any fragment
//	Loop block          Fragment of class loop; number of iterations: Loop.Count
//	Delay               Fragment of class delay; delay time: Delay
//	Thread gate         Pool: the border between the network and a Graph; a thread is its
//	                    pool's ID and a number
//	I/O subsystem       Disk; P(t|x): ServiceLaw
//	CPU/Scheduler       CPU; number of CPUs: Cores
//
// Every entity of Table 1 of Tarvo & Reiss 2014:
//
//	S = {s₁…sₙ}         Graph.Fragments
//	δ: S → P(S)         Fragment.Next; Graph.Successors
//	τᵢ                  not stored: the simulator computes it
//	Π_disk = ⟨dio₁…⟩    IO; k = 0 requests is a cache hit
//	Π_cpu = ⟨τ_cpu⟩     Fragment.Demand
//	Π_sync              Sync: ⟨Lock, Op, Timeout⟩
//	L = {l₁…lₘ}         Model.Locks
//	⟨lid, ltype, lparam⟩ Lock: ID, Kind, and the fields that the kind uses: the capacity of a
//	                    barrier is Parties, the count of a semaphore Permits
//	Q(t)                not stored: the state of a simulation
//	c_in, c_out         Fragments of class in (with fetch and nofetch) and out
//
// Where we depart: a queue says what happens when it is full, threads may be
// started by fragments (spawn, join) or by tasks, a disk may serve several
// requests at once, the scheduler is a choice (CPU.Policy), because round
// robin alone is off by a factor for sleepers among computing threads, a
// timeout may run on while its thread does something else (Since), and a
// just-in-time compiler (Background with Stages) is a thread beside the program's,
// which are slow until it has done its work.
package core
