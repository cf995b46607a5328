package analysis

import (
	"fmt"
	"path"
	"slices"

	"tierscope/core"
)

// sharesStatically reports whether each thread of the pool does a fixed part
// of a fixed amount of work, so that more threads have less to do each. A
// pool that takes tasks from a queue shares dynamically: nothing has to
// change.
//
// A pool whose threads are sent messages does too, unless as many are sent as there
// are threads (partners) and the program divides something by their number.
func (b *build) sharesStatically(g *group, partners bool) bool {
	if b.opt.Scaling == ScalingWeak || g.lazy {
		return false
	}
	fetches := false
	for _, q := range g.seqs {
		fetches = fetches || slices.ContainsFunc(q.steps, func(s step) bool { return s.node.fetched() })
	}
	if fetches && !partners {
		return false
	}
	if b.opt.Scaling == ScalingStrong {
		return true
	}
	if !fetches && b.untilTold(g) {
		b.assume(fmt.Sprintf("pool %s works until it is told to stop: every thread brings its own work", g.name))
		return false
	}
	if s, u, ok := b.dividedBy(g); ok {
		b.assume(fmt.Sprintf("pool %s: its work is divided by %s at %s:%d", g.name, s.Name, path.Base(u.Frame.File), u.Frame.Line))
		return true
	}
	if b.in.Facts != nil && slices.ContainsFunc(b.in.Facts.Repeats, func(f Frame) bool { return samePlace(f, g.place) }) {
		b.assume(fmt.Sprintf("pool %s: every thread brings its own work, as its loops count to what does not depend on how many threads there are (--scaling strong: a fixed amount is divided)", g.name))
		return false
	}
	if fetches || served(g) {
		b.assume(fmt.Sprintf("pool %s: each of its threads does as much for a message however many they are", g.name))
		return false
	}
	b.assume(fmt.Sprintf("pool %s takes no tasks from a queue: a fixed amount of work is assumed to be divided among its threads (--scaling weak: every thread brings its own)", g.name))
	return true
}

// untilTold reports whether what a resource does ends the loops of the pool's
// threads, such as a channel that is closed: they have no amount of work to share.
func (b *build) untilTold(g *group) bool {
	for _, l := range b.forests[g] {
		for _, e := range l.entries {
			if e.ended && l.leftByResource(e) {
				return true
			}
		}
	}
	return false
}

// dividedBy returns the setting that decides the size of the pool and that
// something is divided by, or counted in steps of: evidence that the work is
// shared out.
func (b *build) dividedBy(g *group) (Setting, SettingUse, bool) {
	if b.in.Facts == nil {
		return Setting{}, SettingUse{}, false
	}
	for _, s := range b.in.Facts.Inputs {
		starts := false
		for _, u := range s.Uses {
			starts = starts || u.Kind == UseSpawn && samePlace(u.Frame, g.place)
		}
		for _, u := range s.Uses {
			if starts && (u.Kind == UseDivisor || u.Kind == UseStride) {
				return s, u, true
			}
		}
	}
	return Setting{}, SettingUse{}, false
}

// divides returns the targets that share the work of g out: outer loops whose
// rounds the threads go through together stay as they are; other loops make
// fewer iterations, and what is outside of them takes less time.
func (b *build) divides(m *core.Model, g *group) []core.Target {
	n := float64(g.size())
	inLoop := b.dividedLoops(g)
	var ts []core.Target
	for _, graph := range m.Graphs {
		if graph.ID != g.name {
			continue
		}
		ids := map[string]*vertex{}
		for i, v := range b.graphs[g].vertices {
			ids[graph.Fragments[i].ID] = v
		}
		for i := range graph.Fragments {
			f := &graph.Fragments[i]
			v := ids[f.ID]
			path := "graphs/" + graph.ID + "/fragments/" + f.ID
			switch {
			case f.Class == core.LoopFragment && inLoop[v.key.from.loop] == dividedHere:
				ts = append(ts, core.Target{Path: path + "/iterations", Factor: n * f.Loop.Count.Expectation(), Power: -1})
			case f.Class == core.CPUFragment && !b.inside(v, inLoop):
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
func (b *build) dividedLoops(g *group) map[*loop]division {
	out := map[*loop]division{}
	var visit func(l *loop)
	visit = func(l *loop) {
		lockstep := false
		for n := range l.members {
			switch {
			case n.class == core.OutFragment: // brings tasks, waits for nobody in particular
			case n.op == OpBarrier, n.op == OpCondWait, n.op == OpWaitGroup, n.op == OpReceive, n.op == OpSend, n.op == OpSelect:
				lockstep = true
			case n.class == core.SpawnFragment, n.class == core.JoinFragment:
				lockstep = true
			}
		}
		if !lockstep && l.exact {
			out[l] = dividedHere
			return
		}
		for _, in := range l.inner {
			visit(in)
		}
	}
	for _, l := range b.forests[g] {
		visit(l)
	}
	return out
}

// inside reports whether a computation is inside a divided loop.
func (b *build) inside(v *vertex, loops map[*loop]division) bool {
	for l := range loops {
		in := func(n *node) bool { return l.members[n] || n.loop == l || n.of != nil && l.members[n.of] }
		if in(v.key.from) && in(v.key.to) {
			return true
		}
	}
	return false
}
