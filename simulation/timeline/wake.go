package timeline

import (
	"cmp"
	"slices"

	"tierscope/simulation/des"
)

// wake is when a thread let another one go on.
type wake struct {
	at des.Time
	by *Lane
}

// Woke says that what another thread did at a time, which is not before the last one given for the lane, let the thread of
// a lane go on: a wait of it ended, or it began. What ends a wait of no time is not kept.
func (r *Recording) Woke(lane int32, at des.Time, by int32) {
	l := r.Lanes[lane]
	if r.Full || l.open && !l.Spans[len(l.Spans)-1].waitsSince(at) {
		return
	}
	w := wake{at, r.Lanes[by]}
	if n := len(l.woken); n > 0 && l.woken[n-1].at == at {
		l.woken[n-1] = w
		return
	}
	l.woken = append(l.woken, w)
}

// waitsSince reports whether a span is a wait that began before a time.
func (s Span) waitsSince(at des.Time) bool {
	return s.Start < at && (waits(s.State) || s.State == Other)
}

// Waker returns the thread that let the one of a lane go on at a time, nil if none did, or the recording does not say.
func (l *Lane) Waker(at des.Time) *Lane {
	i, ok := slices.BinarySearchFunc(l.woken, at, func(w wake, t des.Time) int { return cmp.Compare(w.at, t) })
	if !ok {
		return nil
	}
	return l.woken[i].by
}

// before is the last span that began before a time.
func (l *Lane) before(at des.Time) (Span, bool) {
	i, _ := slices.BinarySearchFunc(l.Spans, at, func(s Span, t des.Time) int { return cmp.Compare(s.Start, t) })
	if i == 0 {
		return Span{}, false
	}
	return l.Spans[i-1], true
}
