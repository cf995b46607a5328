package settings

import (
	"slices"

	"tierscope/analysis/tasks"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// resourceOf returns the resource that a lock or queue of the model stands for.
func resourceOf(tr *trail.Trail, id string) *trail.Resource {
	i := slices.IndexFunc(tr.Resources, func(r *trail.Resource) bool { return r.ID == id })
	return tr.Resources[i]
}

// partners returns the loops with which others do something for each thread of
// pool g: send it a message or receive one. They go round as often as there are
// threads: either there is a channel for each, or the scan says that the setting
// that decides the size of the pool is what they count to.
func partners(tr *trail.Trail, m *core.Model, g *trail.Pool) []core.Target {
	var ts []core.Target
	for _, graph := range m.Graphs {
		other := tr.PoolOf(graph.ID)
		if other == nil || other == g {
			continue
		}
		for i := range graph.Fragments {
			f := &graph.Fragments[i]
			if f.Loop == nil || f.Loop.Count.Kind != core.Constant || f.Loop.Count.Value != float64(g.Size()) || g.Size() < 2 {
				continue
			}
			if l := tr.Graphs[other].Vertices[i].Key.From.Loop; meets(tr, l, other, g) {
				ts = append(ts, core.Target{Path: "graphs/" + graph.ID + "/fragments/" + f.ID + "/iterations"})
			}
		}
	}
	return ts
}

// counted returns the loops in which whoever starts the threads of pool g in calls adds
// each of them to a wait group.
func counted(tr *trail.Trail, m *core.Model, g *trail.Pool) []core.Target {
	var ts []core.Target
	for _, graph := range m.Graphs {
		other := tr.PoolOf(graph.ID)
		if other == nil || other == g || g.Burst == 0 {
			continue
		}
		for i := range graph.Fragments {
			f := &graph.Fragments[i]
			if f.Loop == nil || f.Loop.Count.Kind != core.Constant || f.Loop.Count.Value != float64(g.Size()) {
				continue
			}
			l := tr.Graphs[other].Vertices[i].Key.From.Loop
			if slices.ContainsFunc(tr.Graphs[other].Vertices, func(v *trail.Vertex) bool {
				return !v.IsCPU() && v.Lock != nil && v.Lock.Kind == core.Latch && v.Key.From.Op == trace.OpAdd && l.Members[v.Key.From] && trail.UsedBy(v.Lock, g)
			}) {
				ts = append(ts, core.Target{Path: "graphs/" + graph.ID + "/fragments/" + f.ID + "/iterations"})
			}
		}
	}
	return ts
}

// meets reports whether a loop of another pool sends a message to each thread of g
// or receives one.
func meets(tr *trail.Trail, l *trail.Loop, of, g *trail.Pool) bool {
	for _, v := range tr.Graphs[of].Vertices {
		n := v.Key.From
		if v.IsCPU() || v.Lock == nil || v.Lock.Timer || v.Lock.Kind != core.Channel || !l.Members[n] || !trail.UsedBy(v.Lock, g) {
			continue
		}
		switch n.Op {
		case trace.OpSend, trace.OpReceive:
			if v.Lock.Gathered() && v.Lock.Together == g.Size() || countsTo(tr, n.Place, g) {
				return true
			}
		}
	}
	return false
}

// countsTo reports whether the setting that decides the size of pool g is what a
// loop of the function at a place counts to.
func countsTo(tr *trail.Trail, at trace.Frame, g *trail.Pool) bool {
	if tr.Input.Facts == nil {
		return false
	}
	for _, s := range tr.Input.Facts.Inputs {
		starts, loops := false, false
		for _, u := range s.Uses {
			starts = starts || u.Kind == trace.UseSpawn && trace.SamePlace(u.Frame, g.Place)
			loops = loops || u.Kind == trace.UseLoop && !u.Loose && u.Frame.Function == at.Function
		}
		if starts && loops {
			return true
		}
	}
	return false
}

// served reports whether a thread of g takes what others send it, again and again.
func served(g *trail.Pool) bool {
	for _, q := range g.Sequences {
		times := map[*trail.Resource]int{}
		for i := range q.Steps {
			s := &q.Steps[i]
			if s.Lock == nil || s.Lock.Timer || s.Lock.Kind != core.Channel || trail.ChannelOp(s) != core.Receive || !s.Received() {
				continue
			}
			if times[s.Lock]++; times[s.Lock] == 2 && tasks.CarriesData(s.Lock) && !sentBy(s.Lock, g) {
				return true
			}
		}
	}
	return false
}

// sentBy reports whether threads of g send to the channel.
func sentBy(r *trail.Resource, g *trail.Pool) bool {
	return slices.ContainsFunc(r.Uses, func(u trail.Use) bool { return u.Pool == g && trail.ChannelOp(u.Step()) == core.Send })
}
