package trail

import (
	"slices"

	"tierscope/analysis/trace"
	"tierscope/core"
)

// Region is a stay under a lock, from step first, which acquires it, to step
// last, which releases it.
type Region struct {
	First, Last int
	Lock        *Resource
}

// Regions returns the stays under locks in the order in which they begin, one
// that is not ended before the recording excepted.
func (q *Sequence) Regions() []Region {
	var rs []Region
	type key struct {
		object uint64
		by     trace.Op
	}
	open := map[key][]int{} // indices into rs
	for i := range q.Steps {
		s := &q.Steps[i]
		if s.Lock == nil || s.Node.Class != core.SyncFragment {
			continue
		}
		if by, ok := trace.Acquires(s.Node.Op); ok && s.Succeeded() && !s.Open {
			k := key{s.Object, by}
			open[k] = append(open[k], len(rs))
			rs = append(rs, Region{i, -1, s.Lock})
			continue
		}
		if k := (key{s.Object, s.Node.Op}); len(open[k]) > 0 {
			n := len(open[k]) - 1
			rs[open[k][n]].Last = i
			open[k] = open[k][:n]
		}
	}
	return slices.DeleteFunc(rs, func(r Region) bool { return r.Last < 0 })
}

// Stay is a region with who is in it and which conditions are used there.
type Stay struct {
	Region
	Sequence       *Sequence
	Pool           *Pool
	Signals, Waits map[*Resource]bool
}

// Enters is the step that acquires the lock.
func (s *Stay) Enters() *Step { return &s.Sequence.Steps[s.First] }

// Leaves is the step that releases the lock.
func (s *Stay) Leaves() *Step { return &s.Sequence.Steps[s.Last] }

// Stays returns the stays under a lock by thread and time. A signal directly after the release belongs to
// the stay.
func (r *Resource) Stays() []Stay {
	var out []Stay
	done := map[*Sequence]bool{}
	for _, u := range r.Uses {
		if done[u.Sequence] {
			continue
		}
		done[u.Sequence] = true
		for _, in := range u.Sequence.Regions() {
			if in.Lock != r {
				continue
			}
			s := Stay{Region: in, Sequence: u.Sequence, Pool: u.Pool, Signals: map[*Resource]bool{}, Waits: map[*Resource]bool{}}
			for i := in.First; i <= in.Last+1 && i < len(u.Sequence.Steps); i++ {
				switch x := &u.Sequence.Steps[i]; x.Node.Op {
				case trace.OpSignal, trace.OpBroadcast:
					s.Signals[x.Lock] = true
				case trace.OpCondWait:
					s.Waits[x.Lock] = true
				}
			}
			out = append(out, s)
		}
	}
	return out
}
