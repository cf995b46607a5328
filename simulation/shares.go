package simulation

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"tierscope/core"
)

// Threads without a queue of tasks may share a fixed number of rounds of a loop. With n threads in place of the m recorded
// ones, each gets its share of all recorded rounds, in their order:
//
//	2 threads: r0 r1 r2 r3 │ r4 r5 r6 r7      4 threads: r0 r1 │ r2 r3 │ r4 r5 │ r6 r7
//
// What a thread does before, between and after its loops is what a recorded one did.

// shares are a loop whose rounds the threads of a pool share.
type shares struct {
	pool, loop, body string
	threads          int // that there are
}

// sharing is how far the rounds of all threads may be from those of the recording, by rounding. Theory: one half
// in fifty rounds.
const sharing = 0.01

// sharesOf returns the loops of which a configuration changes the number of rounds as it changes the number of the
// threads; why: it changes one otherwise.
func sharesOf(base, configured *core.Model) (all []shares, why string) {
	for i := range base.Graphs {
		known := len(all)
		for j := range base.Graphs[i].Fragments {
			f, g := &base.Graphs[i].Fragments[j], &configured.Graphs[i].Fragments[j]
			if f.Loop == nil || reflect.DeepEqual(f.Loop.Count, g.Loop.Count) {
				continue
			}
			k := slices.IndexFunc(base.Pools, func(p core.Pool) bool { return p.Graph == base.Graphs[i].ID })
			why := fmt.Sprintf("other numbers of iterations of %q were not recorded", f.ID)
			if k < 0 || len(all) > known {
				return nil, why
			}
			before, now := base.Pools[k], configured.Pools[k]
			total := g.Loop.Count.Expectation() * float64(now.Size) / (f.Loop.Count.Expectation() * float64(before.Size))
			if !(math.Abs(total-1) <= sharing) {
				return nil, why
			}
			all = append(all, shares{before.ID, f.ID, f.Loop.Body, now.Size})
		}
	}
	return all, ""
}

// deal returns walks in which the threads of the pool are as many as there are, and share the rounds; nil: they cannot.
func (s shares) deal(w *core.Walks) *core.Walks {
	var rounds [][][]core.Move // by entry of the loop
	var rests [][][]core.Move  // by thread: what it does before each entry, and after the last
	var old []core.Walk
	out := &core.Walks{Graphs: w.Graphs, Objects: w.Objects}
	index := make([]int32, len(w.Threads))
	for i, t := range w.Threads {
		if t.Parent >= 0 && index[t.Parent] < 0 {
			return nil // started by one that shares
		}
		if t.Pool != s.pool {
			index[i] = int32(len(out.Threads))
			if t.Parent >= 0 {
				t.Parent = index[t.Parent]
			}
			out.Threads = append(out.Threads, t)
			continue
		}
		index[i] = -1
		rest, own := s.split(w, t)
		if rounds == nil {
			rounds = make([][][]core.Move, len(own))
		}
		if !t.Ended || len(own) != len(rounds) || len(old) > 0 && t.Parent != old[0].Parent {
			return nil
		}
		for e := range own {
			rounds[e] = append(rounds[e], own[e]...)
		}
		rests, old = append(rests, rest), append(old, t)
	}
	if len(old) == 0 {
		return nil
	}
	for k := range s.threads {
		t := old[k%len(old)]
		rest := rests[k%len(old)]
		t.Moves = slices.Clone(rest[0])
		for e, all := range rounds {
			for _, r := range all[k*len(all)/s.threads : (k+1)*len(all)/s.threads] {
				t.Moves = append(t.Moves, r...)
			}
			t.Moves = append(t.Moves, rest[e+1]...)
		}
		if t.Parent >= 0 {
			t.Parent = index[t.Parent]
		}
		out.Threads = append(out.Threads, t)
	}
	return out
}

// split returns the rounds of a thread by the entries of the loop, and what is before each entry, its first visit of
// the loop included, and after the last one.
func (s shares) split(w *core.Walks, t core.Walk) (rests [][]core.Move, rounds [][][]core.Move) {
	names := w.Graphs[t.Graph].Fragments
	begin, inside := 0, false
	for i, m := range t.Moves {
		if names[m.Fragment] != s.loop {
			continue
		}
		if inside {
			last := len(rounds) - 1
			rounds[last] = append(rounds[last], t.Moves[begin:i+1])
		} else {
			rests, rounds = append(rests, t.Moves[begin:i+1]), append(rounds, nil)
		}
		begin = i + 1
		inside = begin < len(t.Moves) && names[t.Moves[begin].Fragment] == s.body
	}
	return append(rests, t.Moves[begin:]), rounds
}
