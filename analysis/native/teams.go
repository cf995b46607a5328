package native

import (
	"slices"

	"tierscope/analysis/trace"
)

// beside is a place next to a site of the program, for what a team does there without a call of its own: two operations at one place
// would be one.
type beside struct{ site, offset int32 }

// Places beside the call of a region or of a meeting.
const (
	behindIt   = 1 + iota // where it is over
	secondTime            // where all meet once more
	atItsEnd              // in the region, where its function has ended
	given                 // and following: where work is given to the team
)

// meeting says when threads of a team wait for each other.
type meeting uint8

const (
	atStart meeting = 1 + iota
	atEnd
	between
)

// team turns a part in a region into what a thread waits for: a barrier of all before, and one after it.
func (d *decoder) team(t *thread, h *hit) {
	g := d.regions[h.object]
	if g.caller == t.ID && g.meets() {
		d.call(t, g, h)
		return
	}
	if !h.end {
		t.teams = append(t.teams, &part{region: g, site: d.site(h)})
	} else if len(t.teams) > 0 {
		t.teams = t.teams[:len(t.teams)-1]
	}
	if !g.meets() {
		return
	}
	if n := len(t.Records); !h.end && n > 0 && t.Records[n-1].Op == trace.OpBarrier {
		d.idle(t, h.cpu-t.left)
	}
	t.left = h.cpu
	begin, end := d.record(t, h, trace.OpBarrier), d.record(t, h, trace.OpBarrier)
	if h.end {
		end.Time = max(end.Time, g.over)
		begin.Site = d.beside(begin.Site, behindIt)
		end.Site = begin.Site
		d.gather(t, g, atEnd, begin, end)
		return
	}
	if n := len(t.Records); n > 0 {
		begin.Time, begin.CPU = t.Records[n-1].Time, t.Records[n-1].CPU
	}
	d.gather(t, g, atStart, begin, end)
}

// idle takes CPU time of a thread for that of a wait: threads of a team look again and again whether they may go on (GOMP_SPINCOUNT) before they
// sleep. Where there are tasks they execute those meanwhile.
func (d *decoder) idle(t *thread, cpu int64) {
	if !d.tasks {
		t.zero += cpu
		d.recording.looking += cpu
	}
}

// call is the part of the thread that calls for a region: it gives the team its work before each phase, and waits until all is done.
func (d *decoder) call(t *thread, g *region, h *hit) {
	begin := d.record(t, h, trace.OpBarrier)
	before := int64(0)
	if n := len(t.Records); n > 0 {
		before = t.Records[n-1].Time
	}
	if !h.end {
		begin.Time = max(min(h.time, g.called), before)
		for i, n, already := 0, len(g.phases), 0; i < n && (i == 0 || !g.repeats); i++ {
			d.give(t, g.at(i), begin, already)
			already += len(g.at(i).shares)
		}
		d.gather(t, g, atStart, begin, begin)
		return
	}
	begin.Time = before
	end := begin
	for i := 1; g.repeats && i < len(g.phases); i++ {
		f, place := g.at(i), begin
		place.Site = d.site(&hit{context: f.context})
		again := d.again(g, i)
		if !again {
			d.give(t, f, place, 0)
		}
		end = place
		end.Time = max(place.Time, f.begun)
		d.gather(t, g, between, place, end)
		if again {
			d.give(t, f, end, 0)
			end.Site = d.beside(end.Site, secondTime)
			d.gather(t, g, between, end, end)
		}
		begin.Time = end.Time
	}
	end.Time = max(begin.Time, h.time, g.over)
	begin.Site = d.beside(begin.Site, behindIt)
	end.Site = begin.Site
	d.gather(t, g, atEnd, begin, end)
	t.left = h.cpu
}

// back is where the caller of a region has it behind it.
func (d *decoder) back(t *thread, h *hit) {
	if g := d.regions[h.object]; h.end && g.caller == t.ID && g.meets() {
		d.idle(t, h.cpu-t.left)
	}
}

