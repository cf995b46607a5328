package native

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"tierscope/analysis/trace"
)

// Of a stock of permits that is a number in memory, as std::counting_semaphore is, only what happens when it is empty is seen:
//
//	acquire: while n = 0 { yield, or wait while it is 0 }; n--
//	release: n++; wake those who wait, if there are any
//
// Who finds permits takes one unseen. But where each wait is followed by one operation, and each wake-up comes behind one, that is
// what permits are for: a thread has one from before the first until behind the second, whether it waited or not, and computes as
// much before the first as those do who waited. So many threads as have one when a thread has to wait there are permits, if it is
// nearly always as many, and hardly ever more have one.
const (
	stockWaits  = 10  // least waits that tell. Convention: one of them may be otherwise
	stockAgrees = 0.9 // least part of the waits, and of those who have a permit, that are as they have to be. Convention: as completeRounds, of barriers
)

// action is an operation at a site.
type action struct {
	op   trace.Op
	site int32
}

// hiddenStock is what threads do at one such number.
type hiddenStock struct {
	object        uint64
	first, last   map[action]int // what waits are followed by, and wake-ups come behind
	waits         []int64        // when they begin, ns
	ahead         []int64        // ns of CPU between a wait and what follows it
	takes, gives  int32          // sites
	opens, closes action
	held          []held
	permits       int
}

// held is a permit of a thread.
type held struct {
	thread      int
	first, past int          // records: of the wait, if there is one; opens is record past
	last        int          // the end of closes
	wake        int          // that of the wake-up behind it; −1: there is none
	taken       trace.Record // when it is
	to          int64        // ns
}

// hiddenStocks makes semaphores of such stocks.
func hiddenStocks(t *trace.Trace) {
	by := map[uint64]*hiddenStock{}
	for i := range t.Threads {
		rs := t.Threads[i].Records
		for k := range rs {
			r := &rs[k]
			if r.End || r.Op != trace.OpPark && r.Op != trace.OpUnpark {
				continue
			}
			s := by[r.Object]
			if s == nil {
				s = &hiddenStock{object: r.Object, first: map[action]int{}, last: map[action]int{}}
				by[r.Object] = s
			}
			if r.Op == trace.OpPark {
				s.waits, s.takes = append(s.waits, r.Time), r.Site
				if r.Arg != 0 {
					s.waits = nil
					s.first[action{}]++
				}
				if n := s.past(rs, k); n < len(rs) {
					s.first[action{rs[n].Op, rs[n].Site}]++
					s.ahead = append(s.ahead, rs[n].CPU-rs[n-1].CPU)
				}
			} else if s.gives = r.Site; k > 0 {
				s.last[action{rs[k-1].Op, rs[k-1].Site}]++
			}
		}
	}
	for _, object := range slices.Sorted(maps.Keys(by)) {
		if s := by[object]; s.is(t) {
			s.show(t)
		}
	}
}

// tries reports whether a record is of a wait for a permit, or of what a thread does before it waits.
func (s *hiddenStock) tries(r *trace.Record) bool {
	return r.Op == trace.OpYield || r.Op == trace.OpPark && r.Object == s.object
}

// past is the record behind a wait that is tried again and again from record k on.
func (s *hiddenStock) past(rs []trace.Record, k int) int {
	for k < len(rs) && s.tries(&rs[k]) {
		k++
	}
	return k
}

// usual is the action of most, and whether it is of enough.
func usual(at map[action]int) (action, bool) {
	most, all := action{}, 0
	for _, p := range slices.SortedFunc(maps.Keys(at), func(a, b action) int { return cmp.Or(cmp.Compare(a.op, b.op), cmp.Compare(a.site, b.site)) }) {
		if all += at[p]; at[p] > at[most] {
			most = p
		}
	}
	return most, float64(at[most]) >= stockAgrees*float64(all) && most != action{}
}

