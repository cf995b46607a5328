package normalise

import (
	"cmp"
	"slices"

	"tierscope/analysis/trace"
)

// MonitorQueues returns the trace with the queues that a program makes of a
// lock, its conditions and a list as queues:
//
//	put:  lock; for full  { wait };  append; notify all; unlock
//	take: lock; for empty { wait };  remove; notify all; unlock
//
// Java's monitors have one condition for both sides, so that the conditions do
// not tell them apart (compare findBuffers); the code does. One place enters the
// lock to put, another one to take; nobody takes what has not been put, in the
// order in which they leave the lock. A third place may, after the last put, say
// that there will be no more. Where the queue is never full, only takers wait.
func MonitorQueues(t *trace.Trace) *trace.Trace {
	objects := slices.Clone(t.Objects)
	edits := map[int][]edit{}
	for _, m := range queueLocks(t) {
		q := trace.Object{ID: counterObject + uint64(len(objects)), Kind: "queue", Capacity: m.capacity, Elem: 8, Site: recordOf(t, m.puts[0].begin()).Site}
		objects = append(objects, q)
		replace := func(s *stay, op trace.Op, got int64) *trace.Record {
			with := asOperation(t, s, op, got, q.ID)
			edits[s.thread] = append(edits[s.thread], inPlace(t, s, with)...)
			return &with[1]
		}
		for k, s := range m.puts {
			replace(s, trace.OpSend, 1).Value = listValue(len(objects), k)
		}
		taken, from := 0, map[*stay]int{}
		for _, s := range m.takes {
			if s.nothing {
				replace(s, trace.OpReceive, 0)
				continue
			}
			replace(s, trace.OpReceive, 1).Value = listValue(len(objects), taken)
			from[s], taken = taken, taken+s.took
		}
		list := len(objects)
		for thread, es := range m.takeOneByOne(t, q.ID, func(s *stay, k int) uint64 { return listValue(list, from[s]+k) }) {
			edits[thread] = append(edits[thread], es...)
		}
		for _, s := range m.closes {
			if m.forOthers(s) {
				replace(s, trace.OpClose, 0)
			}
		}
		for _, s := range m.waiting {
			edits[s.thread] = append(edits[s.thread], edit{s.first, s.past, asOperation(t, s, trace.OpReceive, 0, q.ID)[:1]})
		}
		for _, s := range m.cut {
			edits[s.thread] = append(edits[s.thread], edit{first: s.first, past: s.past})
		}
	}
	if len(edits) == 0 {
		return t
	}
	out := edited(t, edits)
	out.Objects = objects
	return out
}

// listValue is the identity of the k-th thing that goes through a list, beyond those of what goes through channels: who leaves the lock
// first has put the first, or taken it.
func listValue(list, k int) uint64 { return 1<<62 | uint64(list)<<32 | uint64(k) }

// queueLocks lists the locks that are those of queues.
func queueLocks(t *trace.Trace) []*monitor {
	ms := monitors(t)
	at := map[trace.Frame]int{} // locks that are entered at a place
	for _, m := range ms {
		for _, p := range m.places {
			at[p]++
		}
	}
	return slices.DeleteFunc(ms, func(m *monitor) bool { return !m.isQueue(t, at) })
}

// asOperation returns the records of an operation on a queue that takes the place
// of a stay.
func asOperation(t *trace.Trace, s *stay, op trace.Op, got int64, queue uint64) []trace.Record {
	rs := t.Threads[s.thread].Records
	begin, end := rs[s.first], rs[s.past-1]
	for _, r := range []*trace.Record{&begin, &end} {
		r.Op, r.Object, r.Arg, r.Value = op, queue, 0, 0
	}
	begin.End, end.End, end.Site, end.Arg = false, true, begin.Site, got
	return []trace.Record{begin, end}
}

