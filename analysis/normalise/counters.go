package normalise

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"sync"

	"tierscope/analysis/pools"
	"tierscope/analysis/trace"
)

// counterQueues returns the trace with the counters that share out work as
// queues. Many programs have no queue: their threads take numbers from a
// counter, under a lock, until there are no more:
//
//	for {
//		lock(m); if next >= len(work) { unlock(m); return }; i = next; next++; unlock(m)
//		do(work[i])
//	}
//
// To the graph that is a choice with a probability, which is wrong: with more
// threads more work would be done. It is a queue that was filled before the
// threads began (compare Tarvo & Reiss 2014, §4.3.1, on fetch and nofetch). The
// trace shows it: the critical section is left at one place while there is work and
// at another when there is none, the second once by every thread, and nobody
// finds work after somebody found none.
//
// An atomic counter is such a section by itself: every thread adds to it until it
// gets a number that is beyond those for which there is work, and then leaves the
// loop: what it does next is nothing that it did after another number. Otherwise the
// counter only counts, such as what has been done, and the last numbers went to different
// threads by chance.
//
// The records are completed by those of a queue: whoever starts the threads
// sends the tasks, a thread tries to receive before it enters the section. The
// section in which a thread finds no work is left out: the queue says so.
func counterQueues(t *trace.Trace) *trace.Trace {
	with := *t
	with.Objects = slices.Clone(t.Objects)
	edits := map[int][]edit{}
	found := findCounters(t)
	for k, c := range found {
		if slices.ContainsFunc(found[:k], c.nested) {
			continue
		}
		for _, g := range c.generations {
			fill(&with, c, g, edits)
		}
	}
	out := edited(&with, edits)
	dropCounts(out)
	return out
}

// nested reports whether the sections of one counter lie in those of the other, such as an atomic counter under a lock: it is one.
func (c counter) nested(other counter) bool {
	a := c.generations[0].rounds[0].enters[0]
	for _, g := range other.generations {
		for _, r := range g.rounds {
			if slices.ContainsFunc(r.enters, func(b *stay) bool { return a.thread == b.thread && a.first < b.past && b.first < a.past }) {
				return true
			}
		}
	}
	return false
}

// dropCounts takes out the operations on atomic counters: those that share out
// work have been understood, the others only count.
func dropCounts(t *trace.Trace) {
	for i := range t.Threads {
		counts := func(r trace.Record) bool { return r.Op == trace.OpCount }
		if rs := t.Threads[i].Records; slices.ContainsFunc(rs, counts) {
			t.Threads[i].Records = slices.DeleteFunc(slices.Clone(rs), counts)
		}
	}
}

// beyond is the exit of the last addition of a thread to an atomic counter before that is set back, if it
// got a number for which there is no work: no site.
const beyond = -2

// counter is a critical section from which threads take work.
type counter struct {
	site        int32 // of the lock operation
	generations []counted
}

// counted is what one generation of threads took.
type counted struct {
	object  uint64
	threads []int   // indices in Trace.Threads
	rounds  []taken // between which the counter is set back
	leave   int32
}

// taken is what threads took in a round, which ends for each where it finds no work.
type taken struct {
	takes  int
	enters []*stay // all, in the order of threads and time
}

// sections lists the critical sections of a thread by the place of the lock,
// without those of places where threads wait for conditions or signal them:
// there somebody brings what others take (monitors.go). An addition to an atomic counter is one.
func sections(t *trace.Trace, thread int) map[int32][]*stay {
	by := map[int32][]*stay{}
	rs := t.Threads[thread].Records
	stays, open := staysOf(t, thread)
	for _, s := range stays {
		by[rs[s.first].Site] = append(by[rs[s.first].Site], s)
	}
	for i := range rs {
		if r := &rs[i]; r.Op == trace.OpCount && !r.End && i+1 < len(rs) && rs[i+1].Op == trace.OpCount && rs[i+1].End {
			value := rs[i+1].Arg
			if r.Arg < 0 { // it counts down
				value = -value
			}
			by[r.Site] = append(by[r.Site], &stay{thread: thread, first: i, past: i + 2, object: r.Object, entered: value, exit: r.Site})
		}
	}
	for _, s := range append(stays, slices.Collect(maps.Values(open))...) {
		if s.conditions {
			delete(by, rs[s.first].Site)
		}
	}
	return by
}

// findCounters looks at every critical section that all threads of a pool
// execute.
func findCounters(t *trace.Trace) []counter {
	groups := map[string][]int{}
	var order []string
	for i := range t.Threads {
		th := &t.Threads[i]
		if th.System || th.Parent == 0 || th.Ended == 0 {
			continue
		}
		key := pools.GroupKey(t, th)
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], i)
	}
	var found []counter
	told := sync.OnceValue(func() told { return tellers(t) })
	for _, key := range order {
		threads := groups[key]
		if len(threads) < 2 {
			continue
		}
		of := map[int]map[int32][]*stay{}
		for _, i := range threads {
			of[i] = sections(t, i)
		}
		var sites []int32
		for s := range of[threads[0]] {
			sites = append(sites, s)
		}
		slices.Sort(sites)
		for _, site := range sites {
			if c, ok := counterAt(t, site, together(t, threads), of); ok && !slices.ContainsFunc(c.generations, told().bring) {
				found = append(found, c)
			}
		}
	}
	return found
}

// told counts the critical sections of a lock, by thread, in which a condition is waited for or signalled.
type told map[uint64]map[int]int

