package java

import (
	"cmp"
	"slices"

	"tierscope/analysis/trace"
)

// span is an operation of a thread, or a mark (last < 0 for both of them while
// the operation is open).
type span struct {
	first, last int // indices of its hits; last −1: it never ended
	from        int // index of the hit from when on it is recorded: first, or the end of what the last to come to a barrier did for all
	inner       bool
	cut         bool // an exception cut it short: it got nothing, until the hit that is given as the last
	kind        spanKind
	call        uint16 // probe of the innermost call of the program's around it that is a context; 0: none
}

// begin is the hit that begins it, at the time from when on it is recorded.
func (s *span) begin(hits []hit24) *hit24 {
	if s.from == s.first {
		return &hits[s.first]
	}
	h := hits[s.first]
	h.time, h.cpu, h.ready = hits[s.from].time, hits[s.from].cpu, hits[s.from].ready
	return &h
}

type spanKind byte

const (
	spanOperation spanKind = iota
	spanCall               // a call that only says where what happens inside of it comes from
	spanTask               // the body of a thread or task, which an exception may end too
)

// spansOf pairs the hits of a thread. An operation that an exception cuts
// short has no end: the end of another place in whose extent it lies closes it
// without one; a wait for what comes to a queue, or for who connects, that is cut short, as by an interrupt or a close, is one in vain. What happens inside an operation belongs to it and is inner:
// poll of a subclass calls poll of the queue. What the last
// thread to come to a barrier does there for all is done before it comes: so the others wait for it. The hits in calls begin what is no operation itself. A task that
// a thread runs while it hands it to an executor ends the handing over: there was no room, and it does the work itself.
func spansOf(hits []hit24, probes []probe, calls map[int]bool) (spans []span, thrown int64) {
	var open []int // indices in spans
	for i := range hits {
		h := &hits[i]
		if int(h.probe) >= len(probes) || h.probe == 0 {
			continue
		}
		p := &probes[h.probe]
		if !h.end {
			spans = append(spans, span{first: i, last: -1, from: i})
			switch s := &spans[len(spans)-1]; {
			case p.entry:
				s.kind = spanTask
				if k := handing(spans, open, hits, probes); k >= 0 {
					spans[k].last = i
				}
			case isContext(p), calls[i]:
				s.kind = spanCall
			}
			if !isMark(p) {
				open = append(open, len(spans)-1)
			}
			continue
		}
		for k := len(open) - 1; k >= 0; k-- {
			s := &spans[open[k]]
			if hits[s.first].probe != h.probe {
				continue
			}
			if s.last >= 0 { // it ended where its task began
				open = open[:k]
				break
			}
			s.last = i
			for j := open[k] + 1; j < len(spans); j++ {
				switch {
				case p.op == trace.OpBarrier && spans[j].kind == spanOperation && spans[j].last >= 0 && !spans[j].inner:
					s.from = max(s.from, spans[j].last)
				case s.kind == spanOperation && !tellsOthers(&probes[h.probe]):
					spans[j].inner = true
				case spans[j].call == 0 && s.kind != spanTask:
					spans[j].call = h.probe
				}
			}
			open = open[:k]
			break
		}
	}
	// The last operation of a thread may be open when the recording ends.
	kept := spans[:0]
	for i, s := range spans {
		if p := &probes[hits[s.first].probe]; s.last < 0 && !s.inner && (p.op == trace.OpReceive && p.kind == "queue" || p.op == trace.OpAccept) && s.first+1 < len(hits) {
			s.last, s.cut = s.first+1, true
		}
		if s.last < 0 && s.kind != spanTask && !isMark(&probes[hits[s.first].probe]) && i < len(spans)-1 {
			thrown++
			continue
		}
		kept = append(kept, s)
	}
	slices.SortStableFunc(kept, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	return kept, thrown
}

// handing returns the span of the innermost operation that is open if it hands a task to an executor; −1: it does not.
func handing(spans []span, open []int, hits []hit24, probes []probe) int {
	if len(open) == 0 {
		return -1
	}
	k := open[len(open)-1]
	if s := &spans[k]; s.kind == spanOperation && s.last < 0 && handsTask(&probes[hits[s.first].probe]) {
		return k
	}
	return -1
}

// handsTask reports whether a probe is of a call that hands a task to an executor.
func handsTask(p *probe) bool { return p.op == trace.OpSend && p.kind == "executor" }

// refusals returns the executors that let who hands them a task run it when their queue is full.
func (r *recording) refusals(probes []probe) map[uint32]bool {
	found := map[uint32]bool{}
	for _, hits := range r.threads {
		is := func(f func(*probe) bool) bool {
			return slices.ContainsFunc(hits, func(h hit24) bool { return int(h.probe) < len(probes) && f(&probes[h.probe]) })
		}
		if !is(handsTask) || !is(func(p *probe) bool { return p.entry }) {
			continue
		}
		spans, _ := spansOf(hits, probes, nil)
		for _, s := range spans {
			if h := &hits[s.first]; s.last >= 0 && hits[s.last].probe != h.probe && handsTask(&probes[h.probe]) {
				found[h.object] = true
			}
		}
	}
	return found
}

// passedOn returns the hits that begin an operation on an executor that passes it on, to a queue of its or to another executor:
// nobody takes from that executor, and inside of the call the same is done to something else, or the task itself. A socket
// passes on that it is connected or closed.
func passedOn(spans []span, hits []hit24, probes []probe, serves map[uint32]bool) map[int]bool {
	calls := map[int]bool{}
	for k, s := range spans {
		h := &hits[s.first]
		p := &probes[h.probe]
		if s.inner || !opensSocket(p) && (p.kind != "executor" || serves[h.object]) {
			continue
		}
		if p.kind == "executor" && s.last >= 0 && hits[s.last].probe != h.probe {
			calls[s.first] = true
			continue
		}
		for _, in := range spans[k+1:] {
			if in.first > s.last {
				break
			}
			x := &hits[in.first]
			if op := probes[x.probe].op; (op == p.op || p.op == trace.OpSend && op == trace.OpTrySend) && x.object != h.object {
				calls[s.first] = true
				break
			}
		}
	}
	return calls
}

// opensSocket reports whether a probe is of a call that connects a socket or closes it.
func opensSocket(p *probe) bool {
	return p.kind == "socket" && (p.op == trace.OpConnect || p.op == trace.OpNetClose)
}

// tellsOthers reports whether a probe is of what completes a future, which then calls what
// waits for that: an ExecutorCompletionService puts it into a queue.
func tellsOthers(p *probe) bool { return p.op == trace.OpDone && p.kind == "future" }

// isContext reports whether a probe is of a call that is no operation itself.
func isContext(p *probe) bool { return p.op == trace.OpNone && !p.entry }

// isMark reports whether a probe is hit once, not before and after.
func isMark(p *probe) bool {
	return p.op == trace.OpSpawn || p.op == trace.OpThreadEnd
}
