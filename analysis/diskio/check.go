package diskio

import (
	"math"
	"slices"
	"time"
)

// CheckOptions say how the recorder of a machine is examined. The zero value
// is 10 000 operations by 4 threads.
type CheckOptions struct {
	Threads    int      // 0: 4
	Operations int      // of all threads; 0: 10 000
	Recorder   Recorder // nil: the best
	Cold       bool     // only cold reads: the threads do nothing but wait for the disk
	RealTime   bool     // with real-time priority, so that other programs do not matter for what a recording costs; needs root
}

// CheckedOperation is an operation of the examination with what it was.
type CheckedOperation struct {
	Operation
	Kind string // "cold read", "read", "warm read", "stat", "open", "write", "fsync"
}

// Check is the result of an examination: what the recorder should have seen, and
// what it saw.
type Check struct {
	Recorder   string
	Operations []CheckedOperation
	Log        Log
	Plain      map[string]time.Duration // median time of an operation without a recording, by kind
	Recorded   map[string]time.Duration // and with one
}

// OneCall counts the operations that contain exactly one system call of their
// thread.
func (c *Check) OneCall() int {
	byThread := map[int64][]Call{}
	for _, call := range c.Log.Calls {
		byThread[call.Thread] = append(byThread[call.Thread], call)
	}
	one := 0
	for _, o := range c.Operations {
		n := 0
		calls := byThread[o.Thread]
		first, _ := slices.BinarySearchFunc(calls, o.Start, func(c Call, at int64) int {
			if c.End < at {
				return -1
			}
			return 1
		})
		for _, call := range calls[first:] {
			if call.Start > o.End {
				break
			}
			if call.Start >= o.Start && call.End <= o.End {
				n++
			}
		}
		if n == 1 {
			one++
		}
	}
	return one
}

// Attributed counts the requests of the threads, and how many of them belong to
// an operation.
func (c *Check) Attributed() (attributed, requests int) {
	operations := make([]Operation, len(c.Operations))
	threads := map[int64]bool{}
	for i, o := range c.Operations {
		operations[i] = o.Operation
		threads[o.Thread] = true
	}
	a := Attribute(operations, c.Log.Requests)
	for i, r := range c.Log.Requests {
		if !threads[r.Thread] {
			continue
		}
		requests++
		if a.Of[i] != nobody {
			attributed++
		}
	}
	return attributed, requests
}

// Rematch is how well a recording is matched again after its clock was shifted
// and made to drift, and its threads were renamed.
type Rematch struct {
	Right, Threads int           // pairs found, and threads
	LagError       time.Duration // the largest, over the recording
	Match          Match
}

// Rematch shifts, stretches and renames the recording and matches it again by
// cross-correlation: the answer is known.
func (c *Check) Rematch(lag time.Duration, driftPPM float64) (Rematch, error) {
	user := tracks(c.Operations, func(o *CheckedOperation) (int64, Interval) {
		return o.Thread, Interval{o.Start, o.End}
	})
	known := map[int64]bool{}
	for _, t := range user {
		known[t.Thread] = true
	}
	away := func(at int64) int64 {
		return int64(float64(at-c.Log.Requests[0].Issued)*(1+driftPPM*1e-6)) + c.Log.Requests[0].Issued + int64(lag)
	}
	mine := slices.DeleteFunc(slices.Clone(c.Log.Requests), func(r Request) bool { return !known[r.Thread] })
	names := map[int64]int64{} // permuted: the i-th thread is called like the next one
	for i, t := range user {
		names[t.Thread] = user[(i+1)%len(user)].Thread
	}
	kernel := tracks(mine, func(r *Request) (int64, Interval) {
		return names[r.Thread], Interval{away(first(r.Queued, r.Issued)), away(r.Completed)}
	})
	out := Rematch{Threads: len(kernel)}
	var err error
	if out.Match, err = MatchThreads(user, kernel, MatchOptions{}); err != nil {
		return out, err
	}
	for _, p := range out.Match.Pairs {
		if names[p.User] == p.Kernel {
			out.Right++
		}
	}
	for i := range mine {
		at := mine[i].Completed
		out.LagError = max(out.LagError, time.Duration(math.Abs(float64(out.Match.User(away(at))-at))))
	}
	return out, nil
}

// tracks groups intervals by thread, ascending.
func tracks[E any](all []E, of func(*E) (int64, Interval)) []Track {
	at := map[int64]int{}
	var out []Track
	for i := range all {
		thread, v := of(&all[i])
		k, ok := at[thread]
		if !ok {
			k = len(out)
			at[thread] = k
			out = append(out, Track{Thread: thread})
		}
		out[k].Intervals = append(out[k].Intervals, v)
	}
	for _, t := range out {
		slices.SortFunc(t.Intervals, func(a, b Interval) int { return int(a.Start - b.Start) })
	}
	return out
}
