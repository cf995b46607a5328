package golang

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tierscope/analysis"
)

// The weighted semaphore of golang.org/x/sync is a mutex, a counter and a list
// of channels, in a module whose files an overlay must not replace: the probes
// see its parts. What they see is enough to put the operations together again,
// as long as every Acquire asks for the same weight:
//
//	Acquire: lock, unlock                         it had the permit at once
//	         lock, make a channel, unlock, select it waited for the channel
//	Release: lock, close a channel …, unlock      so many waiters go on
//
// Under the mutex the number of holders is known at every moment, and when
// somebody has to wait it is the number of permits.
const (
	weighted    = "golang.org/x/sync/semaphore.(*Weighted)."
	acquireCall = weighted + "Acquire"
	releaseCall = weighted + "Release"
)

// semaphores replaces the records of such semaphores by OpAcquire and
// OpRelease of an object of kind "semaphore".
func semaphores(t *analysis.Trace) {
	inside := make([]string, len(t.Sites))
	found := false
	for i, s := range t.Sites {
		for _, f := range s.Frames {
			if strings.HasPrefix(f.Function, weighted) && f.Function != weighted+"notifyWaiters" {
				inside[i], found = f.Function, true
			}
		}
	}
	if !found {
		return
	}
	calls := map[uint64][]call{} // by mutex
	for i := range t.Threads {
		for _, c := range callsIn(t.Threads[i].Records, inside) {
			c.thread = i
			calls[c.mutex] = append(calls[c.mutex], c)
		}
	}
	replace := make([][]call, len(t.Threads))
	for _, mutex := range slices.Sorted(maps.Keys(calls)) {
		cs := calls[mutex]
		permits, ok := permitsOf(cs)
		if !ok {
			t.Warnings = append(t.Warnings, fmt.Sprintf("a weighted semaphore of golang.org/x/sync is used with TryAcquire or with different weights in %d calls: it is modelled as the mutex and the channels that it is made of", len(cs)))
			continue
		}
		id := uint64(len(t.Objects) + 1)
		t.Objects = append(t.Objects, analysis.Object{ID: id, Kind: "semaphore", Capacity: int64(permits), Site: -1})
		for _, c := range cs {
			c.object = id
			replace[c.thread] = append(replace[c.thread], c)
		}
	}
	for i := range t.Threads {
		if len(replace[i]) > 0 {
			t.Threads[i].Records = withCalls(t.Threads[i].Records, replace[i])
		}
	}
}

// call is one call of a method: records first to past in a thread.
type call struct {
	thread      int
	mutex       uint64
	object      uint64 // the semaphore
	function    string
	first, past int
	at          int64 // ns: the end of the stay under the mutex
	waits       bool
	wakes       int
}

// callsIn finds the calls in the records of a thread. Each begins with the lock
// of the semaphore's mutex.
func callsIn(rs []analysis.Record, inside []string) []call {
	var out []call
	of := func(r *analysis.Record) string {
		if r.Site < 0 {
			return ""
		}
		return inside[r.Site]
	}
	for i := 0; i < len(rs); i++ {
		f := of(&rs[i])
		if f == "" || rs[i].Op != analysis.OpLock || rs[i].End {
			continue
		}
		c := call{mutex: rs[i].Object, function: f, first: i}
		for ; i < len(rs) && of(&rs[i]) == f; i++ {
			r := &rs[i]
			if c.at == 0 && r.Op == analysis.OpUnlock && !r.End && r.Object == c.mutex {
				c.at = r.Time
			}
			if r.Op == analysis.OpLock && !r.End && i > c.first {
				break // the next call
			}
			switch r.Op {
			case analysis.OpMake:
				c.waits = true
			case analysis.OpClose:
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

// permitsOf counts the holders of a semaphore from call to call and returns how
// many there were whenever somebody waited: the same number each time, or the
// weights differ. Where nobody ever waited it is the largest number of holders.
func permitsOf(calls []call) (permits int, ok bool) {
	slices.SortFunc(calls, func(a, b call) int { return cmp.Compare(a.at, b.at) })
	holders, most, full := 0, 0, -1
	for i := range calls {
		switch c := &calls[i]; {
		case c.function == releaseCall:
			holders += c.wakes - 1
		case c.function != acquireCall:
			return 0, false
		case !c.waits:
			holders++
		case full >= 0 && full != holders:
			return 0, false
		default:
			full = holders
		}
		if holders < 0 {
			return 0, false
		}
		most = max(most, holders)
	}
	if full >= 0 {
		return full, full > 0 && most <= full
	}
	return most, most > 0
}

// withCalls returns the records with a start and an end for each call in the
// place of what it did. Calls are in any order.
func withCalls(rs []analysis.Record, calls []call) []analysis.Record {
	slices.SortFunc(calls, func(a, b call) int { return cmp.Compare(a.first, b.first) })
	var out []analysis.Record
	from := 0
	for _, c := range calls {
		start, end := rs[c.first], rs[c.past-1]
		start.Op, start.Object, start.Arg, start.Value = analysis.OpAcquire, c.object, 1, 0
		if c.function == releaseCall {
			start.Op = analysis.OpRelease
		}
		end.Op, end.Object, end.Arg, end.Value, end.Site, end.End = start.Op, start.Object, 1, 0, start.Site, true
		out = append(append(out, rs[from:c.first]...), start)
		if rs[c.past-1].End {
			out = append(out, end)
		}
		from = c.past
	}
	return append(out, rs[from:]...)
}
