package native

import (
	"slices"
	"strings"

	"tierscope/analysis/trace"
)

// birthplaces gives threads of one kind one place at which they are started. Compilers make several of one statement: a
// vector of threads starts some where it has room, and others where it moves to a larger place. The threads execute one
// function, one function starts them, called from one place, and they work on the same objects: two groups with a lock
// or a queue each that no thread of the other touches are two pools that one statement makes.
func birthplaces(t *trace.Trace) {
	type kind struct{ start, calls string }
	type group struct {
		site int32
		born []*trace.Thread
	}
	of := map[kind][]*group{} // in the order in which they start their first thread
	var kinds []kind
	for i := range t.Threads {
		th := &t.Threads[i]
		frames := trace.FramesAt(t.Sites, th.Creator)
		at := slices.IndexFunc(frames, func(f trace.Frame) bool { return !f.Std })
		if at < 0 || frames[at].File != "" || strings.HasSuffix(th.Start, trace.Closure) {
			continue // with lines, copies have the same; and which of several closures one is nobody knows
		}
		k := kind{th.Start, frames[at].Function}
		for _, f := range frames[at+1:] {
			k.calls += " " + trace.Spot(f)
		}
		if of[k] == nil {
			kinds = append(kinds, k)
		}
		g := slices.IndexFunc(of[k], func(g *group) bool { return g.site == th.Creator })
		if g < 0 {
			g, of[k] = len(of[k]), append(of[k], &group{site: th.Creator})
		}
		of[k][g].born = append(of[k][g].born, th)
	}
	for _, k := range kinds {
		first := of[k][0]
		for _, g := range of[k][1:] {
			if !apart(first.born, g.born) {
				startedAt(t, g.born, first.site)
				first.born = append(first.born, g.born...)
			}
		}
	}
}

// apart reports whether each of two groups of threads has an object that all of it use and none of the other.
func apart(a, b []*trace.Thread) bool {
	usedBy := func(ths []*trace.Thread) map[uint64]int {
		n := map[uint64]int{}
		for _, th := range ths {
			own := map[uint64]bool{}
			for i := range th.Records {
				if o := th.Records[i].Object; o != 0 && !own[o] {
					own[o] = true
					n[o]++
				}
			}
		}
		return n
	}
	inA, inB := usedBy(a), usedBy(b)
	has := func(all, none map[uint64]int, n int) bool {
		for o, used := range all {
			if used == n && none[o] == 0 {
				return true
			}
		}
		return false
	}
	return has(inA, inB, len(a)) && has(inB, inA, len(b))
}

// startedAt moves the start of threads to a place.
func startedAt(t *trace.Trace, ths []*trace.Thread, site int32) {
	moved := map[uint64]bool{}
	for _, th := range ths {
		th.Creator = site
		moved[uint64(th.ID)] = true
	}
	for i := range t.Threads {
		rs := t.Threads[i].Records
		for k := range rs {
			if rs[k].Op == trace.OpSpawn && moved[rs[k].Value] {
				rs[k].Site = site
			}
		}
	}
}
