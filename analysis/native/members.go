package native

import (
	"maps"
	"slices"

	"tierscope/analysis/native/recorder"
	"tierscope/analysis/trace"
)

// separate makes threads of what callers of parallel regions do in them: as members of a team they do what the others do, and share the work
// with them, whoever they are outside. It returns the regions.
func (r *recording) separate() map[uint64]*region {
	regions := r.regions()
	called := map[int64]bool{}
	for _, g := range regions {
		called[g.caller] = called[g.caller] || g.meets()
	}
	for callers := slices.Sorted(maps.Keys(r.threads)); len(callers) > 0; callers = callers[1:] {
		if !called[callers[0]] {
			continue
		}
		member := r.memberOf(callers[0], regions)
		for _, g := range regions {
			switch {
			case member == 0 && g.caller == callers[0]:
				g.over = 0 // nobody was seen to be started for it
			case member != 0 && g.caller == member:
				called[member] = called[member] || g.meets()
			}
		}
		callers = append(callers, member) // it may call for regions, too
	}
	return regions
}

// memberOf moves what a caller does in its regions to a new thread, and returns its number; 0: it was not seen to be in one, or
// nobody else to be started for them.
func (r *recording) memberOf(id int64, regions map[uint64]*region) int64 {
	t := r.threads[id]
	member, made := int64(0), -1
	for other := range r.threads {
		member = max(member, other)
	}
	member++
	for i := range t.hits {
		if t.hits[i].op == trace.OpSpawn && !t.hits[i].end && r.inRegion(t.hits[i].arg) {
			made = i
			break
		}
	}
	if made < 0 {
		return 0
	}
	n := &recorded{os: t.os}
	var kept []hit
	within, used, since := uint64(0), int64(0), int64(0) // the region that it is in, the CPU time of the new thread, and the old one's before
	for _, h := range t.hits {
		g := regions[h.object]
		switch {
		case within == 0 && h.op == recorder.Team && !h.end && g.caller == id && g.meets():
			within, since, g.apart = h.object, h.cpu-used, true
			if n.hits == nil {
				spawn := t.hits[made]
				spawn.time, spawn.cpu, spawn.arg = h.time, since, member
				begun := r.begun(t.hits[made].arg)
				if begun.time, begun.cpu = h.time, 0; !r.alike(id, regions) {
					begun.object = uint64(h.arg)
				}
				done := spawn
				done.end = true
				kept, n.hits = append(kept, spawn, done), append(n.hits, begun)
			}
			outer := h
			outer.cpu = since
			kept = append(kept, outer)
		case within != 0 && h.op == recorder.Team && h.end && h.object == within:
			used = h.cpu - since
			inner := h
			inner.cpu = used
			n.hits = append(n.hits, inner)
			within, h.cpu = 0, since
			kept = append(kept, h)
			continue
		case within == 0:
			h.cpu -= used
			kept = append(kept, h)
			continue
		}
		h.cpu -= since
		n.hits = append(n.hits, h)
	}
	if n.hits == nil {
		return 0
	}
	for i := range n.hits {
		if h := &n.hits[i]; h.op == recorder.Region && !h.end && !regions[h.object].apart {
			regions[h.object].caller = member
		}
	}
	t.hits = kept
	r.threads[member] = n
	return member
}

// calledFrom is the innermost return address of a context; 0: it has none.
func (r *recording) calledFrom(context uint32) uint64 {
	if int(context) >= len(r.contexts) || len(r.contexts[context]) == 0 {
		return 0
	}
	return r.contexts[context][0]
}

// inRegion reports whether a thread is in a parallel region at some time.
func (r *recording) inRegion(id int64) bool {
	t := r.threads[id]
	if t == nil {
		return false
	}
	for i := range t.hits {
		if t.hits[i].op == recorder.Team {
			return true
		}
	}
	return false
}

// begun is the beginning of a thread.
func (r *recording) begun(id int64) hit {
	for _, h := range r.threads[id].hits {
		if h.op == trace.OpThreadBegin {
			return h
		}
	}
	return hit{op: trace.OpThreadBegin}
}

// alike reports whether the others of the teams that a thread calls for do nothing that it does not do, where the program itself says who does
// what: it does not where they share out work, and wait for each other.
func (r *recording) alike(caller int64, regions map[uint64]*region) bool {
	shared := map[uint64]bool{}
	own, others := map[uint64]map[uint64]bool{}, map[uint64]map[uint64]bool{} // region → return addresses
	for id, t := range r.threads {
		of := others
		if id == caller {
			of = own
		}
		within := uint64(0)
		for _, h := range t.hits {
			switch {
			case h.op == recorder.Team && regions[h.object].caller == caller:
				if within = h.object; h.end {
					within = 0
				}
			case within == 0 || h.op == recorder.Sample || h.context == 0:
			case h.op == recorder.Piece || h.op == recorder.Single || h.op == recorder.Meet:
				shared[within] = true
			default:
				if of[within] == nil {
					of[within] = map[uint64]bool{}
				}
				of[within][r.calledFrom(h.context)] = true
			}
		}
	}
	for n, theirs := range others {
		for ip := range theirs {
			if !shared[n] && !own[n][ip] {
				return false
			}
		}
	}
	return true
}
