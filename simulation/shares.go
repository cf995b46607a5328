package simulation

import (
	"cmp"
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
// unless what a round does depends on when it is done, such as while a cache is still empty (byTime); then by turns:
//
//	2 threads: r0 r1 r2 r3 │ r4 r5 r6 r7      4 threads: r0 r2 │ r4 r6 │ r1 r3 │ r5 r7
//
// What a thread does before, between and after its loops is what a recorded one did.

// shares are the loops, one after the other, whose rounds the threads of a pool share.
type shares struct {
	pool     string
	bodies   map[string]string // by loop
	recorded int               // threads at a time
	threads  int               // that there are
}

// sharing is how far the rounds of all threads may be from those of the recording, by rounding. Theory: one half
// in fifty rounds.
const sharing = 0.01

// sharesOf returns the loops of which a configuration changes the number of rounds as it changes the number of the
// threads, and those that go round more often, or less, whoever does it; why: that of a loop that no pool has, or that
// goes round once for every thread. kept: those go round as often as recorded instead.
func sharesOf(base, configured *core.Model, kept bool) (all []shares, more repeats, why string) {
	more = repeats{}
	for i := range base.Graphs {
		var mine shares
		for j := range base.Graphs[i].Fragments {
			f, g := &base.Graphs[i].Fragments[j], &configured.Graphs[i].Fragments[j]
			if f.Loop == nil || reflect.DeepEqual(f.Loop.Count, g.Loop.Count) {
				continue
			}
			k := slices.IndexFunc(base.Pools, func(p core.Pool) bool { return p.Graph == base.Graphs[i].ID })
			times := g.Loop.Count.Expectation() / f.Loop.Count.Expectation()
			once := oncePerThread(base, configured, base.Graphs[i].ID, f.ID)
			if once && kept {
				continue
			}
			if k < 0 || !(times >= 0) || f.Loop.Limited || once {
				return nil, nil, fmt.Sprintf("other numbers of iterations of %q were not recorded", f.ID)
			}
			before, now := base.Pools[k], configured.Pools[k]
			total := times * float64(now.Size) / float64(before.Size)
			if before.Size != now.Size && (math.Abs(total-1) <= sharing || withThreads(base, before.ID, base.Graphs[i].ID, f.ID) < 0) {
				if mine.bodies == nil {
					mine = shares{before.ID, map[string]string{}, before.Size, now.Size}
				}
				mine.bodies[f.ID] = f.Loop.Body
				times = total
			}
			if math.Abs(times-1) > sharing {
				more.add(base.Graphs[i].ID, f.ID, times)
			}
		}
		if mine.bodies != nil {
			all = append(all, mine)
		}
	}
	return all, more, ""
}

// withThreads is how the rounds of a loop follow the number of a pool's threads, as one parameter says both: −1: the threads divide them,
// 1: each thread has some, 0: not.
func withThreads(m *core.Model, pool, graph, loop string) int {
	for _, p := range m.Parameters {
		if slices.ContainsFunc(p.Targets, func(t core.Target) bool { return t.Path == "pools/"+pool+"/size" }) {
			for _, t := range p.Targets {
				if t.Path == "graphs/"+graph+"/fragments/"+loop+"/iterations" {
					return cmp.Compare(orOne(t.Power), 0)
				}
			}
		}
	}
	return 0
}

// oncePerThread reports whether a loop goes round once for every thread of a pool of which there are others now.
func oncePerThread(base, configured *core.Model, graph, loop string) bool {
	for k, p := range base.Pools {
		if p.Size != configured.Pools[k].Size && withThreads(base, p.ID, graph, loop) > 0 {
			return true
		}
	}
	return false
}

// deal returns walks in which the threads that one move starts are as many as there are, and share the rounds; nil:
// they cannot.
func (s shares) deal(m *core.Model, w *core.Walks) *core.Walks {
	costs, told := costsOf(m, w), toldBy(m, w)
	return redeal(m, w, s.pool, s.size, func(team []int32) []core.Walk { return s.dealTo(w, team, costs, told) })
}

// redeal returns walks in which every team of threads of a pool, which begin together, is another one; nil: it cannot be. size is how many
// threads there are in place of so many.
func redeal(m *core.Model, w *core.Walks, pool string, size func(n int) int, deal func(team []int32) []core.Walk) *core.Walks {
	out := &core.Walks{Graphs: w.Graphs, Objects: w.Objects}
	index := make([]int32, len(w.Threads)) // of the walks in out, −1: of the pool
	begun := startsOf(m, w)
	teams := teamsOf(w, pool, begun)
	for i, t := range w.Threads {
		if t.Parent >= 0 {
			if t.Parent = index[t.Parent]; t.Parent < 0 {
				return nil // started by one that shares
			}
		}
		if t.Pool != pool {
			index[i] = int32(len(out.Threads))
			out.Threads = append(out.Threads, t)
			continue
		}
		index[i] = -1
		if team := teams[int32(i)]; team != nil {
			threads := deal(team)
			if threads == nil {
				return nil
			}
			for k := range threads {
				threads[k].Parent = t.Parent
			}
			out.Threads = append(out.Threads, threads...)
		}
	}
	for i, of := range begun {
		for _, x := range of {
			if x.pool == pool {
				moves := slices.Clone(out.Threads[index[i]].Moves)
				moves[x.move].Amount = int64(size(len(x.walks)))
				out.Threads[index[i]].Moves = moves
			}
		}
	}
	return out
}

// teamsOf are the walks of a pool that begin together, by the first of them.
func teamsOf(w *core.Walks, pool string, begun [][]starts) map[int32][]int32 {
	teams := map[int32][]int32{}
	var roots []int32
	for i, t := range w.Threads {
		if t.Parent < 0 && t.Pool == pool {
			roots = append(roots, int32(i))
		}
	}
	if len(roots) > 0 {
		teams[roots[0]] = roots
	}
	for _, of := range begun {
		for _, x := range of {
			if x.pool == pool && len(x.walks) > 0 {
				teams[x.walks[0]] = x.walks
			}
		}
	}
	return teams
}

// size is how many threads there are in place of n recorded ones that began together.
func (s shares) size(n int) int { return inPlaceOf(n, s.recorded, s.threads) }

// inPlaceOf is how many threads there are in place of n that began together, if there are so many in place of those recorded.
func inPlaceOf(n, recorded, threads int) int {
	return max(1, int(math.Round(float64(n)*float64(threads)/float64(recorded))))
}

// dealTo returns the walks of the threads that there are in place of a team; nil: they cannot share. Whom those that are not there
// told to go on before they shared, at a gate where all begin, the first one tells.
func (s shares) dealTo(w *core.Walks, team []int32, costs func(graph int32, m core.Move) float64, told func(graph int32, moves []core.Move) []core.Move) (threads []core.Walk) {
	var rounds [][][][]core.Move // by entry of the loop, by thread
	var rests [][][]core.Move    // by thread: what it does before each entry, and after the last
	for _, i := range team {
		rest, own := s.split(w, w.Threads[i])
		if rest == nil {
			return nil
		}
		if rounds == nil {
			rounds = make([][][][]core.Move, len(own))
		}
		if !w.Threads[i].Ended || len(own) != len(rounds) {
			return nil
		}
		for e := range own {
			rounds[e] = append(rounds[e], own[e])
		}
		rests = append(rests, rest)
	}
	n := s.size(len(team))
	dealt := make([][][][]core.Move, len(rounds)) // by entry, by thread that there is
	for e := range rounds {
		if byTime(rounds[e], func(m core.Move) float64 { return costs(w.Threads[team[0]].Graph, m) }) {
			dealt[e] = inTurns(rounds[e], n)
		} else {
			dealt[e] = inOrder(rounds[e], n)
		}
	}
	for k := range n {
		t, rest := w.Threads[team[k%len(team)]], rests[k%len(team)]
		t.Moves = slices.Clone(rest[0])
		if k == 0 {
			for _, gone := range rests[min(n, len(rests)):] {
				t.Moves = append(told(t.Graph, gone[0]), t.Moves...)
			}
		}
		for e := range dealt {
			for _, r := range dealt[e][k] {
				t.Moves = append(t.Moves, r...)
			}
			t.Moves = append(t.Moves, rest[e+1]...)
		}
		threads = append(threads, t)
	}
	return threads
}

// split returns the rounds of a thread by the entries of the loops, and what is before each entry, its first visit of
// the loop included, and after the last one. nil: one of the loops is inside of another.
func (s shares) split(w *core.Walks, t core.Walk) (rests [][]core.Move, rounds [][][]core.Move) {
	names := w.Graphs[t.Graph].Fragments
	begin, inside := 0, ""
	for i, m := range t.Moves {
		loop := names[m.Fragment]
		body, shared := s.bodies[loop]
		switch {
		case !shared:
			continue
		case inside == "":
			rests, rounds = append(rests, t.Moves[begin:i+1]), append(rounds, nil)
		case loop != inside:
			return nil, nil
		default:
			last := len(rounds) - 1
			rounds[last] = append(rounds[last], t.Moves[begin:i+1])
		}
		begin, inside = i+1, ""
		if begin < len(t.Moves) && names[t.Moves[begin].Fragment] == body {
			inside = loop
		}
	}
	return append(rests, t.Moves[begin:]), rounds
}
