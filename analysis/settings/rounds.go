package settings

import (
	"fmt"
	"path"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// exactLoop is a loop of the model that went round as often every time.
type exactLoop struct {
	path  string // of the number of its iterations
	of    *trail.Pool
	loop  *trail.Loop
	times float64
}

// fewRounds is how often a loop goes round by chance as often as another one. Convention,
// sensitivity none.
const fewRounds = 8

// exactLoops returns the loops that went round as often every time.
func exactLoops(tr *trail.Trail, m *core.Model) (out []exactLoop) {
	for _, g := range tr.Modelled {
		graph := graphOf(m, g)
		for i, v := range tr.Graphs[g].Vertices {
			if f := &graph.Fragments[i]; f.Loop != nil && f.Loop.Count.Kind == core.Constant {
				out = append(out, exactLoop{fragment(g, f) + "/iterations", g, v.Key.From.Loop, f.Loop.Count.Value})
			}
		}
	}
	return out
}

// startedIn returns the loop in which the threads of a pool are started one by one, as when each has to be ready before the next; nil: there
// is none.
func (s *solver) startedIn(g *trail.Pool) *exactLoop {
	if g.Burst > 0 || !s.tr.IsSpawned(g) || len(g.Threads) != g.MaxAlive {
		return nil
	}
	starts := func(v *trail.Vertex) bool {
		return !v.IsCPU() && v.Key.From.Class == core.SpawnFragment && v.Key.From.Child == g
	}
	i := slices.IndexFunc(s.loops, func(l exactLoop) bool {
		if l.of != g.Parent || l.times != float64(g.MaxAlive) || l.times < 2 {
			return false
		}
		at := slices.IndexFunc(s.tr.Graphs[l.of].Vertices, starts)
		return at >= 0 && l.loop.Members[s.tr.Graphs[l.of].Vertices[at].Key.From] && s.tr.Graphs[l.of].Vertices[at].Count == int64(g.MaxAlive)
	})
	if i < 0 {
		return nil
	}
	return &s.loops[i]
}

// rounds returns a quantity for each setting that says how often loops go round:
// those in a function where the scan found a loop that it bounds, which went round
// as often as its number says. The scan knows the statement and the trace the calls
// in it, so where the number is not known there is no evidence.
func (s *solver) rounds() (qs []*quantity) {
	of := map[*setting]*quantity{}
	starts := map[string]bool{}
	for _, g := range s.tr.Modelled {
		if l := s.startedIn(g); l != nil {
			starts[l.path] = true
		}
	}
	for _, l := range s.loops {
		if starts[l.path] { // of threads
			continue
		}
		us := slices.DeleteFunc(slices.Clone(s.in.uses[trace.UseLoop]), func(u use) bool {
			return u.evidence(l.times) < initial || l.times < 2 || s.tr.Server || !s.tr.Within(l.loop, u.Frame)
		})
		c := s.only(strongest(us, l.times), l.path, l.times)
		if c == nil {
			continue
		}
		q := &quantity{use: trace.UseLoop, place: c.Frame, by: c}
		q.Parameter = counted("rounds", core.Rounds, l.times, max(1<<20, l.times*trail.RangeFactor), l.path, fmt.Sprintf("rounds of the loop at %s:%d", path.Base(c.Frame.File), c.Frame.Line))
		q.Min = 0
		p, ok := q.in(c)
		if !ok {
			continue
		}
		if first := of[c.setting]; first != nil {
			first.Targets = append(first.Targets, p.Targets...)
			first.Min, first.Max = max(first.Min, p.Min), min(first.Max, p.Max)
			continue
		}
		q.Parameter, q.Min, q.by.Value = p, max(p.Min, 1), core.Linear{}
		of[c.setting] = q
		qs = append(qs, q)
	}
	return qs
}

// guessRounds returns a quantity for each setting that nobody followed, if loops went round
// as often as it says, which is no small number, and neither another setting nor
// anything else of the model has that number.
func (s *solver) guessRounds(known []*quantity) (qs []*quantity) {
	if s.tr.Server {
		return nil
	}
	var sizes []float64
	for _, q := range s.list(nil) {
		if q.use != "" {
			sizes = append(sizes, q.Default)
		}
	}
	for _, x := range s.in.settings {
		alike := func(o *setting) bool { return o != x && o.value == x.value }
		if x.Machine != "" || x.Unit != "" || len(x.Uses) > 0 || !x.given && !x.Unfollowed || x.value < fewRounds || slices.Contains(sizes, x.value) || slices.ContainsFunc(s.in.settings, alike) {
			continue
		}
		var q *quantity
		for _, l := range s.loops {
			driven := func(o *quantity) bool {
				return slices.ContainsFunc(o.Targets, func(t core.Target) bool { return t.Path == l.path })
			}
			switch {
			case l.times != x.value || slices.ContainsFunc(known, driven):
			case q == nil:
				q = &quantity{use: trace.UseLoop, by: &claim{use{setting: x}, chance}}
				q.Parameter = counted("rounds", core.Rounds, l.times, max(1<<20, l.times*trail.RangeFactor), l.path, "rounds of the loop at "+trace.ShortPlace(l.loop.Header.Place))
			default:
				q.Targets = append(q.Targets, core.Target{Path: l.path})
			}
		}
		if q != nil {
			s.tr.Assume(fmt.Sprintf("%s is taken to be the %s, because both are %g", x.Name, q.Description, x.value))
			qs = append(qs, q)
		}
	}
	return qs
}

// driveAlike gives loops that the scan could not follow to a setting, but that went
// round as often as one says, to that one: who collects the results of so many tasks
// waits for as many.
func (s *solver) driveAlike(rounds []*quantity) {
	for _, l := range s.loops {
		if s.driver[l.path] != nil || l.times < fewRounds {
			continue
		}
		var same []claim
		var of *quantity
		for _, q := range rounds {
			if q.Default == l.times {
				of, same = q, append(same, *q.by)
			}
		}
		if s.only(same, l.path, l.times) != nil {
			s.drive(of, core.Target{Path: l.path})
			s.tr.Assume(fmt.Sprintf("%s is taken to set the rounds of %s too, because both are %g", of.by.Name, l.path, l.times))
		}
	}
}

// graphOf returns the graph of a pool: a fragment for each vertex, in their order.
func graphOf(m *core.Model, g *trail.Pool) *core.Graph {
	return &m.Graphs[slices.IndexFunc(m.Graphs, func(c core.Graph) bool { return c.ID == g.Name })]
}

// driveAwaited gives what is counted down to a setting of which so many rounds make as many things to be done: a latch that is made for
// them, or what is added to it at once. No other setting may have that number.
func (s *solver) driveAwaited(q *quantity, others []*quantity) {
	paths := awaited(s.m, q.Default)
	alike := func(o *quantity) bool { return o.by != nil && o.by.setting != q.by.setting && o.Default == q.Default }
	if slices.ContainsFunc(others, alike) || slices.ContainsFunc(paths, func(path string) bool { return s.driver[path] != nil && s.driver[path] != q }) {
		return
	}
	for _, path := range paths {
		s.drive(q, core.Target{Path: path})
		s.tr.Assume(fmt.Sprintf("%s is taken to set %s, too, because both are %g", q.by.Name, path, q.Default))
	}
}

// awaits reports whether somebody waits for exactly n things to be done, which a quantity does not turn.
func (s *solver) awaits(n float64, q *quantity) bool {
	return slices.ContainsFunc(awaited(s.m, n), func(path string) bool { return s.driver[path] != q })
}

// awaited returns the paths of what says that exactly n things are to be done.
func awaited(m *core.Model, n float64) (paths []string) {
	if n < fewRounds {
		return nil
	}
	for i := range m.Locks {
		if l := &m.Locks[i]; l.Kind == core.Latch && float64(l.Permits) == n {
			paths = append(paths, "locks/"+l.ID+"/permits")
		}
	}
	for i := range m.Graphs {
		g := &m.Graphs[i]
		for k := range g.Fragments {
			if f := &g.Fragments[k]; f.Sync != nil && f.Sync.Op == core.Add && float64(f.Sync.N) == n {
				paths = append(paths, "graphs/"+g.ID+"/fragments/"+f.ID+"/delta")
			}
		}
	}
	return paths
}
