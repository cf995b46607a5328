// Package resource simulates what threads share besides the processor: locks
// of every kind, task queues and channels, and disks. It is tier 3 of the
// model, with the queues of tier 1.
//
// # Who does what
//
// A resource is a passive state machine: the simulator calls it when a thread
// executes an operation and it answers at once, in no simulated time. A thread
// that must wait is Blocked, and some later operation of another thread makes
// the resource call Host.Resume. What it costs until the thread is on a core
// (wake-up latency, run queue) is the simulator's business, and so are
// timeouts: when one fires, the simulator calls Cancel.
//
//	simulator                         resource
//	Call(t, Enter)        ──────▶     owner is u: t joins the list
//	                      ◀──────     Blocked
//	Call(u, Exit)         ──────▶     owner becomes t
//	t is ready to run     ◀── Resume(t, Granted)
//	                      ◀──────     Granted (u goes on)
//
// # Hand-off and competition
//
// A fair lock is handed over: the waiter owns it when it is released, while it
// still wakes up. Under a barging lock a woken waiter owns nothing; it competes
// when it runs. Then Resume says Retry, and the simulator calls Lock.Retry once
// the thread is on a core:
//
//	Call(u, Exit)         ──────▶     free
//	t is ready to run     ◀── Resume(t, Retry)
//	Call(v, Enter)        ──────▶     v was faster: Granted
//	Retry(t)              ──────▶     Blocked, t sleeps again
//
// # Kinds
//
// Every kind has its own file, which names the rule of the real implementation
// that it follows; New lists them all.
//
// # Disks
//
// A Disk is a queue with an order, a number of requests that the device takes
// at once, and laws of service. It asks the simulator for an alarm at the next
// completion (DiskHost).
//
// Nothing allocates in steady state: waiting threads are linked through one
// Table, items and queue waiters through free lists.
package resource
