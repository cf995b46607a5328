package tasks

import (
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// workPhase cuts a sequence to the work phase. "The model doesn't simulate
// program's performance during the startup and shutdown phases. Among all CFs
// executed during the startup phase, only the CFs that are required to build
// a semantically correct model are incorporated into the model … All the CFs
// executed during the shutdown phase are considered as insignificant" (Tarvo
// & Reiss 2014, §4.3.1). What startup leaves behind in locks and channels is
// in resource.prefill. An operation during which the phase begins belongs to
// it; the thread is then in the middle of its work.
func workPhase(q *trail.Sequence, begin, end int64, nodes *trail.NodeTable) {
	first := 0
	for first < len(q.Steps) && q.Steps[first].End < begin && !q.Steps[first].Open {
		first++
	}
	past := first
	for past < len(q.Steps) && q.Steps[past].Start <= end {
		past++
	}
	if past < len(q.Steps) {
		q.Cut = true
	}
	if first == 0 {
		q.Steps = q.Steps[:past]
		return
	}
	steps := []trail.Step{{Node: nodes.Begin, Start: begin, End: begin}}
	q.Steps = append(steps, q.Steps[first:past]...)
	q.Left = true
	if len(q.Steps) > 1 {
		q.Steps[1].Gap, q.Steps[1].GapWall = 0, 0
	}
}

// beginAtFetch lets a thread that was in the middle of a task when the work
// phase began start with the next task.
func beginAtFetch(q *trail.Sequence) {
	if !q.Left {
		return
	}
	for i := range q.Steps {
		if q.Steps[i].Node.Class == core.InFragment {
			q.Steps[i].Gap, q.Steps[i].GapWall = 0, 0
			q.Steps = append(q.Steps[:1:1], q.Steps[i:]...)
			return
		}
	}
}

// countPrefill counts the tokens that are in r's channel when the work phase
// begins, as if no request were under way: what one has taken or put there is
// given back after that, with what is left out of the model: the steps before
// first, by sequence.
func countPrefill(r *trail.Resource, begin int64, first map[*trail.Sequence]int) {
	if r.Kind != core.Channel {
		return
	}
	n := 0
	for _, u := range r.Uses {
		s := u.Step()
		if s.Open || s.End >= begin && u.Index >= first[u.Sequence] {
			continue
		}
		switch trail.ChannelOp(s) {
		case core.Send:
			n++
		case core.Receive:
			if s.Received() {
				n--
			}
		default: // a close brings no token, an attempt that failed neither
		}
	}
	r.Prefill = max(n, 0)
}

// firstTask is the step from which on what a thread does after a time is in the model: where it reads its next request
// (requests), or takes its next task (beginAtFetch); 0 if it does neither.
func firstTask(g *trail.Pool, q *trail.Sequence, begin int64) int {
	connection, marks := g.Kind == trail.PoolPerConnection, marked(q)
	return max(slices.IndexFunc(q.Steps, func(s trail.Step) bool {
		switch {
		case s.End < begin:
			return false
		case connection && marks:
			return s.Node.Op == trace.OpTaskBegin
		case connection:
			return s.Node.Op == trace.OpNetRead
		}
		return s.Lock != nil && s.Lock.Task && trail.ChannelOp(&s) == core.Receive
	}), 0)
}

// requests cuts the trace of a connection's thread into requests. A request
// begins with the first read after an answer was written, or of the
// connection; it is answered after the last write before the next one. Where
// the front end marks requests, the marks decide. Reading is waiting for the
// client, not work; its CPU time belongs to the request. A request that the
// phase cuts off, and the end of a connection, are left out.
func requests(q *trail.Sequence, nodes *trail.NodeTable, done *trail.Node) []*trail.Sequence {
	var out []*trail.Sequence
	var steps []trail.Step
	answered := -1 // index in steps of the last write
	wrote, marked := true, marked(q)
	finish := func(at int64) {
		if len(steps) == 0 || answered < 0 {
			steps = nil
			return
		}
		p := &trail.Sequence{Thread: q.Thread}
		for i, s := range steps {
			p.Steps = append(p.Steps, s)
			if i == answered {
				p.Steps = append(p.Steps, trail.Step{Node: done, Gap: s.CPU, Start: s.End, End: s.End})
				p.Steps[len(p.Steps)-2].CPU = 0
			}
		}
		p.Steps = append(p.Steps, trail.Step{Node: nodes.End, Start: at, End: at})
		out = append(out, p)
		steps = nil
	}
	for i := range q.Steps {
		s := q.Steps[i]
		begins := !marked && s.Node.Op == trace.OpNetRead && wrote || marked && s.Node.Op == trace.OpTaskBegin
		if begins {
			finish(s.Start)
			if s.Open {
				break
			}
			steps = []trail.Step{{Node: nodes.Begin, Start: s.End, End: s.End}}
			s.Node, s.Start = nodes.Virtual("request", s.Node, core.DispatchFragment), s.End
			s.Gap, s.GapWall = 0, 0
			steps = append(steps, s)
			wrote, answered = false, -1
			continue
		}
		if len(steps) == 0 || s.Node == nodes.End || s.Node == nodes.Begin {
			continue
		}
		steps = append(steps, s)
		if !marked && (s.Node.Op == trace.OpNetWrite || s.Node.Op == trace.OpFileSend) || marked && s.Node.Op == trace.OpTaskEnd {
			wrote, answered = true, len(steps)-1
		}
	}
	if !q.Cut && len(q.Steps) > 0 {
		finish(q.Steps[len(q.Steps)-1].Start)
	}
	return out
}

func marked(q *trail.Sequence) bool {
	for i := range q.Steps {
		if q.Steps[i].Node.Op == trace.OpTaskBegin {
			return true
		}
	}
	return false
}
