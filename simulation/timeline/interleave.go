package timeline

import "tierscope/simulation/des"

// Interleave puts two finished recordings into one, each track of a beside the
// track of b that has the same name; suffixes tell them apart. The clocks of both
// begin at 0: a recording that begins later, after a warm-up, is moved.
func Interleave(a, b *Recording, suffixA, suffixB string) *Recording {
	out := New(0)
	out.Full = a.Full || b.Full
	type side struct {
		*Recording
		suffix string
	}
	both := [2]side{{a, suffixA}, {b, suffixB}}
	for _, s := range both {
		out.Until = max(out.Until, s.Until-s.begin())
	}
	done := map[*Lane]*Lane{}
	for _, s := range both {
		for _, l := range s.Lanes {
			if done[l] != nil {
				continue
			}
			for _, other := range both {
				if x := other.lane(l.Group, l.Name); x != nil && done[x] == nil {
					done[x] = out.moved(other.Recording, x, other.suffix)
					out.Lanes = append(out.Lanes, done[x])
				}
			}
		}
		for _, c := range s.Counters {
			n := Counter{Group: c.Group, Name: c.Name + s.suffix}
			for _, step := range c.Steps {
				n.Steps = append(n.Steps, Step{step.At - s.begin(), step.Value})
			}
			out.Counters = append(out.Counters, &n)
		}
	}
	for _, s := range both {
		for _, l := range s.Lanes {
			for _, w := range l.woken {
				done[l].woken = append(done[l].woken, wake{w.at - s.begin(), done[w.by]})
			}
		}
	}
	out.done = true
	return out
}

// begin is the first moment of a recording.
func (r *Recording) begin() (first des.Time) {
	first = r.Until
	for _, l := range r.Lanes {
		if len(l.Spans) > 0 {
			first = min(first, l.Spans[0].Start)
		}
	}
	return first
}

// moved copies a lane of another recording, with labels of this one.
func (r *Recording) moved(from *Recording, l *Lane, suffix string) *Lane {
	n := &Lane{Group: l.Group, Name: l.Name + suffix, Spans: make([]Span, len(l.Spans))}
	shift := from.begin()
	for i, s := range l.Spans {
		text := from.LabelText(s.Label)
		if l.Group == Locks || l.Group == Cores || s.State == LockWait { // names of lanes
			text += suffix
		}
		s.Start, s.End, s.Label = s.Start-shift, s.End-shift, r.Label(text)
		n.Spans[i] = s
	}
	n.build()
	return n
}
