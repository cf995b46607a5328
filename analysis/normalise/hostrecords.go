package normalise

import (
	"slices"

	"tierscope/analysis/trace"
)

// since returns a record with its counters from those of another one on.
func since(r, base trace.Record) trace.Record {
	r.CPU, r.Sys, r.Assist, r.Ready = r.CPU-base.CPU, r.Sys-base.Sys, r.Assist-base.Assist, r.Ready-base.Ready
	return r
}

// at returns a record at the time of another one, with its counters.
func at(r, when trace.Record) trace.Record {
	r.Time, r.CPU, r.Sys, r.Assist, r.Ready = when.Time, when.CPU, when.Sys, when.Assist, when.Ready
	return r
}

// pattern is the thread that the one for a part is like.
func (p part) pattern(t *trace.Trace) *trace.Thread { return &t.Threads[p.threads[len(p.threads)-1]] }

// member is the thread that does a part of the work: it begins and ends like the others.
func (p part) member(t *trace.Trace) trace.Thread {
	like, host := p.pattern(t), t.Threads[p.host].Records
	begin := host[p.first-1]
	end := since(host[p.beyond], begin)
	th := *like
	th.ID, th.Host, th.Born, th.Ended, th.Records = p.id, true, begin.Time, end.Time, nil
	for _, r := range like.Records {
		if r.Op == trace.OpThreadBegin {
			th.Records = append(th.Records, at(r, since(begin, begin)))
		}
	}
	for _, r := range host[p.first:p.beyond] {
		r = since(r, begin)
		if site, moved := p.sites[r.Site]; moved {
			r.Site = site
		}
		th.Records = append(th.Records, r)
	}
	counted := p.added(t) != nil
	for _, r := range like.Records {
		if r.Op == trace.OpDone && counted || r.Op == trace.OpThreadEnd {
			th.Records = append(th.Records, at(r, end))
		}
	}
	return th
}

// added is the records with which the host says, for the last of the threads, that one more will be done; nil if it does not.
func (p part) added(t *trace.Trace) (rs []trace.Record) {
	like := p.pattern(t)
	done := slices.IndexFunc(like.Records, func(r trace.Record) bool { return r.Op == trace.OpDone })
	if done < 0 {
		return nil
	}
	for _, r := range t.Threads[p.host].Records[p.before:p.past] {
		if r.Op == trace.OpAdd && r.Object == like.Records[done].Object && (r.End || r.Arg == 1) {
			rs = append(rs, r)
		}
	}
	return rs
}

// startsMore returns the records of a host that does none of the work: it starts another thread for each part, and waits
// for that while it works.
func startsMore(t *trace.Trace, parts []part) (out []trace.Record) {
	rs := t.Threads[parts[0].host].Records
	var less trace.Record // counters of what others do
	from := 0
	copied := func(past int) {
		for ; from < past; from++ {
			out = append(out, since(rs[from], less))
		}
	}
	for _, p := range parts {
		copied(p.first)
		begin := since(rs[p.first-1], less)
		for _, r := range p.added(t) {
			out = append(out, at(r, begin))
		}
		start := at(rs[p.past-1], begin)
		start.Value = uint64(p.id)
		out = append(out, start)
		join := trace.Record{Site: start.Site}
		if k := slices.IndexFunc(rs[p.beyond:], func(r trace.Record) bool { return r.Op == trace.OpJoin && p.awaits(t, r) }); k >= 0 {
			join.Site = rs[p.beyond+k].Site
		}
		join.Op, join.Value = trace.OpJoin, uint64(p.id)
		join = at(join, begin)
		over := join
		over.End, over.Time = true, rs[p.beyond].Time
		out = append(out, join, over)
		less = since(rs[p.beyond], begin)
		from = p.beyond
	}
	copied(len(rs))
	return out
}
