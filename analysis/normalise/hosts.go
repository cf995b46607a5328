package normalise

import (
	"maps"
	"math"
	"slices"

	"tierscope/analysis/trace"
)

// hosted returns the trace with a thread of its own for the part that who starts threads does of their work:
//
//	for (t = 1; t < n; t++) create(run, t);
//	work(0);
//	for (t = 1; t < n; t++) join(t);
//
// There are n that work. The pool of those that were started has one less, and what is left for the one who starts them
// when there are fewer nobody would know. In the trace that is returned it starts one more, and waits for that.
//
// What it does is part of their work if it calls a function as each of them does, and they do nothing else; or if the
// program counts one more than it starts, or samples show it in a function of theirs, and until it waits for them it does
// only what they do. It has to compute as they do, too.
func hosted(t *trace.Trace, facts *trace.Facts, samples *trace.Samples) *trace.Trace {
	out := *t
	out.Threads = slices.Clone(t.Threads)
	id, index := int64(0), map[int64]int{}
	for i := range t.Threads {
		id, index[t.Threads[i].ID] = max(id, t.Threads[i].ID), i
	}
	sampled := map[[2]string]bool{}
	counted := func(c crew) bool {
		kinds := [2]string{t.Threads[c.host].Start, t.Threads[c.threads[0]].Start}
		if _, known := sampled[kinds]; !known {
			sampled[kinds] = sampledTogether(t, samples, c)
		}
		return sampled[kinds] || countsOneMore(t, facts, c)
	}
	for host := range t.Threads {
		var parts []part
		for _, c := range crewsOf(t, host, index) {
			p, ok := c.part(t, counted)
			if n := len(parts); ok && (n == 0 || p.first >= parts[n-1].beyond) { // of one crew only
				id++
				p.id = id
				parts = append(parts, p)
				out.Threads = append(out.Threads, p.member(t))
			}
		}
		if len(parts) > 0 {
			out.Threads[host].Records = startsMore(t, parts)
		}
	}
	return &out
}

// part is what a host does of the work of a crew: its records from first to before past.
type part struct {
	crew
	first, beyond int
	sites         map[int32]int32 // where the threads do what the host does at its sites
	id            int64           // of the thread that does it
}

// leastPart is how long the host has to compute, of what the one of the threads does that computes least. Convention,
// sensitivity none: who divides work in equal parts gives everyone as much, who starts others and waits computes next to nothing.
const leastPart = 0.5

// part finds it; counted: something says that there is one more than the program starts.
func (c crew) part(t *trace.Trace, counted func(crew) bool) (part, bool) {
	p, called := c.called(t)
	if !called {
		var ok bool
		if p, ok = c.alike(t); !ok || !counted(c) || c.meets(t) {
			return p, false
		}
	}
	host := t.Threads[c.host].Records
	if p.beyond == len(host) {
		return p, false
	}
	least := int64(math.MaxInt64)
	for _, i := range c.threads {
		rs := t.Threads[i].Records
		if len(rs) == 0 {
			return p, false
		}
		least = min(least, rs[len(rs)-1].CPU)
	}
	return p, float64(host[p.beyond].CPU-host[p.first-1].CPU) >= leastPart*float64(least) || called && counted(c)
}

// works reports whether a record is of a thread's work, not of its begin and end.
func works(r trace.Record) bool {
	return r.Op != trace.OpThreadBegin && r.Op != trace.OpThreadEnd && r.Op != trace.OpDone
}

// called is the part in a function that all of the threads call, and in which they do all that they do.
func (c crew) called(t *trace.Trace) (part, bool) {
	p := part{crew: c, first: c.past}
	theirs, work := map[string]bool{}, map[int32]bool{} // work: sites
	for _, i := range c.threads {
		for _, r := range t.Threads[i].Records {
			work[r.Site] = work[r.Site] || works(r)
		}
	}
	for site := range work {
		for _, f := range trace.FramesAt(t.Sites, site) {
			theirs[f.Function] = theirs[f.Function] || !f.Std && work[site]
		}
	}
	host := t.Threads[c.host].Records
	for _, f := range trace.FramesAt(t.Sites, host[c.past-1].Site) {
		delete(theirs, f.Function)
	}
	function, start := "", host[c.past-1]
	for ; p.first < len(host) && function == "" && !c.awaits(t, host[p.first]) && (host[p.first].Op != start.Op || host[p.first].Site != start.Site); p.first++ {
		for _, f := range slices.Backward(trace.FramesAt(t.Sites, host[p.first].Site)) {
			if theirs[f.Function] {
				function = f.Function
				break
			}
		}
	}
	if function == "" {
		return p, false
	}
	in := func(r trace.Record) bool {
		return slices.ContainsFunc(trace.FramesAt(t.Sites, r.Site), func(f trace.Frame) bool { return f.Function == function })
	}
	for p.first, p.beyond = p.first-1, p.first; p.beyond < len(host) && in(host[p.beyond]); p.beyond++ {
	}
	sites := map[string]int32{}
	for _, i := range c.threads {
		rs := t.Threads[i].Records
		if !slices.ContainsFunc(rs, in) || slices.ContainsFunc(rs, func(r trace.Record) bool { return works(r) && !in(r) }) {
			return p, false
		}
	}
	for _, site := range slices.Sorted(maps.Keys(work)) {
		if work[site] {
			sites[callsFrom(t, site, function)] = site
		}
	}
	p.sites = map[int32]int32{}
	for _, r := range host[p.first:p.beyond] {
		if _, known := p.sites[r.Site]; known {
			continue
		}
		p.sites[r.Site] = r.Site
		if site, same := sites[callsFrom(t, r.Site, function)]; same {
			p.sites[r.Site] = site
		}
	}
	return p, true
}

// callsFrom is how calls lead from a function to a site.
func callsFrom(t *trace.Trace, site int32, function string) (calls string) {
	frames := trace.FramesAt(t.Sites, site)
	for _, f := range frames[:1+slices.IndexFunc(frames, func(f trace.Frame) bool { return f.Function == function })] {
		calls += trace.Spot(f) + "\n"
	}
	return calls
}

// alike is the part in which the host does, behind the last start, only what the threads do, with the same objects: the code
// of a function that the compiler has put into both of its callers.
func (c crew) alike(t *trace.Trace) (part, bool) {
	p := part{crew: c, first: c.past, beyond: c.past, sites: map[int32]int32{}}
	does := map[trace.Record]bool{}
	what := func(r trace.Record) trace.Record { return trace.Record{Op: r.Op, End: r.End, Object: r.Object} }
	steps := func(rs []trace.Record) (sites []int32, ops []trace.Op) {
		for _, r := range rs {
			if works(r) && !slices.Contains(sites, r.Site) {
				sites, ops = append(sites, r.Site), append(ops, r.Op)
			}
		}
		return sites, ops
	}
	for _, i := range c.threads {
		for _, r := range t.Threads[i].Records {
			if works(r) {
				does[what(r)] = true
			}
		}
	}
	host := t.Threads[c.host].Records
	for p.beyond < len(host) && does[what(host[p.beyond])] {
		p.beyond++
	}
	sites, ops := steps(host[p.first:p.beyond])
	for _, i := range c.threads {
		if theirs, same := steps(t.Threads[i].Records); slices.Equal(ops, same) {
			for k := range sites {
				p.sites[sites[k]] = theirs[k]
			}
			return p, true
		}
	}
	return p, false
}
