package analysis

import "tierscope/core"

// workPhase cuts a sequence to the work phase. "The model doesn't simulate
// program's performance during the startup and shutdown phases. Among all CFs
// executed during the startup phase, only the CFs that are required to build
// a semantically correct model are incorporated into the model … All the CFs
// executed during the shutdown phase are considered as insignificant" (Tarvo
// & Reiss 2014, §4.3.1). What startup leaves behind in locks and channels is
// in resource.prefill. An operation during which the phase begins belongs to
// it; the thread is then in the middle of its work.
func (q *sequence) workPhase(begin, end int64, nodes *nodeTable) {
	first := 0
	for first < len(q.steps) && q.steps[first].end < begin && !q.steps[first].open {
		first++
	}
	past := first
	for past < len(q.steps) && q.steps[past].start <= end {
		past++
	}
	if past < len(q.steps) {
		q.cut = true
	}
	if first == 0 {
		q.steps = q.steps[:past]
		return
	}
	steps := []step{{node: nodes.begin, start: begin, end: begin}}
	q.steps = append(steps, q.steps[first:past]...)
	q.left = true
	if len(q.steps) > 1 {
		q.steps[1].gap, q.steps[1].gapWall = 0, 0
	}
}

// beginAtFetch lets a thread that was in the middle of a task when the work
// phase began start with the next task.
func (q *sequence) beginAtFetch() {
	if !q.left {
		return
	}
	for i := range q.steps {
		if q.steps[i].node.class == core.InFragment {
			q.steps[i].gap, q.steps[i].gapWall = 0, 0
			q.steps = append(q.steps[:1:1], q.steps[i:]...)
			return
		}
	}
}

// countPrefill counts the tokens that are in r's channel when the work phase
// begins.
func (r *resource) countPrefill(begin int64) {
	if r.kind != core.Channel {
		return
	}
	n := 0
	for _, u := range r.uses {
		s := &u.seq.steps[u.step]
		if s.end >= begin || s.open {
			continue
		}
		switch channelOp(s) {
		case core.Send:
			n++
		case core.Receive:
			if s.received() {
				n--
			}
		default: // a close brings no token, an attempt that failed neither
		}
	}
	r.prefill = max(n, 0)
}

// requests cuts the trace of a connection's thread into requests. A request
// begins with the first read after an answer was written, or of the
// connection; it is answered after the last write before the next one. Where
// the front end marks requests, the marks decide. Reading is waiting for the
// client, not work; its CPU time belongs to the request. A request that the
// phase cuts off, and the end of a connection, are left out.
func (q *sequence) requests(nodes *nodeTable, done *node) []*sequence {
	var out []*sequence
	var steps []step
	answered := -1 // index in steps of the last write
	wrote, marked := true, q.marked()
	finish := func(at int64) {
		if len(steps) == 0 || answered < 0 {
			steps = nil
			return
		}
		p := &sequence{thread: q.thread}
		for i, s := range steps {
			p.steps = append(p.steps, s)
			if i == answered {
				p.steps = append(p.steps, step{node: done, gap: s.cpu, start: s.end, end: s.end})
				p.steps[len(p.steps)-2].cpu = 0
			}
		}
		p.steps = append(p.steps, step{node: nodes.end, start: at, end: at})
		out = append(out, p)
		steps = nil
	}
	for i := range q.steps {
		s := q.steps[i]
		begins := !marked && s.node.op == OpNetRead && wrote || marked && s.node.op == OpTaskBegin
		if begins {
			finish(s.start)
			if s.open {
				break
			}
			steps = []step{{node: nodes.begin, start: s.end, end: s.end}}
			s.node, s.start = nodes.virtual("request", s.node, core.DispatchFragment), s.end
			s.gap, s.gapWall = 0, 0
			steps = append(steps, s)
			wrote, answered = false, -1
			continue
		}
		if len(steps) == 0 || s.node == nodes.end || s.node == nodes.begin {
			continue
		}
		steps = append(steps, s)
		if !marked && (s.node.op == OpNetWrite || s.node.op == OpFileSend) || marked && s.node.op == OpTaskEnd {
			wrote, answered = true, len(steps)-1
		}
	}
	if !q.cut {
		finish(q.steps[len(q.steps)-1].start)
	}
	return out
}

func (q *sequence) marked() bool {
	for i := range q.steps {
		if q.steps[i].node.op == OpTaskBegin {
			return true
		}
	}
	return false
}
