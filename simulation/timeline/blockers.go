package timeline

import (
	"cmp"
	"slices"

	"tierscope/simulation/des"
)

// Link is a thread in a chain of threads that wait for each other.
type Link struct {
	Thread string
	Span   Span
	// For is what it waits for by name: a lock, a queue, a disk; "" of one that
	// runs or is not in the recording at the time.
	For string
	// Holds says that it holds the lock that the one before waits for; otherwise it is the one that ends that wait.
	Holds bool
}

// Chain says who keeps a thread waiting at a time, and who keeps those: the
// thread itself first. A thread that waits for a lock is followed by the one that
// holds it, one that waits for anything else, or for a lock whose holder the recording
// does not show, by the one that ends the wait; the chain ends with one that
// does not wait for another, or with the first again where they wait for each other.
func (r *Recording) Chain(thread string, at des.Time) []Link {
	var out []Link
	for next := (Link{Thread: thread}); next.Thread != ""; {
		again := slices.ContainsFunc(out, func(l Link) bool { return l.Thread == next.Thread })
		link := next
		next = Link{}
		if lane := r.lane(Threads, link.Thread); lane != nil {
			if s, ok := lane.At(at); ok {
				link.Span = s
				if waits(s.State) {
					link.For = r.LabelText(s.Label)
				}
				next = r.blocker(lane, s, at)
			}
		}
		out = append(out, link)
		if again {
			break
		}
	}
	return out
}

// blocker is who keeps the thread of a lane in a span at a time.
func (r *Recording) blocker(lane *Lane, s Span, at des.Time) Link {
	if s.State == LockWait {
		if holder := r.Holder(r.LabelText(s.Label), at); holder != "" {
			return Link{Thread: holder, Holds: true}
		}
	}
	if waker := lane.Waker(s.End); waker != nil && s.waitsSince(s.End) {
		return Link{Thread: waker.Name}
	}
	return Link{}
}

func waits(s State) bool {
	return s == LockWait || s == SignalWait || s == QueueWait || s == DiskWait || s == DiskService
}

// Holder is the thread that holds a lock at a time, "" if nobody does or the
// recording does not say.
func (r *Recording) Holder(lock string, at des.Time) string {
	lane := r.lane(Locks, lock)
	if lane == nil {
		return ""
	}
	s, ok := lane.At(at)
	if !ok {
		return ""
	}
	return r.LabelText(s.Label)
}

func (r *Recording) lane(g Group, name string) *Lane {
	for _, l := range r.Lanes {
		if l.Group == g && l.Name == name {
			return l
		}
	}
	return nil
}

// Share is a part of a time: a state, with the name of what was waited for.
type Share struct {
	State State
	For   string // of a lock, a queue or a disk; "" of other states
	Time  des.Time
	Idle  bool // threads without a task wait for one
}

// Task returns from when to when threads worked on a task, and where that time
// went: in the states of its threads, and waiting between them (QueueWait of no
// name), the longest first. It reports false if no thread did.
func (r *Recording) Task(task int64) (from, to des.Time, shares []Share, ok bool) {
	sums := map[Share]des.Time{}
	var spans []Span
	for _, l := range r.Lanes {
		if l.Group != Threads {
			continue
		}
		for _, s := range l.Spans {
			if s.Task != task {
				continue
			}
			spans = append(spans, s)
			k := Share{State: s.State}
			if waits(s.State) {
				k.For = r.LabelText(s.Label)
			}
			sums[k] += s.End - s.Start
		}
	}
	if len(spans) == 0 {
		return 0, 0, nil, false
	}
	slices.SortFunc(spans, func(a, b Span) int { return cmp.Compare(a.Start, b.Start) })
	from, to = spans[0].Start, spans[0].End
	for _, s := range spans[1:] {
		if s.Start > to {
			sums[Share{State: QueueWait}] += s.Start - to
		}
		to = max(to, s.End)
	}
	return from, to, sorted(sums), true
}

func sorted(sums map[Share]des.Time) []Share {
	var out []Share
	for k, t := range sums {
		k.Time = t
		out = append(out, k)
	}
	slices.SortFunc(out, func(a, b Share) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.State, b.State), cmp.Compare(a.For, b.For))
	})
	return out
}

// Segment is a part of a critical path: what a thread did that everything after
// it waited for.
type Segment struct {
	Thread string
	Span
}

// Critical returns the path that decides when a recording ends, first part
// first: back from the last thing that a thread did, and from every wait that another thread ended, and from
// where a thread began, to the one that did that.
func (r *Recording) Critical() []Segment {
	var lane *Lane
	at := des.Time(-1)
	for _, l := range r.Lanes {
		if n := len(l.Spans); l.Group == Threads && n > 0 && l.Spans[n-1].End > at && l.Spans[n-1].State != QueueWait {
			lane, at = l, l.Spans[n-1].End
		}
	}
	var out []Segment
	for at > 0 && lane != nil {
		var s Span
		if lane, s = lane.decides(at, len(r.Lanes)); s.Start == s.End {
			break
		}
		s.End = min(s.End, at)
		out = append(out, Segment{lane.Name, s})
		at = s.Start
	}
	slices.Reverse(out)
	return out
}

// decides goes from who goes on at a time to who lets it, and so on over at most so many threads, and returns the one that goes on by itself, with
// what it did until then.
func (l *Lane) decides(at des.Time, most int) (*Lane, Span) {
	for range most {
		s, ok := l.before(at)
		waker := l.Waker(at)
		if waker == nil || ok && s.End >= at && !s.waitsSince(at) {
			return l, s
		}
		l = waker
	}
	s, _ := l.before(at)
	return l, s
}

// Sum returns the shares of the parts of a path, the longest first.
func (r *Recording) Sum(path []Segment) []Share {
	sums := map[Share]des.Time{}
	for _, s := range path {
		k := Share{State: s.State}
		if waits(s.State) {
			k.For = r.LabelText(s.Label)
		}
		sums[k] += s.End - s.Start
	}
	return sorted(sums)
}

// hasTasks reports whether it is known which tasks threads work on.
func (r *Recording) hasTasks() bool {
	return slices.ContainsFunc(r.Lanes, func(l *Lane) bool {
		return slices.ContainsFunc(l.Spans, func(s Span) bool { return s.Task != NoTask })
	})
}

// During returns how the threads of a group spent a range of time, all of them
// together, the longest first.
func (r *Recording) During(g Group, from, to des.Time) []Share {
	sums := map[Share]des.Time{}
	tasks := r.hasTasks()
	for _, l := range r.Lanes {
		if l.Group != g {
			continue
		}
		i, _ := slices.BinarySearchFunc(l.Spans, from, func(s Span, t des.Time) int { return cmp.Compare(s.End, t) })
		for _, s := range l.Spans[i:] {
			if s.Start >= to {
				break
			}
			k := Share{State: s.State}
			if waits(s.State) {
				k.For = r.LabelText(s.Label)
			}
			k.Idle = tasks && s.State == QueueWait && s.Task == NoTask
			sums[k] += min(s.End, to) - max(s.Start, from)
		}
	}
	return sorted(sums)
}