// is reports whether it is one, and finds who has permits when.
func (s *hiddenStock) is(t *trace.Trace) bool {
	var one, other bool
	s.opens, one = usual(s.first)
	s.closes, other = usual(s.last)
	if !one || !other || len(s.waits) < stockWaits {
		return false
	}
	slices.Sort(s.ahead)
	for i := range t.Threads {
		if !s.holds(t.Threads[i].Records, i) {
			return false
		}
	}
	cs := s.changes()
	slices.SortStableFunc(cs, func(a, b trace.Change) int { return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.By, b.By)) })
	slices.Sort(s.waits)
	taken, found := map[int]int{}, map[int]int{} // how many have one when one more is taken, and when a thread waits
	n, k := 0, 0
	count := func(until int64) {
		for ; k < len(cs) && cs[k].At <= until; k++ {
			if n += cs[k].By; cs[k].By > 0 {
				taken[n]++
			}
		}
	}
	for _, at := range s.waits {
		count(at)
		found[n]++
	}
	count(math.MaxInt64)
	more := 0
	for n, times := range found {
		if times > found[s.permits] || times == found[s.permits] && n < s.permits {
			s.permits = n
		}
	}
	for n, times := range taken {
		if n > s.permits {
			more += times
		}
	}
	return s.permits > 0 && float64(found[s.permits]) >= stockAgrees*float64(len(s.waits)) && float64(more) <= (1-stockAgrees)*float64(len(s.held))
}

// holds finds the permits of a thread; false: it does otherwise than with permits.
func (s *hiddenStock) holds(rs []trace.Record, thread int) bool {
	begun := -1 // in s.held
	for k := 0; k < len(rs); k++ {
		r := &rs[k]
		switch at := (action{r.Op, r.Site}); {
		case !r.End && at == s.opens:
			if begun >= 0 {
				return false
			}
			h := held{thread: thread, first: k, past: k, last: -1, wake: -1, taken: s.before(rs, k), to: math.MaxInt64}
			for h.first > 0 && s.tries(&rs[h.first-1]) {
				h.first--
			}
			begun = len(s.held)
			s.held = append(s.held, h)
		case r.Op == trace.OpUnpark && r.Object == s.object && !r.End && begun < 0:
			return false
		}
		if r.End && (action{r.Op, r.Site}) == s.closes && begun >= 0 {
			h := &s.held[begun]
			h.last, h.to = k, r.Time
			if k+1 < len(rs) && rs[k+1].Op == trace.OpUnpark && rs[k+1].Object == s.object {
				h.wake = k + 1
				k += 2
			}
			begun = -1
		}
	}
	return true
}

// before is when a thread gets the permit that it has for record k: after its wait, or so much computation ahead of it as is usual.
func (s *hiddenStock) before(rs []trace.Record, k int) trace.Record {
	if k == 0 {
		return rs[k]
	}
	p, at := &rs[k-1], rs[k]
	if s.tries(p) {
		return *p
	}
	if gap := at.CPU - p.CPU; gap > 0 {
		cpu := min(s.ahead[len(s.ahead)/2], gap)
		at.CPU, at.Time = at.CPU-cpu, at.Time-int64(float64(at.Time-p.Time)*float64(cpu)/float64(gap))
	}
	return at
}

// changes are when threads get permits and give them back.
func (s *hiddenStock) changes() (cs []trace.Change) {
	for _, h := range s.held {
		cs = append(cs, trace.Change{At: h.taken.Time, By: +1}, trace.Change{At: h.to, By: -1})
	}
	return cs
}

// show puts the semaphore into the trace.
func (s *hiddenStock) show(t *trace.Trace) {
	id := uint64(len(t.Objects) + 1)
	t.Objects = append(t.Objects, trace.Object{ID: id, Kind: "semaphore", Capacity: int64(s.permits), Elem: -1, Site: -1})
	edits := map[int][]edit{}
	for _, h := range s.held {
		rs := t.Threads[h.thread].Records
		begin := h.taken
		if h.first < h.past {
			begin = rs[h.first]
		}
		edits[h.thread] = append(edits[h.thread], edit{h.first, h.past, operation(trace.OpAcquire, s.takes, id, begin, h.taken)})
		if h.last < 0 {
			continue
		}
		behind := h.last + 1
		if h.wake >= 0 {
			behind = h.wake + 2
		}
		edits[h.thread] = append(edits[h.thread], edit{h.last + 1, behind, operation(trace.OpRelease, s.gives, id, rs[h.last], rs[h.last])})
	}
	apply(t, edits)
}

// operation is one of a permit at an object, between two records.
func operation(op trace.Op, site int32, object uint64, begin, end trace.Record) []trace.Record {
	out := []trace.Record{begin, end}
	for k, r := range out {
		out[k] = trace.Record{Time: r.Time, CPU: r.CPU, Ready: r.Ready, Site: site, Op: op, Object: object, Arg: 1, End: k == 1}
	}
	return out
}
