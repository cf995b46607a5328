package inputs

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"tierscope/core"
)

// number is one number of a model that may follow the input.
type number struct {
	value   float64
	whole   bool // a count
	counted bool // how often something happened in the run: 0 is possible, 1 more is nothing
	set     func(float64)
	clocked bool    // a time by a clock
	weight  float64 // of a time: s of it in the run
	err     float64 // standard error of the value, relative to it
	share   float64 // of all that led on from there, that this was
	path    string  // by which a configuration sets what is in proportion to it; "": none does
}

// copyOf returns a model that shares nothing with another.
func copyOf(m core.Model) core.Model {
	data, err := json.Marshal(m)
	if err != nil {
		panic("inputs: a model does not marshal: " + err.Error())
	}
	var out core.Model
	if err := json.Unmarshal(data, &out); err != nil {
		panic("inputs: a model does not come back: " + err.Error())
	}
	return out
}

// numbers returns the numbers of a model by keys that are the same in every model of
// the program. Setting them changes the model.
func numbers(m *core.Model) map[string]number {
	out := map[string]number{}
	add := func(key string, n number) { out[key] = n }
	integer := func(kind, id, what string, p *int) {
		if *p > 0 {
			add(kind+" "+id+" "+what, number{value: float64(*p), whole: true, set: func(v float64) { *p = max(1, int(math.Round(v))) }, path: kind + "s/" + id + "/" + what})
		}
	}
	for i := range m.Pools {
		if sized(m, &m.Pools[i]) {
			integer("pool", m.Pools[i].ID, "size", &m.Pools[i].Size)
		}
	}
	for i := range m.Queues {
		integer("queue", m.Queues[i].ID, "capacity", &m.Queues[i].Capacity)
	}
	for i := range m.Sources {
		integer("source", m.Sources[i].ID, "count", &m.Sources[i].Count)
	}
	for i := range m.Locks {
		integer("lock", m.Locks[i].ID, "permits", &m.Locks[i].Permits)
		integer("lock", m.Locks[i].ID, "parties", &m.Locks[i].Parties)
	}
	for i := range m.Graphs {
		g := &m.Graphs[i]
		names := signatures(g)
		for k := range g.Fragments {
			fragment(&g.Fragments[k], g.ID+" "+names[g.Fragments[k].ID], "graphs/"+g.ID+"/fragments/"+g.Fragments[k].ID+"/", names, add)
		}
	}
	return out
}

// sized reports whether the size of a pool decides how many threads it has: otherwise it is how many were there at once, which varies
// from run to run.
func sized(m *core.Model, p *core.Pool) bool {
	return p.Kind != core.SpawnPool || slices.ContainsFunc(m.Graphs, func(g core.Graph) bool {
		return slices.ContainsFunc(g.Fragments, func(f core.Fragment) bool {
			return f.Spawn != nil && f.Spawn.Pool == p.ID && f.Spawn.Count.IsZero()
		})
	})
}

// fragment adds the numbers of a fragment, of which the paths begin with path.
func fragment(f *core.Fragment, key, path string, names map[string]string, add func(string, number)) {
	mean := func(what string, d *core.Distribution, whole bool, field string) {
		if v := d.Expectation(); v > 0 && !math.IsInf(v, 1) {
			n := number{value: v, whole: whole, clocked: field == "scale", set: func(to float64) { *d = d.Scaled(to / v) }}
			if d.Samples > 0 {
				n.err = math.Sqrt(d.SCV() / float64(d.Samples))
			}
			if field != "" {
				n.path = path + field
			}
			if field == "scale" || field == "timeout_s" {
				n.weight = v * float64(d.Samples)
			}
			add(key+" "+what, n)
		}
	}
	if f.Class == core.CPUFragment {
		mean("demand", &f.Demand, false, "scale")
	}
	if f.Class == core.DelayFragment {
		mean("delay", &f.Delay, false, "scale")
	}
	if t := f.TimeoutOf(); t != nil {
		mean("timeout", t, false, "timeout_s")
	}
	if f.Loop != nil {
		mean("iterations", &f.Loop.Count, true, "iterations")
	}
	if f.Spawn != nil {
		mean("threads", &f.Spawn.Count, true, "")
	}
	if f.IO != nil {
		for i := range f.IO.Requests {
			mean(f.IO.Requests[i].Type+" requests", &f.IO.Requests[i].Count, false, "")
			mean(f.IO.Requests[i].Type+" bytes", &f.IO.Requests[i].Bytes, false, "")
		}
	}
	if !chance(f) {
		return
	}
	all := 0.0
	for _, e := range f.Next {
		all += float64(e.Count)
	}
	for i := range f.Next {
		e := &f.Next[i]
		n := number{value: float64(e.Count), whole: true, counted: true, set: func(v float64) { e.Count = int64(math.Round(v)) }}
		n.share = n.value / max(all, 1)
		if f.Drawn() {
			n.path = path + "next/" + e.To + "/count"
		}
		add(key+" → "+names[e.To], n)
	}
}

// chance reports whether probabilities decide where a fragment goes on: not a queue,
// and not how often a loop has iterated.
func chance(f *core.Fragment) bool {
	sum := 0.0
	for _, e := range f.Next {
		sum += e.Probability
	}
	return len(f.Next) > 1 && math.Abs(sum-1) < 1e-6
}

