package normalise

import (
	"cmp"
	"math"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/core"
)

// Who takes from a list under a lock may take several things at a time, all that there are or up to so many, and does then what there is to
// do for each:
//
//	take: lock; for empty { wait }; remove up to n; notify all; unlock;  work, work, …
//
// How many, nobody recorded. But nobody waits while there is something, and nobody goes on without. To a model, the thread takes each
// thing when it comes to it: it would take as many at a time as in the recording only in a run like that.

// mostAtATime is up to how many things at a time are tried, if they are not all that there are. Convention,
// sensitivity none: more would be all that there are.
const mostAtATime = 512

// few is the share of those who waited for something that found one thing, and took it, at least, or of all that left something: who waits until
// several have come, as at a barrier, finds them, and leaves none. Convention, sensitivity none: of a list it is most of them, at a barrier next to none.
const few = 0.1

// inBatches finds out how many things each take took; false: they do not go through a list, or who takes puts, too, or what is done with them is
// done for several at once, as on a disk.
func (m *monitor) inBatches(t *trace.Trace) bool {
	putters := map[int]bool{}
	for _, s := range m.puts {
		putters[s.thread] = true
	}
	if slices.ContainsFunc(m.takes, func(s *stay) bool { return putters[s.thread] }) {
		return false
	}
	last := map[int]*stay{} // by thread
	for _, s := range m.takes {
		last[s.thread] = s
	}
	if all := m.glances(); !m.tookAll(all, last, math.MaxInt) {
		n := 2
		for n <= mostAtATime && !m.tookAll(all, last, n) {
			n++
		}
		if n > mostAtATime {
			return false
		}
	}
	waited, one, leave := 0.0, 0.0, 0.0
	for _, s := range m.takes {
		switch {
		case s.waits && s.took == 1:
			waited, one = waited+1, one+1
		case s.waits && !s.nothing:
			waited++
		}
		if s.leaves {
			leave++
		}
	}
	takesSome := one > 0 && one >= few*waited || leave >= few*float64(len(m.takes))
	return takesSome && !slices.ContainsFunc(m.batches(t), func(b batch) bool { return b.usesFiles() })
}

// glance is a moment at which it matters how many things there are.
type glance struct {
	at   int64 // ns
	of   *stay
	kind glanceKind
}

type glanceKind uint8

const (
	puts  glanceKind = iota
	waits            // who enters and has to wait, so that nothing is there
	takes
)

// glances returns all of them in order.
func (m *monitor) glances() (all []glance) {
	for _, s := range m.puts {
		all = append(all, glance{s.left, s, puts})
	}
	for _, s := range m.takes {
		if s.waits {
			all = append(all, glance{s.entered, s, waits})
		}
		all = append(all, glance{s.left, s, takes})
	}
	slices.SortStableFunc(all, func(a, b glance) int { return cmp.Compare(a.at, b.at) })
	return all
}

// tookAll reports whether it can be that each take took all that there was, up to so many things, and notes how many that were. The last take of a thread
// that ends may have found nothing.
func (m *monitor) tookAll(all []glance, last map[int]*stay, most int) bool {
	there := 0
	for _, g := range all {
		switch s := g.of; g.kind {
		case puts:
			there++
		case waits:
			if there > 0 {
				return false
			}
		case takes:
			if s.took = min(there, most); s.took == 0 && (last[s.thread] != s || m.ended[s.thread] == 0) {
				return false
			}
			there -= s.took
			s.nothing, s.leaves = s.took == 0, there > 0
		}
	}
	return there == 0
}

// batch is what a thread does with the things that it took at a time.
type batch struct {
	*stay
	all  []trace.Record // of the thread
	past int            // the record where it takes again, or behind its last one
}

// batches returns what is done with the things of each take.
func (m *monitor) batches(t *trace.Trace) (out []batch) {
	next := map[int]int{} // by thread
	for _, s := range slices.Backward(m.takes) {
		rs := t.Threads[s.thread].Records
		past, again := next[s.thread]
		if !again {
			past = len(rs)
		}
		if next[s.thread] = s.first; !s.nothing {
			out = append(out, batch{s, rs, past})
		}
	}
	slices.Reverse(out)
	return out
}

func (b *batch) usesFiles() bool {
	return slices.ContainsFunc(b.all[b.stay.past:b.past], func(r trace.Record) bool { return r.Op.Class() == core.IOFragment })
}

// moment is one between two records of a thread, before a record, and what the thread has used until then.
type moment struct {
	before int
	trace.Record
}

// deed is an operation at a place.
type deed struct {
	op    trace.Op
	place trace.Frame
}

// deeds are the records where a batch does a thing, by what it is, and the things in the order in which they are done first.
func (b *batch) deeds(t *trace.Trace) (at map[deed][]int, order []deed) {
	at = map[deed][]int{}
	for k := b.stay.past; k < b.past; k++ {
		r := &b.all[k]
		if r.End || r.Site < 0 {
			continue
		}
		d := deed{r.Op, trace.InnermostFrame(t.Sites[r.Site])}
		if at[d] == nil {
			order = append(order, d)
		}
		at[d] = append(at[d], k)
	}
	return at, order
}

