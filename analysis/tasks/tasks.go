package tasks

import (
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// findTaskQueues decides which channels carry tasks between pools (c_in and
// c_out) and which carry tokens: signals, permits, ends, replies. A channel
// carries tasks if what it carries has a size, one set of threads sends and
// another one receives, unless it is a worklist, and it lives longer than one
// exchange.
func findTaskQueues(rs []*trail.Resource, gs []*trail.Pool) {
	for _, r := range rs {
		if r.Alarm && (r.Kind == core.Channel || r.Kind == core.Condition) {
			r.Timer = true
			continue
		}
		if r.Kind != core.Channel {
			continue
		}
		sent, got := map[*trail.Pool]int64{}, map[*trail.Pool]int64{}
		perThread := map[*trail.Sequence]int64{}
		var received, sends int64
		for _, u := range r.Uses {
			s := &u.Sequence.Steps[u.Index]
			switch trail.ChannelOp(s) {
			case core.Send:
				sent[u.Pool]++
				perThread[u.Sequence]++
				sends++
			case core.Receive:
				got[u.Pool]++
				if s.Received() {
					received++
				}
			default: // a close carries nothing, an attempt that failed neither
			}
		}
		if sends == 0 {
			r.Timer = received > 0 && !closed(r)
			continue
		}
		r.Task = received > 0 && !r.Chain && (r.Scope == core.PerCall || r.Scope == core.PerProgram && (len(r.Objects) == distinctUses(r) || closedTogether(r) || paired(r) || inTurn(r))) &&
			CarriesData(r) && (trail.Disjoint(sent, got) || worklist(r, sent, got)) && !onceEach(perThread, gs) && !carriesOne(r)
	}
}

func closed(r *trail.Resource) bool {
	for _, u := range r.Uses {
		if u.Sequence.Steps[u.Index].Node.Op == trace.OpClose {
			return true
		}
	}
	return false
}

// distinctUses is 1 if there is one object or they are used one after the
// other, as the queue of every step of an algorithm.
func distinctUses(r *trail.Resource) int {
	if r.Together <= 1 {
		return len(r.Objects)
	}
	return 1
}

// carriesOne reports whether r are several channels of which each carries one value: the
// answer to one question, whether or not two of them live at the same time in this run.
func carriesOne(r *trail.Resource) bool {
	sent := map[uint64]bool{}
	for _, u := range r.Uses {
		if s := u.Step(); trail.ChannelOp(s) == core.Send {
			if sent[s.Object] {
				return false
			}
			sent[s.Object] = true
		}
	}
	return len(sent) > 1
}

// CarriesData is false for channels of empty elements.
func CarriesData(r *trail.Resource) bool {
	for _, o := range r.Objects {
		if o.Made != nil && o.Made.Elem == 0 {
			return false
		}
	}
	return true
}

// onceEach reports whether every thread of one pool sends exactly one thing:
// that it has ended.
func onceEach(sends map[*trail.Sequence]int64, gs []*trail.Pool) bool {
	for _, g := range gs {
		n := 0
		for _, q := range g.Sequences {
			if sends[q] == 1 {
				n++
			}
		}
		if n > 1 && n == len(g.Sequences) && n == len(sends) {
			return true
		}
	}
	return false
}

// flowOf looks at every stretch of work between a fetch and the next c_in. If
// each of them sends exactly once, and by no other operation, the task that
// was fetched is sent on. Otherwise what is sent are new tasks, and the fetched
// one is done when the thread turns to the next.
func flowOf(seqs []*trail.Sequence) trail.TaskFlow {
	f := trail.TaskFlow{Passes: map[*trail.Node]bool{}}
	stretches, single := 0, 0
	outs := map[*trail.Node]bool{}
	for _, q := range seqs {
		sends, working := 0, false
		finish := func() {
			if !working {
				return
			}
			stretches++
			if sends == 1 {
				single++
			}
			working = false
		}
		for i := range q.Steps {
			s := &q.Steps[i]
			switch {
			case s.Node.Fetched():
				finish()
				working, sends = true, 0
			case s.Node.Class == core.NoFetchFragment:
				finish()
			case s.Lock != nil && s.Lock.Task && trail.ChannelOp(s) == core.Send && working:
				sends++
				outs[s.Node] = true
			}
		}
		if !q.Cut {
			finish()
		}
	}
	if stretches > 0 && single == stretches {
		f.Passes = outs
		return f
	}
	f.Keeps = stretches > 0
	return f
}

// markDone puts a virtual c_out to the sink where a fetched task ends: after the last answer to whom it came from, the end of the loop
// in which that is given piece by piece, and what then is done with objects of the task's own; or else at the end of the iteration
// of the loop that fetched it, or of the thread.
func markDone(q *trail.Sequence, nodes *trail.NodeTable, forest []*trail.Loop) {
	ends := map[int]*trail.Node{} // step before which a task ends, and its c_in
	answered := map[int]*trail.Node{}
	var pending *trail.Step
	var around, pieces *trail.Loop
	last := 0 // step with which a task is answered
	for i := range q.Steps {
		s := &q.Steps[i]
		if pending != nil {
			in := pending.Node.Of
			leaves := around != nil && !around.Members[s.Node]
			if s.Node == in || leaves || s.Node == nodes.End || s.Node.Fetched() ||
				around != nil && s.Node == around.Header {
				at := i
				if i > 0 && s.Node.Of != nil && s.Node.Of == q.Steps[i-1].Node || s.Node.Fetched() {
					at-- // not between an operation and what came of it, such as what it fetched
				}
				if last > 0 {
					answered[last] = in
				} else {
					ends[at] = in
				}
				pending = nil
			} else if s.Node.Virtual == trail.Answered {
				last, pieces = i, trail.LoopWith(within(around, forest), s.Node)
			} else if last > 0 && (ofTask(s) || pieces != nil && pieces.Members[s.Node]) {
				last = i
			}
		}
		if s.Node.Fetched() {
			pending, last = s, 0
			around = innermost(forest, s.Node)
		}
	}
	q.Rewrite(func(i int, s trail.Step) []trail.Step {
		if in, ok := answered[i]; ok {
			return []trail.Step{s, {Node: nodes.Virtual("done", in, core.OutFragment), Start: s.End, End: s.End}}
		}
		in, ok := ends[i]
		if !ok {
			return []trail.Step{s}
		}
		d := trail.Mark(nodes.Virtual("done", in, core.OutFragment), &s)
		return []trail.Step{d, s}
	})
}

// within are the loops inside a loop; all if it is none.
func within(l *trail.Loop, forest []*trail.Loop) []*trail.Loop {
	if l == nil {
		return forest
	}
	return l.Inner
}

// ofTask reports whether a step uses an object that there is as long as its task only.
func ofTask(s *trail.Step) bool {
	return s.Lock != nil && (s.Lock.Scope == core.PerTask || s.Lock.Scope == core.PerCall)
}

// innermost returns the innermost loop that n is in.
func innermost(forest []*trail.Loop, n *trail.Node) *trail.Loop {
	var found *trail.Loop
	for l := trail.LoopWith(forest, n); l != nil; l = trail.LoopWith(l.Inner, n) {
		found = l
		if n == l.Header {
			break
		}
	}
	return found
}

// Queues finds the channels that carry tasks.
func Queues(tr *trail.Trail) { findTaskQueues(tr.Resources, tr.Pools) }

// Tasks finds out how tasks flow through the pools.
func Tasks(tr *trail.Trail) {
	for _, g := range tr.Modelled {
		for _, q := range g.Sequences {
			beginAtFetch(q)
		}
		f := flowOf(g.Sequences)
		tr.Flows[g] = f
		if f.Keeps {
			forest := trail.FindLoops(g.Sequences)
			for _, q := range g.Sequences {
				markDone(q, tr.Nodes, forest)
			}
		}
		for _, q := range g.Sequences {
			q.Rewrite(func(_ int, s trail.Step) []trail.Step {
				if s.Node.Virtual == trail.Answered {
					return nil
				}
				return []trail.Step{s}
			})
		}
	}
}