// inPlace puts the records of an operation in the place of a stay, and of a signal right behind it. What the thread did there with
// other things than the lock and its conditions stays, behind the operation, or before it if it had to wait after that.
func inPlace(t *trace.Trace, s *stay, with []trace.Record) []edit {
	elsewhere := map[uint64]bool{} // conditions of other locks
	for _, o := range t.Objects {
		if o.Parent != 0 && o.Parent != s.object {
			elsewhere[o.ID] = true
		}
	}
	own := func(r *trace.Record) bool {
		condition := r.Op == trace.OpCondWait || r.Op == trace.OpSignal || r.Op == trace.OpBroadcast
		return r.Object == s.object || condition && !elsewhere[r.Object]
	}
	rs, past := t.Threads[s.thread].Records, signalled(t, s)
	at, others := s.first, false // where the thread may wait: there the operation is
	for k := s.first; k < past; k++ {
		others = others || !own(&rs[k])
		if others && own(&rs[k]) && rs[k].Op == trace.OpCondWait && !rs[k].End {
			at = k
		}
	}
	when := func(r *trace.Record, k int) { r.Time, r.CPU, r.Ready = rs[k].Time, rs[k].CPU, rs[k].Ready }
	when(&with[0], at)
	out := []edit{{first: s.first, past: s.first}}
	behind := false
	for k := s.first; k < past; k++ {
		if !own(&rs[k]) {
			if k > at && !behind {
				when(&with[len(with)-1], k)
				behind = true
			}
			continue
		}
		if out[len(out)-1].past != k {
			out = append(out, edit{first: k, past: k})
		}
		last := &out[len(out)-1]
		if last.past++; k == at {
			last.with = with
		}
	}
	return out
}

// monitor is a lock with the stays under it, by the place where it was entered,
// in the order in which they left it.
type monitor struct {
	object              uint64
	places              []trace.Frame
	stays               map[trace.Frame][]*stay
	broken              bool    // a thread left it unseen
	waiting, cut        []*stay // of threads that waited in it when the recording ended, and that it cut off
	puts, takes, closes []*stay
	capacity            int64
	ended               map[int]int64 // thread → when it ended, ns; 0: never
}

// monitors lists the locks under which somebody waits or signals.
func monitors(t *trace.Trace) []*monitor {
	by := map[uint64]*monitor{}
	var order []*monitor
	for i := range t.Threads {
		stays, open := staysOf(t, i)
		for _, s := range stays {
			site := t.Threads[i].Records[s.first].Site
			if site < 0 {
				continue
			}
			m := by[s.object]
			if m == nil {
				m = &monitor{object: s.object, stays: map[trace.Frame][]*stay{}, ended: map[int]int64{}}
				by[s.object] = m
				order = append(order, m)
			}
			m.ended[i] = t.Threads[i].Ended
			place := trace.InnermostFrame(t.Sites[site])
			if m.stays[place] == nil {
				m.places = append(m.places, place)
			}
			m.stays[place] = append(m.stays[place], s)
		}
		for o, s := range open {
			s.past = len(t.Threads[i].Records)
			switch m := by[o]; {
			case m == nil:
			case len(open) > 1 || t.Threads[i].Records[s.first].Site < 0:
				m.broken = true
			case waitsAtTheEnd(t.Threads[i].Records):
				m.waiting = append(m.waiting, s)
			default:
				m.cut = append(m.cut, s)
			}
		}
	}
	for _, m := range order {
		for _, ss := range m.stays {
			slices.SortStableFunc(ss, func(a, b *stay) int { return cmp.Compare(a.left, b.left) })
			for _, s := range m.cut {
				m.broken = m.broken || s.entered > 0 && ss[len(ss)-1].left > s.entered // others were in it after that
			}
		}
	}
	return order
}

// waitsAtTheEnd reports whether a thread waits for a condition when the recording ends.
func waitsAtTheEnd(rs []trace.Record) bool {
	last := rs[len(rs)-1]
	return last.Op == trace.OpCondWait && !last.End
}

// placeOf is where a stay entered its lock.
func placeOf(t *trace.Trace, s *stay) trace.Frame {
	return trace.InnermostFrame(t.Sites[t.Threads[s.thread].Records[s.first].Site])
}

