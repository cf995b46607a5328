package golang

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"tierscope/analysis/normalise"
	"tierscope/analysis/trace"
)

// A limiter of golang.org/x/time/rate is a mutex and a number of tokens that grows
// with the clock. Wait takes a token that may not be there yet and waits for a timer
// of its own until it is:
//
//	lock, unlock, lock, unlock                       there was a token
//	lock, unlock, lock, unlock, make a channel, select  there will be
//
// To the trace these are waits of so much time each. With more threads, which want
// more tokens, each waits longer. So a limiter becomes a channel with burst places
// to which a ticker sends tokens at the limit, and Wait receives one.
const (
	limiterPackage = "golang.org/x/time/rate."
	limiterMethods = limiterPackage + "(*Limiter)."
	limiterWait    = limiterMethods + "Wait"
)

// fastest is the limit per second beyond which tokens are as good as always there.
const fastest = 100_000

// limiters replaces the records of limiters by receives of tokens.
func limiters(t *trace.Trace) {
	inside := functionsAt(t, func(name string) bool { return strings.HasPrefix(name, limiterMethods) })
	calls := callsByMutex(t, inside, limiterCalls)
	var known []call
	for _, mutex := range slices.Sorted(maps.Keys(calls)) {
		cs := calls[mutex]
		limit := math.Float64frombits(uint64(cs[0].size))
		if !(limit > 0) || limit > fastest || cs[0].after < 1 {
			continue
		}
		if slices.ContainsFunc(cs, func(c call) bool { return c.function != limiterWait || c.size != cs[0].size }) {
			t.Warnings = append(t.Warnings, fmt.Sprintf("a limiter of golang.org/x/time/rate of which more than one token is asked for at a time, or that is asked without waiting or changed: its waits, in %d calls, are taken as given", len(cs)))
			continue
		}
		var taken []int64
		for _, c := range cs {
			taken = append(taken, t.Threads[c.thread].Records[c.past-1].Time)
		}
		slices.Sort(taken)
		place := callerOf(t.Sites[t.Threads[cs[0].thread].Records[cs[0].first].Site])
		id := normalise.AddLimiter(t, place, limit, int(cs[0].after), taken)
		for _, c := range cs {
			c.object = id
			known = append(known, c)
		}
	}
	putCalls(t, known)
}

// limiterCalls finds the calls in the records of a thread. Wait locks twice, or
// once more to give back what it cannot wait for.
func limiterCalls(rs []trace.Record, inside []string) []call {
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
		for locks := 0; i < len(rs) && of(&rs[i]) == f; i++ {
			switch r := &rs[i]; {
			case r.End:
			case r.Op == trace.OpUnlock:
				c.after = r.Arg
			case r.Op == trace.OpLock:
				locks++
			}
			if locks > 2 {
				break
			}
		}
		c.past = i
		i--
		out = append(out, c)
	}
	return out
}

// callerOf is where the program calls the package.
func callerOf(s trace.Site) trace.Frame {
	for _, f := range s.Frames {
		if !f.Std && !strings.HasPrefix(f.Function, limiterPackage) {
			return f
		}
	}
	return trace.Frame{}
}
