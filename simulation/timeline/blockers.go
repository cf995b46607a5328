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
}

// Chain says who keeps a thread waiting at a time, and who keeps those: the
// thread itself first. A thread that waits for a lock is followed by the one that
// holds it; the chain ends with one that does not wait for a lock, or with the
// first again where they wait for each other for ever.
func (r *Recording) Chain(thread string, at des.Time) []Link {
	var out []Link
	for name := thread; name != ""; {
		again := slices.ContainsFunc(out, func(l Link) bool { return l.Thread == name })
		link := Link{Thread: name}
		next := ""
		if lane := r.lane(Threads, name); lane != nil {
			if s, ok := lane.At(at); ok {
				link.Span = s
				if waits(s.State) {
					link.For = r.LabelText(s.Label)
				}
				if s.State == LockWait {
					next = r.Holder(link.For, at)
				}
			}
		}
		out = append(out, link)
		if again {
			break
		}
		name = next
	}
	return out
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
// first: back from the last thing that a thread did, and from every wait for a lock
// to the thread that gave it free.
func (r *Recording) Critical() []Segment {
	var lane *Lane
	at := des.Time(-1)
	for _, l := range r.Lanes {
		if n := len(l.Spans); l.Group == Threads && n > 0 && l.Spans[n-1].End > at && l.Spans[n-1].State != QueueWait {
			lane, at = l, l.Spans[n-1].End
		}
	}
	var out []Segment
	for lane != nil && at > 0 {
		i, _ := slices.BinarySearchFunc(lane.Spans, at, func(s Span, t des.Time) int { return cmp.Compare(s.Start, t) })
		if i--; i < 0 {
			break
		}
		s := lane.Spans[i]
		if s.State == LockWait && s.End == at {
			if holder := r.Holder(r.LabelText(s.Label), at-1); holder != "" && holder != lane.Name {
				if l := r.lane(Threads, holder); l != nil {
					lane = l
					continue
				}
			}
		}
		s.End = min(s.End, at)
		out = append(out, Segment{lane.Name, s})
		at = s.Start
	}
	slices.Reverse(out)
	return out
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

// During returns how the threads of a group spent a range of time, all of them
// together, the longest first.
func (r *Recording) During(g Group, from, to des.Time) []Share {
	sums := map[Share]des.Time{}
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
			sums[k] += min(s.End, to) - max(s.Start, from)
		}
	}
	return sorted(sums)
}