// isQueue finds out who puts and who takes; false if that is not what the lock
// is for. at is how many locks are entered at a place: of one that is like no other, whose takers are woken behind the
// lock, package guards finds more.
func (m *monitor) isQueue(t *trace.Trace, at map[trace.Frame]int) bool {
	var waits, signals []trace.Frame
	for _, p := range m.places {
		is := func(of func(*stay) bool) bool { return slices.ContainsFunc(m.stays[p], of) }
		if is(func(s *stay) bool { return s.waits }) {
			waits = append(waits, p)
		}
		if is(func(s *stay) bool { return s.signals || at[p] > 1 && notifies(t, s) }) {
			signals = append(signals, p)
		}
	}
	if m.broken || len(waits) == 0 {
		return false
	}
	for _, put := range signals {
		for _, take := range slices.Concat(waits, signals) { // who never had to wait for something says that there is room
			if put != take && m.follows(t, put, take, waits, signals) {
				return !slices.ContainsFunc(m.waiting, func(s *stay) bool { return placeOf(t, s) != take })
			}
		}
	}
	return false
}

// follows reports whether whoever enters at take takes what was put by those
// who enter at put. The other places that signal may only do so when
// everything has been put.
func (m *monitor) follows(t *trace.Trace, put, take trace.Frame, waits, signals []trace.Frame) bool {
	m.puts, m.takes, m.closes = m.stays[put], m.stays[take], nil
	lastPut := m.puts[len(m.puts)-1].left
	for _, p := range slices.Concat(waits, signals) {
		if p == put || p == take {
			continue
		}
		if m.stays[p][0].left < lastPut || slices.Contains(waits, p) {
			return false
		}
		m.closes = m.stays[p]
	}
	left := len(m.puts) - len(m.takes) // when the recording ended, those who would take it had not got it
	if len(m.puts) < 2 || left <= m.unended() && !m.endOfTakers(max(-left, 0)) || left > m.unended() && !m.inBatches(t) {
		return false
	}
	if len(m.closes) == 0 && slices.ContainsFunc(m.takes, func(s *stay) bool { return s.nothing }) {
		m.closes = m.endsBehind(t, put, take)
	}
	var cs []trace.Change
	m.capacity = -1
	for _, s := range m.puts {
		cs = append(cs, trace.Change{At: s.left, By: +1})
		if s.waits {
			m.capacity = 0
		}
	}
	for _, s := range m.takes {
		if !s.nothing {
			cs = append(cs, trace.Change{At: s.left, By: -s.took})
		}
	}
	fewest, most := trace.Running(cs, false)
	if fewest < 0 {
		return false
	}
	if m.capacity == 0 {
		m.capacity = int64(most)
	}
	return true
}

// endsBehind returns the stays after the last put at which a thread says that there will be no more, and wakes those who wait when it has left the lock.
func (m *monitor) endsBehind(t *trace.Trace, put, take trace.Frame) []*stay {
	for _, p := range m.places {
		if ss := m.stays[p]; p != put && p != take && ss[0].left > m.puts[len(m.puts)-1].left && !ss[0].waits && notifies(t, ss[0]) {
			return ss
		}
	}
	return nil
}

// unended is how many threads that take had not ended when the recording did.
func (m *monitor) unended() int {
	takers := map[int]bool{}
	for _, s := range slices.Concat(m.takes, m.waiting) {
		if m.ended[s.thread] == 0 {
			takers[s.thread] = true
		}
	}
	return len(takers)
}

// forOthers reports whether another thread takes than the one that says that there will be no more: to itself it would not.
func (m *monitor) forOthers(end *stay) bool {
	return slices.ContainsFunc(m.takes, func(s *stay) bool { return s.thread != end.thread })
}

// endOfTakers marks the last takes of n threads, which ended after them: they
// got nothing. false: there are not so many.
func (m *monitor) endOfTakers(n int) bool {
	for _, s := range m.takes {
		s.nothing, s.took = false, 1
	}
	seen := map[int]bool{}
	for _, s := range slices.Backward(m.takes) {
		if n == 0 {
			return true
		}
		if seen[s.thread] || m.ended[s.thread] == 0 {
			continue
		}
		seen[s.thread], s.nothing, s.took = true, true, 0
		n--
	}
	return n == 0
}
