package native

import (
	"slices"

	"tierscope/analysis/native/recorder"
	"tierscope/analysis/trace"
)

// region is a parallel region of OpenMP. Its threads wait for each other twice, which no library call shows: for the first
// thread, before it begins, and for all, when it ends.
type region struct {
	members int64
	called  int64 // ns: when the first thread asked for it, and had it behind it
	over    int64
	first   int64 // thread
}

// regions finds the parallel regions of a recording, by their numbers.
func (r *recording) regions() map[uint64]*region {
	found := map[uint64]*region{}
	of := func(n uint64) *region {
		if found[n] == nil {
			found[n] = &region{}
		}
		return found[n]
	}
	for id, t := range r.threads {
		for i := range t.hits {
			h := &t.hits[i]
			switch {
			case h.op == recorder.Region && !h.end:
				of(h.object).called, of(h.object).first = h.time, id
			case h.op == recorder.Region:
				of(h.object).over = h.time
			case h.op == recorder.Team && !h.end:
				of(h.object).members++
			}
		}
	}
	return found
}

// team turns a thread's part in a region into what it waits for: a barrier of all before, and one after it.
func (d *decoder) team(t *thread, h *hit) {
	g := d.regions[h.object]
	if g == nil || g.members < 2 || g.over == 0 {
		return
	}
	t.team = g.members
	begin, end := d.record(t, h, trace.OpBarrier), d.record(t, h, trace.OpBarrier)
	begin.End, end.End = false, true
	which := uint64(1)
	if h.end {
		which = 2
		end.Time = max(h.time, g.over)
		begin.Site = d.behind(begin.Site)
		end.Site = begin.Site
	} else if n := len(t.Records); t.ID == g.first {
		begin.Time = min(h.time, max(g.called, t.Records[n-1].Time))
	} else if n > 0 {
		begin.Time, begin.CPU = t.Records[n-1].Time, t.Records[n-1].CPU
	}
	key := objectKey{uint64(g.members)<<2 | which, "team"}
	i, known := d.objects.current[key]
	if !known {
		i = d.objects.add(key, "barrier", g.members, begin.Site, 0)
	}
	for _, r := range []*trace.Record{&begin, &end} {
		r.Object, r.Arg = d.objects.list[i].ID, g.members
	}
	t.Records = append(t.Records, begin, end)
}

// behind is the place where a region is over, which is that where it was begun to the program: there is one call of it. Two
// waits at one place would be one.
func (d *decoder) behind(site int32) int32 {
	if site < 0 {
		return site
	}
	at, known := d.ends[site]
	if !known {
		s := d.trace.Sites[site]
		s.Frames = slices.Clone(s.Frames)
		s.Frames[0].At++
		at = int32(len(d.trace.Sites))
		d.trace.Sites = append(d.trace.Sites, s)
		d.ends[site] = at
	}
	return at
}