// tellers counts them all.
func tellers(t *trace.Trace) told {
	out := told{}
	for i := range t.Threads {
		stays, _ := staysOf(t, i)
		for _, s := range stays {
			if s.conditions {
				if out[s.object] == nil {
					out[s.object] = map[int]int{}
				}
				out[s.object][i]++
			}
		}
	}
	return out
}

// bring reports whether others than the threads that take tell somebody of something as often as something is
// taken: they bring it, although no thread happened to find none.
func (by told) bring(g counted) bool {
	takes, brought := 0, 0
	for _, r := range g.rounds {
		takes += r.takes
	}
	for i, n := range by[g.object] {
		if !slices.Contains(g.threads, i) {
			brought += n
		}
	}
	return brought >= takes
}

// together splits threads into generations: those whose lives overlap.
func together(t *trace.Trace, threads []int) [][]int {
	threads = slices.Clone(threads)
	slices.SortStableFunc(threads, func(a, b int) int { return cmp.Compare(t.Threads[a].Born, t.Threads[b].Born) })
	var out [][]int
	last := int64(0)
	for _, i := range threads {
		th := &t.Threads[i]
		if len(out) == 0 || th.Born >= last {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], i)
		last = max(last, th.Ended)
	}
	return out
}

// counterAt tells whether the sections that begin at a site are takes from a
// counter, in every generation.
func counterAt(t *trace.Trace, site int32, generations [][]int, of map[int]map[int32][]*stay) (counter, bool) {
	c := counter{site: site}
	many := false
	for _, threads := range generations {
		endRounds(t, site, threads, of)
		g := counted{threads: threads, leave: -1}
		for _, i := range threads {
			if !g.takeRounds(t, of[i][site]) {
				return c, false
			}
		}
		if !g.sharesOut(t) {
			return c, false
		}
		many = many || len(threads) > 1
		c.generations = append(c.generations, g)
	}
	return c, many
}

// endRounds says which additions of threads to an atomic counter were their last ones before it was set back, or at
// all. Each round begins with the lowest number.
func endRounds(t *trace.Trace, site int32, threads []int, of map[int]map[int32][]*stay) {
	lowest := int64(math.MaxInt64)
	var begun []int64 // ns
	for _, i := range threads {
		for _, s := range of[i][site] {
			begin := &t.Threads[i].Records[s.first]
			if begin.Op != trace.OpCount || s.entered > lowest {
				continue
			}
			if s.entered < lowest {
				lowest, begun = s.entered, nil
			}
			begun = append(begun, begin.Time)
		}
	}
	slices.Sort(begun)
	for _, i := range threads {
		rs, ss := t.Threads[i].Records, of[i][site]
		round := func(s *stay) int {
			k, _ := slices.BinarySearch(begun, rs[s.first+1].Time)
			return k
		}
		for k, s := range ss {
			if rs[s.first].Op == trace.OpCount && (k+1 == len(ss) || round(ss[k+1]) > round(s)) {
				s.exit = beyond
			}
		}
	}
}

// takeRounds adds the rounds of a thread to those of its generation; false: they are not as many.
func (g *counted) takeRounds(t *trace.Trace, ss []*stay) bool {
	if len(ss) == 0 {
		return false
	}
	last := ss[len(ss)-1]
	first := g.rounds == nil
	if first {
		g.leave, g.object = last.exit, t.Threads[last.thread].Records[last.first].Object
	}
	if last.exit != g.leave {
		return false
	}
	round := 0
	for _, s := range ss {
		if t.Threads[s.thread].Records[s.first].Object != g.object {
			return false
		}
		if round == len(g.rounds) {
			if !first {
				return false
			}
			g.rounds = append(g.rounds, taken{})
		}
		r := &g.rounds[round]
		r.enters = append(r.enters, s)
		if s.exit == g.leave {
			round++
		} else {
			r.takes++
		}
	}
	return round == len(g.rounds)
}

// sharesOut reports whether nobody takes work after somebody found none, in any round, nor before all have found none in
// the one before; of an atomic counter, whether no number is given twice in a round.
func (g *counted) sharesOut(t *trace.Trace) bool {
	over := int64(0) // since when nobody takes any more in the round before
	for _, r := range g.rounds {
		order := slices.SortedStableFunc(slices.Values(r.enters), func(a, b *stay) int { return cmp.Compare(a.entered, b.entered) })
		if r.takes == 0 || slices.ContainsFunc(order[:r.takes], func(s *stay) bool { return s.exit == g.leave }) {
			return false
		}
		if g.leave != beyond {
			if order[0].entered < over {
				return false
			}
			over = order[len(order)-1].entered
			continue
		}
		for i := 1; i < len(order); i++ {
			if order[i].entered == order[i-1].entered {
				return false
			}
		}
		if !leavesLoop(t, r.enters) {
			return false
		}
	}
	return true
}

// leavesLoop reports whether threads do after the last of their additions to an atomic
// counter what they do after none of the others.
func leavesLoop(t *trace.Trace, additions []*stay) bool {
	type operation struct {
		op   trace.Op
		site int32
	}
	taken, left := map[operation]bool{}, map[operation]bool{}
	for _, s := range additions {
		next := operation{site: beyond} // the thread's end
		if rs := t.Threads[s.thread].Records; s.past < len(rs) {
			next = operation{rs[s.past].Op, rs[s.past].Site}
		}
		if s.exit == beyond {
			left[next] = true
		} else {
			taken[next] = true
		}
	}
	for o := range left {
		if taken[o] {
			return false
		}
	}
	return true
}
