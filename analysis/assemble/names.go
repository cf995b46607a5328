package assemble

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"tierscope/analysis/settings"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// rename calls the pools, locks and channels of a model what the program calls them, in the
// model, in the trail that it was made of, and in what the analysis says of it:
//
//   - a pool by its function; where that is a literal by the setting that says how many threads this pool
//     alone has ("workers"), by the variable that holds it or the group that starts it, by what the program calls its threads if
//     that tells it from others, or else by the
//     function around it and the place where it is started ("main@main.go:55");
//   - a lock or channel by the variable it is made for or, with its type, the field that it is in
//     ("jobs", "lru.mu"), as the scan read it; what a type makes of a lock and conditions by that type ("buffer");
//   - a queue without a bound that has no name in the text, as that inside of an executor, by the only pool that
//     takes from it ("queue of workers").
//
// What has none of these keeps the name of its place.
func rename(tr *trail.Trail, m *core.Model, fragments map[*trail.Pool]map[*trail.Vertex]string) {
	n := core.Names{Pools: map[string]string{}, Objects: map[string]string{}, Classes: map[string]string{}}
	taken := map[string]bool{}
	turned, texts := settingsOf(m), namesOf(tr.Input.Facts)
	for _, g := range tr.Pools {
		was := g.Name
		g.Name = unique(taken, texts.pool(g, turned[was]), g.Place)
		if g.Name != was {
			n.Pools[was] = g.Name
		}
	}
	taken = map[string]bool{SinkDone: true, trail.QueueRequests: true} // which are addressed like queues
	takers := takersOf(m)
	for _, r := range tr.Resources {
		was := r.ID
		name := texts.of(r)
		if by := takers[was]; name == "" && r.Room() == core.Unbounded && len(by) == 1 {
			name = "queue of " + cmp.Or(n.Pools[by[0]], by[0])
		}
		if name == "" || was == trail.QueueRequests {
			taken[was] = true
			continue
		}
		if r.ID = unique(taken, name, r.Place); r.ID != was {
			n.Objects[was], n.Classes[classOf(was)] = r.ID, classOf(r.ID)
		}
	}
	for i := range tr.Reports {
		if name, ok := n.Pools[tr.Reports[i].Name]; ok {
			tr.Reports[i].Name = name
		}
	}
	tell(tr, m, n)
	for graph, ids := range m.Rename(n) { // what starts and awaits pools says their names
		for _, g := range tr.Modelled {
			if g.Name != graph {
				continue
			}
			for v, id := range fragments[g] {
				if name, ok := ids[id]; ok {
					fragments[g][v] = name
				}
			}
		}
	}
}

// takersOf returns the pools that take tasks from each queue, by their names so far.
func takersOf(m *core.Model) map[string][]string {
	out := map[string][]string{}
	for _, g := range m.Graphs {
		for i := range g.Fragments {
			if in := g.Fragments[i].In; in != nil && !slices.Contains(out[in.Queue], g.ID) {
				out[in.Queue] = append(out[in.Queue], g.ID)
			}
		}
	}
	return out
}

// unique is a name that is not taken: of several that are equal, all but the first say where they
// are made, and of those of one place all but the first their number.
func unique(taken map[string]bool, name string, at trace.Frame) string {
	out := name
	if taken[out] && at.File != "" {
		name = placed(name, at)
		out = name
	}
	for i := 2; taken[out]; i++ {
		out = fmt.Sprintf("%s #%d", name, i)
	}
	taken[out] = true
	return out
}

// placed is a name with a place of the text.
func placed(name string, at trace.Frame) string {
	return fmt.Sprintf("%s@%s:%d", name, path.Base(at.File), at.Line)
}

// settingsOf returns the setting of the program that says the size of each pool, unless it says that of
// several.
func settingsOf(m *core.Model) map[string]string {
	of := map[string]string{}
	for _, p := range m.Parameters {
		if p.How == "" || p.Follows != nil || settings.IsArgument(p.How) && !settings.IsInFile(p.How) || len(p.Targets) == 0 || p.Targets[0].Path == "cpu/cores" {
			continue
		}
		for _, t := range p.Targets {
			if id, ok := strings.CutPrefix(t.Path, "pools/"); ok {
				if id, ok = strings.CutSuffix(id, "/size"); ok && p.Name != id+"-threads" {
					of[id] = p.Name
				}
			}
		}
	}
	pools := map[string]int{}
	for _, setting := range of {
		pools[setting]++
	}
	maps.DeleteFunc(of, func(_, setting string) bool { return pools[setting] > 1 })
	return of
}

