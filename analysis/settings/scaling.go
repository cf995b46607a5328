package settings

import (
	"fmt"
	"path"
	"slices"

	"tierscope/analysis/pcg"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// sharesStatically reports whether each thread of the pool does a fixed part
// of a fixed amount of work, so that more threads have less to do each. A
// pool that takes tasks from a queue shares dynamically: nothing has to
// change.
//
// A pool whose threads are sent messages does too, unless as many are sent as there
// are threads (partners) and the program divides something by their number.
func sharesStatically(tr *trail.Trail, g *trail.Pool, partners bool) bool {
	if tr.Options.Scaling == trail.ScalingWeak || g.Lazy {
		return false
	}
	fetches := false
	for _, q := range g.Sequences {
		fetches = fetches || slices.ContainsFunc(q.Steps, func(s trail.Step) bool { return s.Node.Fetched() })
	}
	if fetches && !partners {
		return false
	}
	if tr.Options.Scaling == trail.ScalingStrong {
		return true
	}
	if !fetches && untilTold(tr, g) {
		tr.Assume(fmt.Sprintf("pool %s works until it is told to stop: every thread brings its own work", g.Name))
		return false
	}
	if s, u, ok := dividedBy(tr, g); ok {
		tr.Assume(fmt.Sprintf("pool %s: its work is divided by %s at %s:%d", g.Name, s.Name, path.Base(u.Frame.File), u.Frame.Line))
		return true
	}
	if tr.Input.Facts != nil && slices.ContainsFunc(tr.Input.Facts.Repeats, func(f trace.Frame) bool { return trace.SamePlace(f, g.Place) }) {
		tr.Assume(fmt.Sprintf("pool %s: every thread brings its own work, as its loops count to what does not depend on how many threads there are (--scaling strong: a fixed amount is divided)", g.Name))
		return false
	}
	if fetches || served(g) {
		tr.Assume(fmt.Sprintf("pool %s: each of its threads does as much for a message however many they are", g.Name))
		return false
	}
	tr.Assume(fmt.Sprintf("pool %s takes no tasks from a queue: a fixed amount of work is assumed to be divided among its threads (--scaling weak: every thread brings its own)", g.Name))
	return true
}

// untilTold reports whether what a resource does ends the loops of the pool's
// threads, such as a channel that is closed: they have no amount of work to share.
func untilTold(tr *trail.Trail, g *trail.Pool) bool {
	for _, l := range tr.Forests[g] {
		for _, e := range l.Entries {
			if e.Ended && pcg.LeftByResource(l, e) {
				return true
			}
		}
	}
	return false
}

// dividedBy returns the setting that decides the size of the pool and that
// something is divided by, or counted in steps of: evidence that the work is
// shared out.
func dividedBy(tr *trail.Trail, g *trail.Pool) (trace.Setting, trace.SettingUse, bool) {
	if tr.Input.Facts == nil {
		return trace.Setting{}, trace.SettingUse{}, false
	}
	for _, s := range tr.Input.Facts.Inputs {
		starts := false
		for _, u := range s.Uses {
			starts = starts || u.Kind == trace.UseSpawn && trace.SamePlace(u.Frame, g.Place)
		}
		for _, u := range s.Uses {
			if starts && (u.Kind == trace.UseDivisor || u.Kind == trace.UseStride) {
				return s, u, true
			}
		}
	}
	return trace.Setting{}, trace.SettingUse{}, false
}

// divides returns the targets that share the work of g out: outer loops whose
// rounds the threads go through together stay as they are; other loops make
// fewer iterations, and what is outside of them takes less time.
func divides(tr *trail.Trail, m *core.Model, g *trail.Pool) []core.Target {
	n := float64(g.Size())
	inLoop := dividedLoops(tr, g)
	var ts []core.Target
	for _, graph := range m.Graphs {
		if graph.ID != g.Name {
			continue
		}
		ids := map[string]*trail.Vertex{}
		for i, v := range tr.Graphs[g].Vertices {
			ids[graph.Fragments[i].ID] = v
		}
		for i := range graph.Fragments {
			f := &graph.Fragments[i]
			v := ids[f.ID]
			path := "graphs/" + graph.ID + "/fragments/" + f.ID
			switch {
			case f.Class == core.LoopFragment && inLoop[v.Key.From.Loop] == dividedHere:
				ts = append(ts, core.Target{Path: path + "/iterations", Factor: n * f.Loop.Count.Expectation(), Power: -1})
			case f.Class == core.CPUFragment && !inside(tr, v, inLoop):
				ts = append(ts, core.Target{Path: path + "/scale", Factor: n, Power: -1})
			}
		}
	}
	return ts
}

type division int

const (
	undivided   division = iota
	dividedHere          // this loop makes fewer iterations
)

// dividedLoops returns the outermost exact loops of g that do not go round
// together with other threads.
func dividedLoops(tr *trail.Trail, g *trail.Pool) map[*trail.Loop]division {
	out := map[*trail.Loop]division{}
	var visit func(l *trail.Loop)
	visit = func(l *trail.Loop) {
		lockstep := false
		for n := range l.Members {
			switch {
			case n.Class == core.OutFragment: // brings tasks, waits for nobody in particular
			case n.Op == trace.OpBarrier, n.Op == trace.OpCondWait, n.Op == trace.OpWaitGroup, n.Op == trace.OpReceive, n.Op == trace.OpSend, n.Op == trace.OpSelect:
				lockstep = true
			case n.Class == core.SpawnFragment, n.Class == core.JoinFragment:
				lockstep = true
			}
		}
		if !lockstep && l.Exact {
			out[l] = dividedHere
			return
		}
		for _, in := range l.Inner {
			visit(in)
		}
	}
	for _, l := range tr.Forests[g] {
		visit(l)
	}
	return out
}

// inside reports whether a computation is inside a divided loop.
func inside(tr *trail.Trail, v *trail.Vertex, loops map[*trail.Loop]division) bool {
	for l := range loops {
		in := func(n *trail.Node) bool { return l.Members[n] || n.Loop == l || n.Of != nil && l.Members[n.Of] }
		if in(v.Key.From) && in(v.Key.To) {
			return true
		}
	}
	return false
}
