package native

import "tierscope/analysis/native/recorder"

// region is a parallel region of OpenMP. Its threads wait for each other twice, which no library call shows: for who calls
// for it, before it begins, and for all, when it ends.
type region struct {
	members int64
	caller  int64 // thread
	called  int64 // ns: when the caller asked for it, and had it behind it
	over    int64
	phases  []phase
	apart   bool // what the caller does in it is that of another thread now
	repeats bool // it shares out the same in several phases
}

// phase is what a team does between two of the meetings of all its threads.
type phase struct {
	begun   int64     // ns: when the last thread came to the meeting before
	context uint32    // of that meeting
	shares  []*shared // in the order in which each thread comes to them (OpenMP 5.0, §2.8: all of a team encounter the same in the same order)
}

// shared is a loop whose pieces threads take as they come, sections, or what one of them does for all.
type shared struct {
	context uint32 // that stands for those where it is done
	pieces  int
	single  bool
}

// part is what a thread does in a region.
type part struct {
	*region
	site        int32 // of its call
	phase, next int   // how far it is, and in the phase
}

// meets reports whether threads of the region wait for each other: there are several, and it was recorded from its call to its end.
func (g *region) meets() bool { return g != nil && g.caller != 0 && g.members > 1 && g.over > 0 }

// at is a phase.
func (g *region) at(i int) *phase {
	for i >= len(g.phases) {
		g.phases = append(g.phases, phase{})
	}
	return &g.phases[i]
}

// now is what the thread shares with the others next.
func (p *part) now() *shared {
	f := p.at(p.phase)
	if p.next == len(f.shares) {
		f.shares = append(f.shares, &shared{})
	}
	return f.shares[p.next]
}

// after notes a piece, and reports whether the thread got one: what comes next is something else where it got none, and where one of the
// team does it all.
func (p *part) after(h *hit) bool {
	got := h.arg >= 0
	if !got || h.op == recorder.Single {
		p.next++
	}
	return got
}

// met begins the next phase.
func (p *part) met() { p.phase, p.next = p.phase+1, 0 }

// regions finds the parallel regions of a recording, by their numbers.
func (r *recording) regions() map[uint64]*region {
	found := map[uint64]*region{}
	for id, t := range r.threads {
		for i := range t.hits {
			h := &t.hits[i]
			if h.op != recorder.Region && h.op != recorder.Team {
				continue
			}
			g := found[h.object]
			if g == nil {
				g = &region{}
				found[h.object] = g
			}
			switch {
			case h.op == recorder.Team && !h.end:
				g.members++
			case h.op == recorder.Team:
			case h.end:
				g.over = h.time
			default:
				g.called, g.caller = h.time, id
			}
		}
	}
	return found
}

// phases adds to regions what their threads do together. Contexts: those in which the same is done → the one that stands for them, as the first piece
// is asked for at another place than those that follow.
func (r *recording) phases(regions map[uint64]*region) (contexts map[uint32]uint32) {
	contexts = map[uint32]uint32{}
	for id, t := range r.threads {
		var parts []*part
		for i := range t.hits {
			h := &t.hits[i]
			if h.op == recorder.Team && regions[h.object].caller == id && regions[h.object].meets() {
				continue // it is no member
			}
			if h.op == recorder.Team && !h.end {
				parts = append(parts, &part{region: regions[h.object]})
			}
			if len(parts) == 0 {
				continue
			}
			p := parts[len(parts)-1]
			switch {
			case h.op == recorder.Team && h.end:
				parts = parts[:len(parts)-1]
			case h.op == recorder.Meet && !h.end:
				next := p.at(p.phase + 1)
				next.begun, next.context = max(next.begun, h.time), h.context
			case h.op == recorder.Meet:
				p.met()
			case h.op == recorder.Piece || h.op == recorder.Single:
				s := p.now()
				s.single = h.op == recorder.Single
				s.context = join(contexts, s.context, h.context)
				if p.after(h) {
					s.pieces++
				}
			}
		}
	}
	for _, g := range regions {
		g.repeats = g.sharesAgain(contexts)
	}
	return contexts
}

// sharesAgain reports whether a team shares out the same in several phases.
func (g *region) sharesAgain(contexts map[uint32]uint32) bool {
	seen := map[uint32]bool{}
	for i := range g.phases {
		for _, s := range g.phases[i].shares {
			c := stands(contexts, s.context)
			if seen[c] {
				return true
			}
			seen[c] = true
		}
	}
	return false
}

// join makes two contexts stand for the same, 0 for none, and returns which of them does.
func join(contexts map[uint32]uint32, a, b uint32) uint32 {
	a, b = stands(contexts, a), stands(contexts, b)
	if a == 0 || b == 0 {
		return max(a, b)
	}
	if a != b {
		contexts[max(a, b)] = min(a, b)
	}
	return min(a, b)
}

// stands is the context that stands for another one.
func stands(contexts map[uint32]uint32, c uint32) uint32 {
	for contexts[c] != 0 {
		c = contexts[c]
	}
	return c
}
