package normalise

import (
	"cmp"
	"slices"

	"tierscope/analysis/trace"
)

// ledGroup makes the records of a leader, and of those that it works for.
type ledGroup struct {
	in       *trace.Trace
	objects  []trace.Object
	list     uint64 // to which threads send what is to be done
	exit     int32  // site at which a thread lets go of the lock after it has come
	leader   tape
	done     map[int][]led // by thread
	messages uint64
}

// led is an arrival, and what becomes of it.
type led struct {
	arrival
	message, answer uint64 // what is sent to the leader, and the channel through which it answers
	past            int    // records: to where the thread waited, or led
}

// leaderValue is above the identities of what goes through channels, and beside those of streams.
const leaderValue = 1<<63 | 1<<62

// withLeader returns the trace with a thread that leads, and all others waiting for its answers.
func withLeader(t *trace.Trace, leads []*lead) *trace.Trace {
	g := ledGroup{in: t, objects: slices.Clone(t.Objects), exit: leads[0].first.exit, leader: tape{time: t.Begin}, done: map[int][]led{}}
	g.list = g.object("queue", leads[0].first, g.exit, -1)
	for i, l := range leads {
		g.leader.until = t.End
		if i+1 < len(leads) {
			g.leader.until = leads[i+1].first.left
		}
		g.lead(l)
	}
	out := *t
	out.Threads = slices.Clone(t.Threads)
	id := int64(0)
	for i := range out.Threads {
		id = max(id, out.Threads[i].ID+1)
		if done := g.done[i]; done != nil {
			slices.SortFunc(done, func(a, b led) int { return cmp.Compare(a.first, b.first) })
			out.Threads[i].Records = g.follows(t.Threads[i].Records, done)
		}
	}
	out.Threads = append(out.Threads, trace.Thread{ID: id, Start: trace.LeaderStart, Creator: recordOf(t, leads[0].first.begin()).Site, Born: t.Begin, Records: g.leader.records})
	out.Objects = g.objects
	return &out
}

// object adds one that is made in a stay, at a site.
func (g *ledGroup) object(kind string, s *stay, site int32, capacity int64) uint64 {
	o := trace.Object{ID: counterObject + uint64(len(g.objects)), Kind: kind, Capacity: capacity, Elem: 8, Site: site, Time: recordOf(g.in, s.begin()).Time}
	g.objects = append(g.objects, o)
	return o.ID
}

// lead lets the leader take what has come until nothing is left, work, and answer each while it has the lock.
func (g *ledGroup) lead(l *lead) {
	rs, past := g.in.Threads[l.first.thread].Records, signalled(g.in, l.last)
	place := rs[l.first.first].Site
	var done []led
	take := trace.OpReceive
	for _, a := range l.members {
		g.messages++
		x := led{a, leaderValue | g.messages, g.object("chan", a.stay, place, 1), a.past}
		if a.stay == l.first {
			x.past = past
		}
		done = append(done, x)
		g.leader.does(trace.Record{Op: take, Site: place, Object: g.list}, l.first.left, 1, x.message)
		take = trace.OpTryReceive
	}
	g.leader.does(trace.Record{Op: take, Site: place, Object: g.list}, l.first.left, 0, 0)
	for i := l.first.past; i < past; i++ {
		switch r := &rs[i]; {
		case r.Op == trace.OpSignal || r.Op == trace.OpBroadcast:
			g.leader.uses(rs, i)
			continue
		case r.Op == trace.OpUnlock && r.Object == l.last.object && !r.End:
			for _, x := range done {
				g.leader.does(trace.Record{Op: trace.OpSend, Site: l.last.exit, Object: x.answer}, r.Time, 1, x.message)
			}
		}
		g.leader.copies(rs, i)
	}
	for _, x := range done {
		g.done[x.thread] = append(g.done[x.thread], x)
	}
}

// follows returns the records of a thread that sends what is to be done and waits for the answers.
func (g *ledGroup) follows(rs []trace.Record, done []led) []trace.Record {
	var p tape
	i := 0
	for _, x := range done {
		for ; i < x.leaves(rs); i++ {
			p.copies(rs, i)
		}
		place := rs[x.first].Site
		p.does(trace.Record{Op: trace.OpUnlock, Site: g.exit, Object: x.object}, x.at, 0, 0)
		p.does(trace.Record{Op: trace.OpMake, Site: place, Object: x.answer, Arg: 1}, x.at, 0, 0)
		p.does(trace.Record{Op: trace.OpSend, Site: place, Object: g.list, Value: x.message}, x.at, 1, x.message)
		for ; i < x.stay.past; i++ { // what it led is the leader's
			p.uses(rs, i)
		}
		p.does(trace.Record{Op: trace.OpReceive, Site: place, Object: x.answer}, rs[x.past-1].Time, 1, x.message)
		i = x.past
	}
	for ; i < len(rs); i++ {
		p.copies(rs, i)
	}
	return p.records
}

// leaves is the record with which a thread first lets go of the lock.
func (x led) leaves(rs []trace.Record) int {
	return x.first + slices.IndexFunc(rs[x.first:], func(r trace.Record) bool {
		return r.Op == trace.OpCondWait || r.Op == trace.OpUnlock && r.Object == x.object
	})
}

// tape is the records of a thread that does what was recorded of others.
type tape struct {
	records []trace.Record
	time    int64        // ns, of the last one
	until   int64        // ns, not beyond; 0: no limit
	used    trace.Record // its counters so far
}

// does adds an operation from now to an end.
func (p *tape) does(r trace.Record, end, got int64, value uint64) {
	p.add(r)
	p.time = max(p.time, end)
	r.End, r.Arg, r.Value = true, got, value
	p.add(r)
}

// copies adds a record of a thread with what that one used since the record before.
func (p *tape) copies(rs []trace.Record, i int) {
	p.uses(rs, i)
	p.time = max(p.time, rs[i].Time)
	if p.until > 0 {
		p.time = min(p.time, p.until)
	}
	p.add(rs[i])
}

// uses counts what a thread used up to a record since the one before.
func (p *tape) uses(rs []trace.Record, i int) {
	r, before := rs[i], trace.Record{}
	if i > 0 {
		before = rs[i-1]
	}
	p.used.CPU += r.CPU - before.CPU
	p.used.Sys += r.Sys - before.Sys
	p.used.Assist += r.Assist - before.Assist
	p.used.Ready += r.Ready - before.Ready
}

func (p *tape) add(r trace.Record) {
	r.Time, r.CPU, r.Sys, r.Assist, r.Ready = p.time, p.used.CPU, p.used.Sys, p.used.Assist, p.used.Ready
	p.records = append(p.records, r)
}
