package golang

import (
	"cmp"
	"slices"

	"tierscope/analysis/trace"
)

// Modules that are no part of the standard library have primitives of their own, whose
// files an overlay must not replace: the probes see the mutexes and channels that
// they are made of. Here what one call of theirs did becomes one operation.

// call is one call of a method: records first to past in a thread.
type call struct {
	thread      int
	mutex       uint64
	object      uint64 // what the call is an operation on
	function    string
	first, past int
	at          int64 // ns: the end of the stay under the mutex
	size, after int64 // what the lock told, and the unlock
	waits       bool
	wakes       int
	asks        int64 // permits of a semaphore
	fails       bool
	nothing     bool // it asked for no permits: it did nothing
}

// functionsAt returns for every site the outermost function of the given ones that was
// being executed, "" if none was.
func functionsAt(t *trace.Trace, is func(name string) bool) []string {
	inside := make([]string, len(t.Sites))
	for i, s := range t.Sites {
		for _, f := range s.Frames {
			if is(f.Function) {
				inside[i] = f.Function
			}
		}
	}
	return inside
}

// callsByMutex returns the calls that find finds in the records of the threads, by
// mutex; inside is what functionsAt returned.
func callsByMutex(t *trace.Trace, inside []string, find func(rs []trace.Record, inside []string) []call) map[uint64][]call {
	calls := map[uint64][]call{}
	if !slices.ContainsFunc(inside, func(name string) bool { return name != "" }) {
		return calls
	}
	for i := range t.Threads {
		for _, c := range find(t.Threads[i].Records, inside) {
			c.thread = i
			calls[c.mutex] = append(calls[c.mutex], c)
		}
	}
	return calls
}

// putCalls puts calls into the records of their threads, in the place of what they did.
func putCalls(t *trace.Trace, calls []call) {
	by := map[int][]call{}
	for _, c := range calls {
		by[c.thread] = append(by[c.thread], c)
	}
	for i, cs := range by {
		t.Threads[i].Records = withCalls(t.Threads[i].Records, cs)
	}
}

// withCalls returns the records with a start and an end for each call in the
// place of what it did. Calls are in any order.
func withCalls(rs []trace.Record, calls []call) []trace.Record {
	slices.SortFunc(calls, func(a, b call) int { return cmp.Compare(a.first, b.first) })
	var out []trace.Record
	from := 0
	for _, c := range calls {
		out = append(out, rs[from:c.first]...)
		from = c.past
		if c.nothing {
			continue
		}
		start, end := rs[c.first], rs[c.past-1]
		start.Op, start.Object, start.Arg, start.Value = c.op(), c.object, c.asks, 0
		end.Op, end.Object, end.Arg, end.Value, end.Site, end.End = start.Op, start.Object, 1, 0, start.Site, true
		if c.fails {
			end.Arg = 0
		}
		out = append(out, start)
		if rs[c.past-1].End {
			out = append(out, end)
		}
	}
	return append(out, rs[from:]...)
}

func (c *call) op() trace.Op {
	switch c.function {
	case releaseCall:
		return trace.OpRelease
	case tryCall:
		return trace.OpTryAcquire
	case limiterWait:
		return trace.OpReceive
	}
	return trace.OpAcquire
}
