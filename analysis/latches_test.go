package analysis

import (
	"testing"

	"tierscope/analysis/normalise"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// closes and receives are what threads do with a channel that says when a value is there.
func (a *actor) closes(c uint64) *actor { return a.does(trace.OpClose, "close", c, 0, 0) }

func (a *actor) receives(c uint64, wait int64) *actor {
	return a.does(trace.OpReceive, "receive", c, 0, wait)
}

// Who makes the entry of a cache works its value out and closes its channel; who finds it closed goes on, and who comes before
// waits as for something outside; so does who joins a call that another one makes. Where most wait, where another thread closes the channel, where it is asked and not waited
// for, and where there is one only, the channels stay: they say that something has happened.
func TestWhatIsFoundClosedIsNoChannel(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		entries, found int
		alone          int // for so many nobody waits
		polled, others bool
		stays          bool
	}{
		"a cache":                     {8, 3, 0, false, false, false},
		"most wait":                   {8, 0, 0, false, false, true},
		"one channel":                 {1, 3, 0, false, false, true},
		"another one closes":          {8, 3, 0, false, true, true},
		"asked, not waited for":       {8, 3, 0, true, false, true},
		"calls of one key are joined": {8, 0, 5, false, false, false},
		"for most somebody waits":     {8, 0, 3, false, false, true},
	} {
		s := newScript()
		main := s.thread("main", nil, 0)
		a, b := s.thread("worker", main, 0), s.thread("worker", main, 0)
		for i := range c.entries {
			entry := uint64(10 + i)
			at := int64(i)*10_000_000 + 1_000
			a.now, b.now = at, at+1_000_000
			a.makes("make", entry, 0).compute(4_000_000)
			if c.polled {
				b.does(trace.OpTryReceive, "poll", entry, 0, 0)
			}
			if c.others {
				b.closes(entry)
				a.receives(entry, 0)
			} else {
				if i >= c.alone {
					b.receives(entry, a.now-b.now+500)
				}
				a.closes(entry)
			}
			for range c.found {
				b.receives(entry, 0).compute(1_000)
			}
		}
		tr := &trail.Trail{Trace: s.trace}
		normalise.Latches(tr)
		ops := map[trace.Op]int{}
		for _, th := range tr.Trace.Threads {
			for _, r := range th.Records {
				if !r.End {
					ops[r.Op]++
				}
			}
		}
		if c.stays {
			if got, want := len(tr.Trace.Threads[b.id].Records), len(s.trace.Threads[b.id].Records); got != want || ops[trace.OpExternal] > 0 {
				t.Errorf("%s: of %d records %d are left, %d are waits for something outside; want all, as they are", name, want, got, ops[trace.OpExternal])
			}
			continue
		}
		if ops[trace.OpMake]+ops[trace.OpClose]+ops[trace.OpReceive] > 0 || ops[trace.OpExternal] != c.entries-c.alone {
			t.Errorf("%s: %v, want %d waits for something outside and nothing else", name, ops, c.entries-c.alone)
		}
		if wait := waitsOf(tr.Trace.Threads[b.id].Records); wait != int64(c.entries-c.alone)*3_000_500 {
			t.Errorf("%s: they take %d ns, want what was recorded", name, wait)
		}
	}
}

// waitsOf is how long a thread waits for something outside, ns.
func waitsOf(rs []trace.Record) (sum int64) {
	for _, r := range rs {
		switch {
		case r.Op == trace.OpExternal && r.End:
			sum += r.Time
		case r.Op == trace.OpExternal:
			sum -= r.Time
		}
	}
	return sum
}