// gather adds the wait of a thread for the others of its team, and for who calls for it.
func (d *decoder) gather(t *thread, g *region, which meeting, begin, end trace.Record) {
	if n := len(t.Records); n > 0 {
		begin.Time, begin.CPU = max(begin.Time, t.Records[n-1].Time), max(begin.CPU, t.Records[n-1].CPU)
	}
	end.Time, end.CPU = max(begin.Time, end.Time), max(begin.CPU, end.CPU)
	begin.End, end.End = false, true
	parties := g.members
	if which != between || g.repeats {
		parties++
	}
	key := objectKey{uint64(parties)<<2 | uint64(which), "team"}
	i, known := d.objects.current[key]
	if !known {
		i = d.objects.add(key, trace.Team, parties, begin.Site, 0)
	}
	for _, r := range []*trace.Record{&begin, &end} {
		r.Object, r.Arg = d.objects.list[i].ID, parties
	}
	t.Records = append(t.Records, begin, end)
}

// again reports whether a phase begins with what the one before has, too: its pieces would be taken for what is left of that, so that they are
// given when all have met, and all meet once more.
func (d *decoder) again(g *region, i int) bool {
	return slices.ContainsFunc(g.at(i).shares, func(s *shared) bool {
		return slices.ContainsFunc(g.at(i-1).shares, func(o *shared) bool { return stands(d.teamwork, o.context) == stands(d.teamwork, s.context) })
	})
}

// meet is a barrier of a team in a region.
func (d *decoder) meet(t *thread, h *hit) {
	if len(t.teams) == 0 {
		return
	}
	p := t.teams[len(t.teams)-1]
	if !h.end {
		t.met, t.left = d.record(t, h, trace.OpBarrier), h.cpu
		if d.names.inRecorder(d.recording.calledFrom(h.context)) { // the last call of the region's function, which has gone
			t.met.Site = d.beside(p.site, atItsEnd)
		}
		return
	}
	d.idle(t, h.cpu-t.left)
	p.met()
	if !p.meets() {
		return
	}
	begin, end := t.met, d.record(t, h, trace.OpBarrier)
	end.Site = begin.Site
	d.gather(t, p.region, between, begin, end)
	if d.again(p.region, p.phase) {
		end.Site = d.beside(end.Site, secondTime)
		d.gather(t, p.region, between, end, end)
	}
}

// give sends the pieces of a phase to the queues from which the team takes them, beside what has been given already.
func (d *decoder) give(t *thread, f *phase, at trace.Record, already int) {
	place := at.Site
	for k, s := range f.shares {
		at.Op, at.Object, at.Site = trace.OpSend, d.sharing(s), d.beside(place, int32(given+already+k))
		for range s.pieces {
			at.End, at.Arg = false, 0
			t.Records = append(t.Records, at)
			at.End, at.Arg = true, 1
			t.Records = append(t.Records, at)
		}
	}
}

// sharing is the queue of what is shared out in a context.
func (d *decoder) sharing(s *shared) uint64 {
	context := stands(d.teamwork, s.context)
	key := objectKey{uint64(context), "work"}
	i, known := d.objects.current[key]
	if !known {
		i = d.objects.add(key, "queue", -1, d.site(&hit{context: context}), 0)
		if s.single {
			d.objects.list[i].Elem = 0
		}
	}
	return d.objects.list[i].ID
}

// share takes a piece of the work of a team, if there is one.
func (d *decoder) share(t *thread, h *hit) {
	if len(t.teams) == 0 {
		return
	}
	p := t.teams[len(t.teams)-1]
	if !p.meets() {
		return
	}
	at := *h
	at.context = stands(d.teamwork, h.context)
	r := d.record(t, &at, trace.OpTryReceive)
	r.Object, r.Arg, r.End = d.sharing(p.now()), 0, false
	t.Records = append(t.Records, r)
	if r.End = true; p.after(h) {
		r.Arg = 1
	}
	t.Records = append(t.Records, r)
}

// beside is a site next to another one.
func (d *decoder) beside(site, offset int32) int32 {
	if site < 0 || len(d.trace.Sites[site].Frames) == 0 {
		return site
	}
	key := beside{site, offset}
	at, known := d.besides[key]
	if !known {
		s := d.trace.Sites[site]
		s.Frames = slices.Clone(s.Frames)
		s.Frames[0].At += int(offset)
		at = int32(len(d.trace.Sites))
		d.trace.Sites = append(d.trace.Sites, s)
		d.besides[key] = at
	}
	return at
}
