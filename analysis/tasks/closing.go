package tasks

import (
	"slices"

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

// paired reports whether r are several channels of which each joins two threads that have no other one: who sends, and closes
// it at the end, and who receives.
//
//	for _, source := range sources {
//		out := make(chan item)
//		go func() { defer close(out); … out <- x … }()
//		go func() { for x := range out { merged <- x } }()
//	}
//
// In the model these too are one queue: what each thread of a pool closes, the last of them closes. Connections are no such
// channels: who writes to one waits for the answer of its partner and of nobody else.
func paired(r *trail.Resource) bool {
	connects := func(o *trail.Object) bool { return o.Made != nil && o.Made.Kind == trace.Stream }
	if r.Scope != core.PerProgram || r.Together < 2 || len(r.Objects) != r.Together || slices.ContainsFunc(r.Objects, connects) {
		return false
	}
	type end struct {
		of *trail.Sequence
		op core.SyncOp
	}
	only := map[end]uint64{} // the channel of a thread
	closers := map[uint64]*trail.Sequence{}
	ends := map[uint64]map[end]bool{}
	for _, u := range r.Uses {
		s := u.Step()
		op := trail.ChannelOp(s)
		if s.Node.Op == trace.OpClose {
			if closers[s.Object] != nil {
				return false
			}
			closers[s.Object] = u.Sequence
			op = core.Send
		}
		if op == "" { // it is made, or nothing passed
			continue
		}
		e := end{u.Sequence, op}
		if o, has := only[e]; has && o != s.Object {
			return false
		}
		only[e] = s.Object
		if ends[s.Object] == nil {
			ends[s.Object] = map[end]bool{}
		}
		ends[s.Object][e] = true
	}
	for _, es := range ends {
		if len(es) != 2 { // one sends, who closes it too, and one receives
			return false
		}
	}
	return len(closers) == len(r.Objects)
}

// closeOnce leaves only the last close of channels that are closed together.
func closeOnce(rs []*trail.Resource) {
	for _, r := range rs {
		if !r.Task || paired(r) || !closedTogether(r) {
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
		object := last.Object // each is closed once
		seqs := map[*trail.Sequence]bool{}
		for _, u := range r.Uses {
			seqs[u.Sequence] = true
		}
		for q := range seqs {
			q.Rewrite(func(_ int, s trail.Step) []trail.Step {
				if s.Lock == r && s.Node.Op == trace.OpClose && s.Object != object {
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