// tell says the new names in what the analysis has said so far, and in the parameters that are
// called after pools and after what has places.
func tell(tr *trail.Trail, m *core.Model, n core.Names) {
	olds := slices.SortedFunc(maps.Keys(n.Pools), func(a, b string) int { return len(b) - len(a) })
	for i, what := range tr.Assumed {
		for _, was := range olds {
			if rest, ok := strings.CutPrefix(what, "pool "+was); ok && (strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, " ")) {
				tr.Assumed[i] = "pool " + n.Pools[was] + rest
				break
			}
		}
	}
	called := map[string]string{}
	for i := range m.Parameters {
		p := &m.Parameters[i]
		if was, ok := strings.CutPrefix(p.Description, settings.CapacityOf); ok && n.Objects[was] != "" {
			p.Description = settings.CapacityOf + n.Objects[was]
			name := settings.CapacityName(n.Objects[was])
			if _, taken := m.Parameter(name); !taken && p.Name == settings.CapacityName(was) {
				called[p.Name] = name
				p.Name = name
			}
		}
		for _, was := range olds {
			if rest, ok := strings.CutPrefix(p.Name, was+"-"); ok {
				called[p.Name] = n.Pools[was] + "-" + rest
				p.Name = called[p.Name]
				break
			}
		}
	}
	for i := range m.Parameters {
		if f := m.Parameters[i].Follows; f != nil && called[f.Parameter] != "" {
			f.Parameter = called[f.Parameter]
		}
	}
}

// textNames are the names that the text has for what operations work on, by place and operation.
type textNames map[string]string

func textKey(f trace.Frame, op string) string { return trace.Spot(f) + "\x00" + op }

// namesOf returns the names of the scan. Operations of one line that work on different things have none.
func namesOf(facts *trace.Facts) textNames {
	names := textNames{}
	if facts == nil {
		return names
	}
	for _, s := range facts.Sites {
		k := textKey(s.Frame, s.Op)
		if was, ok := names[k]; ok && was != s.Name {
			names[k] = ""
			continue
		}
		names[k] = s.Name
	}
	return names
}

// of returns the name of a lock or channel: where it is made or else what most of the places call
// it where it is used; "" if the text has none.
func (n textNames) of(r *trail.Resource) string {
	if name := n[textKey(r.Place, trace.OpMake.String())]; name != "" && r.Kind == core.Channel {
		return name
	}
	uses := map[*trail.Node]int{}
	for _, u := range r.Uses {
		uses[u.Step().Node]++
	}
	votes, owners := map[string]int{}, map[string]int{}
	for node, times := range uses {
		if name := n[textKey(node.Place, node.Op.String())]; name != "" {
			votes[name] += times
		}
		for _, op := range parts {
			name := n[textKey(node.Place, op.String())]
			if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
				owners[name[:dot]] += times
			}
		}
	}
	return cmp.Or(most(votes), most(owners))
}

// parts are the operations of which queues, barriers and permits are made that have no kind of their own.
var parts = []trace.Op{trace.OpLock, trace.OpCondWait, trace.OpBroadcast, trace.OpSignal}

// most is the name with the most votes, of equals the first; "" if there is none.
func most(votes map[string]int) (best string) {
	for _, name := range slices.Sorted(maps.Keys(votes)) {
		if best == "" || votes[name] > votes[best] {
			best = name
		}
	}
	return best
}

// pool is what a pool is called.
func (n textNames) pool(g *trail.Pool, setting string) string {
	in, unnamed := trace.Enclosing(g.Function)
	if !unnamed || g.Kind == trail.PoolMain || g.Kind == trail.PoolRuntime {
		return g.Name
	}
	if name := cmp.Or(setting, n[textKey(g.Place, trace.OpSpawn.String())], g.Given); name != "" {
		return name
	}
	if g.Place.File == "" {
		return trace.ShortFunction(in)
	}
	return placed(trace.ShortFunction(in), g.Place)
}
