package golang

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tierscope/analysis/trace"
)

// The weighted semaphore of golang.org/x/sync is a mutex, a counter and a list
// of channels, in a module whose files an overlay must not replace: the probes
// see its parts.
//
//	Acquire: lock, unlock                         it had the permits at once
//	         lock, make a channel, unlock, select it waited for the channel
//	Release: lock, close a channel …, unlock      so many waiters go on
//
// The lock tells how many permits there are, the unlock how many are taken then,
// or how many the one who waits asks for (probe/semaphore.go). What a call took or
// gave back is the difference to the call before; those who wait are served in
// their order.
const (
	weighted    = "golang.org/x/sync/semaphore.(*Weighted)."
	acquireCall = weighted + "Acquire"
	tryCall     = weighted + "TryAcquire"
	releaseCall = weighted + "Release"
)

// semaphores replaces the records of such semaphores by OpAcquire and
// OpRelease of an object of kind "semaphore".
func semaphores(t *trace.Trace) {
	inside := functionsAt(t, func(name string) bool { return strings.HasPrefix(name, weighted) && name != weighted+"notifyWaiters" })
	calls := callsByMutex(t, inside, callsIn)
	var known []call
	for _, mutex := range slices.Sorted(maps.Keys(calls)) {
		cs := calls[mutex]
		if !weigh(cs) {
			t.Warnings = append(t.Warnings, fmt.Sprintf("a weighted semaphore of golang.org/x/sync whose waiters gave up, or not all of whose %d calls were recorded, is modelled as the mutex and the channels that it is made of", len(cs)))
			continue
		}
		id := uint64(len(t.Objects) + 1)
		t.Objects = append(t.Objects, trace.Object{ID: id, Kind: "semaphore", Capacity: cs[0].size, Site: -1})
		for _, c := range cs {
			c.object = id
			known = append(known, c)
		}
	}
	putCalls(t, known)
}

// callsIn finds the calls in the records of a thread. Each begins with the lock
// of the semaphore's mutex.
func callsIn(rs []trace.Record, inside []string) []call {
	var out []call
	of := func(r *trace.Record) string {
		if r.Site < 0 {
			return ""
		}
		return inside[r.Site]
	}
	for i := 0; i < len(rs); i++ {
		f := of(&rs[i])
		if f == "" || rs[i].Op != trace.OpLock || rs[i].End {
			continue
		}
		c := call{mutex: rs[i].Object, function: f, first: i, size: rs[i].Arg}
		for ; i < len(rs) && of(&rs[i]) == f; i++ {
			r := &rs[i]
			if c.at == 0 && r.Op == trace.OpUnlock && !r.End && r.Object == c.mutex {
				c.at, c.after = r.Time, r.Arg
			}
			if r.Op == trace.OpLock && !r.End && i > c.first {
				break // the next call
			}
			switch r.Op {
			case trace.OpMake:
				c.waits = true
			case trace.OpClose:
				if !r.End {
					c.wakes++
				}
			}
		}
		c.past = i
		i--
		if c.at > 0 {
			out = append(out, c)
		}
	}
	return out
}

// weigh finds out how many permits each call asked for. false: that does not add
// up.
func weigh(calls []call) bool {
	slices.SortFunc(calls, func(a, b call) int { return cmp.Compare(a.at, b.at) })
	var queue []int64
	taken, last := int64(0), int64(1)
	for i := range calls {
		c := &calls[i]
		switch {
		case c.function == releaseCall:
			if c.wakes > len(queue) {
				return false
			}
			for _, n := range queue[:c.wakes] {
				taken += n
			}
			queue = queue[c.wakes:]
			c.asks = taken - c.after
			taken = c.after
		case c.waits:
			c.asks = c.after
			queue = append(queue, c.asks)
		default:
			c.asks = c.after - taken
			taken = c.after
		}
		if c.function == tryCall && c.asks == 0 {
			c.asks, c.fails = last, true // it does not tell what it asked for
		}
		// Who asks for nothing while others wait does wait, unless it gives up.
		c.nothing = c.asks == 0 && (c.function == releaseCall || len(queue) == 0)
		if c.asks < 0 || c.asks == 0 && !c.nothing || taken < 0 || taken > c.size || c.size != calls[0].size {
			return false
		}
		if !c.nothing {
			last = c.asks
		}
	}
	return true
}