// signatures names the fragments of a graph by what they are: the class, the place in
// the source with its callers, the lock or queue; what has no place by what it leads to; a loop
// by what is in it, as where it begins is decided by how its threads went round it first. Equals are numbered in the order in which control comes to them.
func signatures(g *core.Graph) map[string]string {
	plain := map[string]string{}
	for i := range g.Fragments {
		f := &g.Fragments[i]
		parts := []string{string(f.Class)}
		if f.Origin.Function != "" {
			parts = append(parts, fmt.Sprintf("%s:%d", f.Origin.Function, f.Origin.Line))
		}
		parts = append(parts, f.Context...)
		if f.Sync != nil {
			parts = append(parts, string(f.Sync.Op), f.Sync.Lock)
		}
		if f.In != nil {
			parts = append(parts, f.In.Queue)
		}
		if f.Out != nil {
			parts = append(parts, f.Out.To)
		}
		plain[f.ID] = strings.Join(parts, " ")
	}
	loops := map[string]string{}
	for i := range g.Fragments {
		if f := &g.Fragments[i]; f.Loop != nil {
			loops[f.ID] = string(f.Class) + " around " + least(g, f, plain)
		}
	}
	maps.Copy(plain, loops)
	out, seen := map[string]string{}, map[string]int{}
	for _, id := range order(g) {
		f := g.Fragment(id)
		name := plain[id]
		if f.Origin.Function == "" {
			var to []string
			for _, s := range g.Successors(f) {
				to = append(to, plain[s.To])
			}
			slices.Sort(to)
			name += " before " + strings.Join(slices.Compact(to), ", ")
		}
		if seen[name]++; seen[name] > 1 {
			name += fmt.Sprintf(" #%d", seen[name])
		}
		out[id] = name
	}
	return out
}

// least is the first, by name, of what a thread does in the body of a loop.
func least(g *core.Graph, loop *core.Fragment, names map[string]string) string {
	first, seen := "", map[string]bool{loop.ID: true}
	for todo := []string{loop.Loop.Body}; len(todo) > 0; todo = todo[1:] {
		f := g.Fragment(todo[0])
		if f == nil || seen[f.ID] {
			continue
		}
		seen[f.ID] = true
		if name := names[f.ID]; f.Loop == nil && f.Class != core.DispatchFragment && (first == "" || name < first) {
			first = name
		}
		for _, s := range g.Successors(f) {
			todo = append(todo, s.To)
		}
	}
	return first
}

// order is that in which control comes to the fragments of a graph, breadth first;
// those to which it never comes are last.
func order(g *core.Graph) []string {
	seen := map[string]bool{g.Entry: true}
	out := []string{g.Entry}
	for k := 0; k < len(out); k++ {
		f := g.Fragment(out[k])
		if f == nil {
			continue
		}
		for _, s := range g.Successors(f) {
			if !seen[s.To] {
				seen[s.To] = true
				out = append(out, s.To)
			}
		}
	}
	for i := range g.Fragments {
		if id := g.Fragments[i].ID; !seen[id] {
			out = append(out, id)
		}
	}
	return out
}

// parts are the fragments of a model by name, with the shares of all its time that go into them.
func parts(m *core.Model) map[string]float64 {
	out, all := map[string]float64{}, 0.0
	for i := range m.Graphs {
		g := &m.Graphs[i]
		names := signatures(g)
		for k := range g.Fragments {
			f := &g.Fragments[k]
			time := f.Demand.Expectation()*float64(f.Demand.Samples) + f.Delay.Expectation()*float64(f.Delay.Samples)
			out[g.ID+" "+names[f.ID]] = time
			all += time
		}
	}
	if all > 0 {
		for name := range out {
			out[name] /= all
		}
	}
	return out
}

// likeness is what two models have in common.
type likeness struct {
	fragments float64 // share of all that either has
	time      float64 // share of the time that goes into them, in the model in which that is less
}

// How much in common means that a program did the same, either of which is enough. What is insignificant for one input and
// not for another is the rest; a run-time system that starts threads of its own for larger inputs has many fragments and no
// time in them. Conventions.
const (
	leastAlike = 0.7
	leastTime  = 0.95
)

func (l likeness) same() bool { return l.fragments >= leastAlike || l.time >= leastTime }

func alike(a, b map[string]float64) likeness {
	common, inA, inB := 0.0, 0.0, 0.0
	for name, share := range a {
		if other, ok := b[name]; ok {
			common, inA, inB = common+1, inA+share, inB+other
		}
	}
	return likeness{common / (float64(len(a)+len(b)) - common), math.Min(inA, inB)}
}

// settle makes probabilities of the counts of edges, and forgets the order in which
// edges were taken and numbers were drawn in a run of another input.
func settle(m *core.Model, varied map[string]bool) {
	for i := range m.Graphs {
		g := &m.Graphs[i]
		names := signatures(g)
		for k := range g.Fragments {
			f := &g.Fragments[k]
			key := g.ID + " " + names[f.ID]
			if f.Loop != nil && varied[key+" iterations"] {
				f.Loop.Order = nil
			}
			all, changed := int64(0), false
			for _, e := range f.Next {
				all += e.Count
				changed = changed || varied[key+" → "+names[e.To]]
			}
			if !changed || all == 0 || !chance(f) {
				continue
			}
			f.Order = nil
			for j := range f.Next {
				f.Next[j].Probability = float64(f.Next[j].Count) / float64(all)
			}
		}
	}
}
