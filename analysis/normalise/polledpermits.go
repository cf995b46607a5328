package normalise

import (
	"cmp"
	"fmt"
	"slices"

	"tierscope/analysis/trace"
)

// PolledPermits returns the trace with a semaphore in the place of a counter of threads at
// work, if who starts them looks at it again and again and sleeps while there are enough:
//
//	for task := range tasks {
//		for working.Load() >= limit { sleep(500 ms) }
//		working.Add(1)
//		go func() { do(task); working.Add(-1) }()
//		sleep(500 ms)
//	}
//
// To the graph those are sleeps, as many as the measuring run had, whoever has ended
// meanwhile. told says where.
func PolledPermits(t *trace.Trace) (polled *trace.Trace, told []string) {
	out := t
	for object, takes := range takesByOne(t) {
		p := permitPoll{t: t, object: object, takes: takes, thread: takes[0].thread}
		if !p.given() || !p.waitsForThem() {
			continue
		}
		if out == t {
			c := *t
			c.Threads, c.Objects = slices.Clone(t.Threads), slices.Clone(t.Objects)
			out = &c
		}
		told = append(told, fmt.Sprintf("sleeps at %s are taken for waits until fewer than %d of the threads started there are at work", trace.ShortPlace(trace.UserFrame(t.Sites[p.sleep.Site].Frames)), p.most))
		p.rewrite(out)
	}
	slices.Sort(told)
	return out, told
}

// permitPoll is a counter that one thread counts up before it starts a thread, which
// counts it down.
type permitPoll struct {
	t      *trace.Trace
	object uint64
	thread int
	takes  []message
	gives  []message    // in order of time
	most   int          // of the counter
	sleep  trace.Record // the first of the sleeps
}

// takesByOne returns the additions of one to the counters to which only one thread adds.
func takesByOne(t *trace.Trace) map[uint64][]message {
	takes := map[uint64][]message{}
	for i := range t.Threads {
		for k, r := range t.Threads[i].Records {
			if r.Op != trace.OpCount || r.End || r.Arg == -1 {
				continue
			}
			if ms := takes[r.Object]; r.Arg != 1 || len(ms) > 0 && (ms[0].thread < 0 || ms[0].thread != i) {
				takes[r.Object] = []message{{-1, k}} // by several, or by more than one at a time
				continue
			}
			takes[r.Object] = append(takes[r.Object], message{i, k})
		}
	}
	for object, ms := range takes {
		if ms[0].thread < 0 {
			delete(takes, object)
		}
	}
	return takes
}

// given finds who counts down; false: not each thread that was started after counting up
// does so, once, or somebody else does.
func (p *permitPoll) given() bool {
	rs := p.t.Threads[p.thread].Records
	started := map[int64]bool{}
	for _, m := range p.takes {
		k := m.record + 2
		if k >= len(rs) || rs[k].Op != trace.OpSpawn {
			return false
		}
		started[int64(rs[k].Value)] = true
	}
	for i := range p.t.Threads {
		for k, r := range p.t.Threads[i].Records {
			if r.Op != trace.OpCount || r.End || r.Object != p.object || r.Arg > 0 {
				continue
			}
			if !started[p.t.Threads[i].ID] {
				return false
			}
			delete(started, p.t.Threads[i].ID)
			p.gives = append(p.gives, message{i, k})
		}
	}
	slices.SortFunc(p.gives, func(a, b message) int { return cmp.Compare(recordOf(p.t, a).Time, recordOf(p.t, b).Time) })
	for i, m := range p.takes {
		p.most = max(p.most, i+1-p.givenAt(recordOf(p.t, m).Time))
	}
	return len(started) == 0
}

// givenAt is how often the counter was counted down before a time.
func (p *permitPoll) givenAt(at int64) int {
	n, _ := slices.BinarySearchFunc(p.gives, at, func(m message, at int64) int { return cmp.Compare(recordOf(p.t, m).Time, at) })
	return n
}

// waitsForThem reports whether the thread sleeps once between two threads that it starts,
// and again and again as long as the counter is as high as it ever is, which it is at least once.
func (p *permitPoll) waitsForThem() bool {
	rs := p.t.Threads[p.thread].Records
	waited := false
	for i, m := range p.takes[1:] {
		from := p.takes[i].record + 3
		if from < len(rs) && rs[from].Op == trace.OpSpawn && rs[from].End {
			from++
		}
		if sleepsFrom(p.t, rs, from) != m.record || p.sleep.Op != trace.OpNone && (rs[from].Site != p.sleep.Site || rs[from].Arg != p.sleep.Arg) {
			return false
		}
		p.sleep = rs[from]
		for k := from + 2; k < m.record; k += 2 {
			if i+1-p.givenAt(rs[k].Time) < p.most {
				return false
			}
			waited = true
		}
	}
	return waited
}

// rewrite makes the counter a semaphore.
func (p *permitPoll) rewrite(t *trace.Trace) {
	t.Objects = append(t.Objects, trace.Object{ID: p.object, Kind: "semaphore", Capacity: int64(p.most), Elem: 8, Site: -1})
	for _, m := range p.gives {
		own(t, m.thread)
		rs := t.Threads[m.thread].Records[m.record : m.record+2]
		rs[0].Op, rs[0].Arg, rs[1].Op, rs[1].Arg = trace.OpRelease, 1, trace.OpRelease, 1
	}
	rs := t.Threads[p.thread].Records
	var with []trace.Record
	from := 0
	for i, m := range p.takes {
		begin, last := m.record, rs[m.record] // of the sleeps but the first, and who has looked
		if i > 0 {
			begin = m.record - 2
			for begin >= 2 && rs[begin-2].Op == trace.OpSleep {
				begin -= 2
			}
			begin += 2
			last = rs[m.record-1]
		}
		with = append(with, rs[from:begin]...)
		start, end := rs[m.record], rs[m.record+1]
		start.Op, start.Arg, end.Op, end.Arg = trace.OpAcquire, 1, trace.OpAcquire, 1
		if begin < m.record { // it waited until the next has counted down
			start.Time, start.CPU = rs[begin].Time, rs[begin].CPU
			end.Time, end.CPU = max(start.Time, recordOf(p.t, p.gives[p.givenAt(rs[begin].Time)]).Time), rs[begin].CPU
		} else {
			end.Time, end.CPU = start.Time, start.CPU
			last.Time, last.CPU = start.Time, start.CPU
		}
		rest := end
		rest.Op, rest.Site, rest.End, rest.Object, rest.Arg, rest.Value = trace.OpRest, p.sleep.Site, false, 0, p.sleep.Arg, 0
		over := rest
		over.End, over.Arg, over.Time, over.CPU = true, 0, max(rest.Time, last.Time), max(rest.CPU, last.CPU)
		with = append(with, start, end, rest, over)
		from = m.record + 2
	}
	t.Threads[p.thread].Records = append(with, rs[from:]...)
}
