package tasks

import (
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// A thread may have a channel for each of its partners,
//
//	for step := range steps {
//		for w := range workers { work[w] <- part(step, w) }
//		for range workers { <-results }
//	}
//	for w := range workers { close(work[w]) }
//
// In the model these are one queue from which the partners take, as large as all
// of them, that is closed when the last one is.

// closedTogether reports whether r are several channels at a time of which each is
// closed once, after everything has been sent to any of them.
func closedTogether(r *trail.Resource) bool {
	if r.Scope != core.PerProgram || r.Together < 2 || len(r.Objects) != r.Together {
		return false
	}
	closed := map[uint64]bool{}
	last, first := int64(0), int64(0)
	for _, u := range r.Uses {
		switch s := u.Step(); {
		case s.Node.Op == trace.OpClose:
			if closed[s.Object] {
				return false
			}
			closed[s.Object] = true
			if first == 0 || s.Start < first {
				first = s.Start
			}
		case trail.ChannelOp(s) == core.Send:
			last = max(last, s.Start)
		}
	}
	return len(closed) == len(r.Objects) && last < first
}

// closeOnce leaves only the last close of channels that are closed together.
func closeOnce(rs []*trail.Resource) {
	for _, r := range rs {
		if !r.Task || r.Together < 2 || r.Scope != core.PerProgram {
			continue
		}
		var last *trail.Step
		for _, u := range r.Uses {
			if s := u.Step(); s.Node.Op == trace.OpClose && (last == nil || s.Start > last.Start) {
				last = s
			}
		}
		if last == nil {
			continue
		}
		end := last.Start
		seqs := map[*trail.Sequence]bool{}
		for _, u := range r.Uses {
			seqs[u.Sequence] = true
		}
		for q := range seqs {
			q.Rewrite(func(_ int, s trail.Step) []trail.Step {
				if s.Lock == r && s.Node.Op == trace.OpClose && s.Start < end {
					return nil
				}
				return []trail.Step{s}
			})
		}
	}
}

// ClosedTogether leaves only the last close of channels that are closed together.
func ClosedTogether(tr *trail.Trail) {
	closeOnce(tr.Resources)
}
