package resource

import "tierscope/simulation/des"

// Thread is the index of a simulated thread in its Table.
type Thread int32

// NoThread is the owner of a free lock.
const NoThread Thread = -1

// NoItem is the payload of an outcome that carries none.
const NoItem int32 = -1

// Op is an operation on a lock.
type Op uint8

// Operations; core.SyncOp says what each means to a program. Park and Exchange
// and so on exist for the kinds that have them, any other answers Unsupported.
const (
	Enter Op = iota // acquire: mutex, monitor, rwlock for writing, n permits of a semaphore
	Exit
	EnterRead
	ExitRead
	Await
	Arrive
	Register
	Leave
	CountDown
	Add
	Wait
	Notify // n waiters
	NotifyAll
	Do
	Done
	Park
	Unpark
	Exchange // n is the item given; Table.Item is the item got
	Send     // n is the item
	Receive  // Table.Item is the item got
	Close
	AwaitAll // join: of the threads that anybody started
)

// Outcome is the answer to an operation.
type Outcome uint8

// Outcomes.
const (
	// Granted: the operation is done and the thread goes on.
	Granted Outcome = iota
	// Blocked: the thread sleeps until Host.Resume names it.
	Blocked
	// Retry comes only through Host.Resume and from Cancel: the thread wakes
	// up, and once it is on a core again the simulator calls Lock.Retry.
	Retry
	// Failed: a try found the lock taken, a wait timed out, a barrier broke,
	// or a full queue dropped the item.
	Failed
	// Closed: a receive from a closed and empty queue.
	Closed
	// First: the caller of Do must run the function and then call Done.
	First

	// The remaining outcomes are defects of the model, which the simulator
	// reports: the real program would panic, or throw.

	// NotHeld: released by a thread that does not hold it, or when free.
	NotHeld
	// Negative: a WaitGroup counted below zero.
	Negative
	// SendOnClosed: an item was sent to a closed queue.
	SendOnClosed
	// ClosedTwice: a closed queue was closed.
	ClosedTwice
	// Unsupported: the kind of lock has no such operation.
	Unsupported
)

// Defect reports whether o is a defect of the model rather than an answer.
func (o Outcome) Defect() bool { return o >= NotHeld }

// String names the outcome; for a defect it says what the thread did.
func (o Outcome) String() string {
	return [...]string{
		"granted", "blocked", "retry", "failed", "closed", "first",
		"releases what it does not hold",
		"counts below zero",
		"sends to a closed queue",
		"closes a closed queue",
		"does what this kind of lock cannot do",
	}[o]
}

// Host is the simulator, as the resources see it.
type Host interface {
	// Now is the simulated time.
	Now() des.Time
	// Resume says that blocked thread t may go on. The simulator adds the
	// wake-up latency and the wait for a core. An outcome other than Retry
	// completes the operation of t, at this moment for everybody else. Resume
	// is called from inside an operation and must not call a resource itself.
	Resume(t Thread, o Outcome, item int32)
}

// Lock is a lock of any kind. n is the number of permits, arrivals, waiters
// or the item; 0 means 1 where it is a number.
type Lock interface {
	// Call executes op for thread t, which runs. It never answers Retry.
	Call(t Thread, op Op, n int32) Outcome
	// Try is Call for an operation that must not block: it answers Failed
	// where Call would answer Blocked, and leaves no trace.
	Try(t Thread, op Op, n int32) Outcome
	// Retry continues the operation of t, which was resumed with Retry and is
	// on a core again: a woken waiter competes with the threads that run.
	Retry(t Thread) Outcome
	// Cancel ends the wait of t, whose timeout has fired. The answer is
	// Failed: t goes on without. Retry: t wakes up and must Retry to regain
	// its monitor first, whereupon the operation counts as failed. Blocked:
	// too late, what t waited for has come and it only waits for its monitor.
	Cancel(t Thread) Outcome

	// Waiting is the number of threads that wait, woken competitors included.
	Waiting() int
	// Held is the number of holders: 0 or 1 for a mutex, readers, permits
	// taken, tokens in a channel; for a barrier those who wait.
	Held() int
	// Holders yields the threads whose progress the waiters depend on, as far
	// as the kind of lock knows them.
	Holders(yield func(Thread) bool)
}

// atLeastOne is the meaning of an operation's n.
func atLeastOne(n int32) int32 { return max(n, 1) }
