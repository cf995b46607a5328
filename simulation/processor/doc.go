// Package processor simulates the cores and the thread scheduler: who runs
// where, until when, and what a wake-up costs.
//
// A thread asks for a burst of CPU time and is told when it is done:
//
//	Submit(t, work)     t becomes ready, or runs at once on an idle core
//	Expire(core)        an event of the core: a slice has ended, and somebody else
//	                    runs now, or a burst has
//	Host.BurstEnded(t)  t, which still occupies the core, says whether it goes on
//	                    computing; if not, the core picks the next thread
//
// These policies share this protocol: EEVDF as in Linux ≥ 6.6, the goroutine
// scheduler of Go, round robin from one global queue as in the papers,
// processor sharing, with weights, and one queue by a rank: the shortest burst, the
// least work left, or a priority. Time slices are exact but lazy: a thread that runs alone
// has no slice events; when a competitor arrives, the end of the current slice
// is computed as if they had happened.
//
// All state is in arrays indexed by thread and core; nothing allocates in
// steady state.
package processor