// turnsTo returns, for each batch, when the thread comes to the second thing that it took, to the third one and so on. What it does as often for
// each of them tells, at its end or its beginning, on whichever side it computes more; if there is nothing such, all take equally long.
func turnsTo(t *trace.Trace, all []batch) [][]moment {
	out, at := make([][]moment, len(all)), make([]map[deed][]int, len(all))
	var order []deed
	for i := range all {
		var ds []deed
		if at[i], ds = all[i].deeds(t); i == 0 {
			order = ds
		}
	}
	each := map[deed]int{}
	order = slices.DeleteFunc(order, func(d deed) bool {
		each[d] = len(at[0][d]) / all[0].took
		for i := range all {
			if each[d] == 0 || len(at[i][d]) != each[d]*all[i].took {
				return true
			}
		}
		return false
	})
	if len(order) == 0 {
		for i := range all {
			out[i] = all[i].evenly()
		}
		return out
	}
	first, last := order[0], order[len(order)-1]
	var before, after int64 // ns of CPU
	for i, b := range all {
		ends := b.all[min(b.past, len(b.all)-1)].CPU
		before += b.all[at[i][first][0]].CPU - b.all[b.stay.past-1].CPU
		after += ends - b.all[at[i][last][len(at[i][last])-1]].CPU
	}
	for i, b := range all {
		holds := b.holds()
		for k := 1; k < b.took; k++ {
			p := at[i][first][k*each[first]]
			now := b.all[p] // when it begins
			if before >= after || holds[p-b.stay.past] {
				if before >= after {
					p = b.behind(at[i][last][k*each[last]-1])
				}
				for p < b.past && holds[p-b.stay.past] {
					p++
				}
				now = b.all[p-1]
			}
			out[i] = append(out[i], moment{p, now})
		}
	}
	return out
}

// holds reports, of each record of a batch, whether before it the thread is in the middle of an operation, or holds a lock.
func (b *batch) holds() (all []bool) {
	locks := 0
	for _, r := range b.all[b.stay.past:b.past] {
		all = append(all, locks > 0 || r.End)
		switch tried := r.Op == trace.OpTryLock || r.Op == trace.OpTryRLock; {
		case !r.End:
		case r.Op.Sync() == core.Enter && (!tried || r.Arg == 1), r.Op.Sync() == core.EnterRead && (!tried || r.Arg == 1):
			locks++
		case r.Op.Sync() == core.Exit || r.Op.Sync() == core.ExitRead:
			locks--
		}
	}
	return all
}

// behind is the record after the end of an operation.
func (b *batch) behind(begin int) int {
	p := begin + 1
	if p < len(b.all) && b.all[p].End && b.all[p].Op == b.all[begin].Op && b.all[p].Object == b.all[begin].Object {
		p++
	}
	return p
}

// evenly returns moments between which a thread computes for equally long, outside of operations.
func (b *batch) evenly() (out []moment) {
	p := b.stay.past
	from, to := b.all[p-1].CPU, b.all[min(b.past, len(b.all)-1)].CPU
	holds := b.holds()
	for k := 1; k < b.took; k++ {
		due := from + (to-from)*int64(k)/int64(b.took)
		for p < b.past && (b.all[p].CPU < due || holds[p-b.stay.past]) {
			p++
		}
		r := b.all[p-1]
		if p < len(b.all) && b.all[p].CPU > r.CPU && due > r.CPU {
			r.Time += int64(float64(b.all[p].Time-r.Time) * float64(due-r.CPU) / float64(b.all[p].CPU-r.CPU))
			r.CPU = due
		}
		out = append(out, moment{p, r})
	}
	return out
}

// takeOneByOne returns edits, by thread, that let threads take each thing but the first of a take when they come to it; value is the identity of
// the k-th one of a take.
func (m *monitor) takeOneByOne(t *trace.Trace, queue uint64, value func(s *stay, k int) uint64) map[int][]edit {
	edits, all := map[int][]edit{}, m.batches(t)
	if !slices.ContainsFunc(all, func(b batch) bool { return b.took > 1 }) {
		return nil
	}
	for i, moments := range turnsTo(t, all) {
		b := all[i]
		for k, at := range moments {
			begin := at.Record
			begin.Site, begin.Op, begin.End, begin.Object, begin.Arg, begin.Value = b.all[b.first].Site, trace.OpReceive, false, queue, 0, 0
			end := begin
			end.End, end.Arg, end.Value = true, 1, value(b.stay, k+1)
			edits[b.thread] = append(edits[b.thread], edit{at.before, at.before, []trace.Record{begin, end}})
		}
	}
	return edits
}
