package difference

import (
	"math"
	"reflect"
	"slices"

	"tierscope/core"
)

// Kind is what happened to an element.
type Kind string

// Kinds of changes.
const (
	Changed Kind = "changed"
	Added   Kind = "new"
	Removed Kind = "removed"
)

// Significance says whether a difference can be chance, as the numbers of
// observations behind both values tell.
type Significance string

// Significances. Values that nobody observed are as they were given.
const (
	Significant   Significance = "yes"
	Insignificant Significance = "no"
	Given         Significance = "given"
)

// Change is one difference between two models.
type Change struct {
	Kind Kind   `json:"kind"`
	Of   string `json:"of"`   // path of the element: pools/worker, graphs/worker/fragments/parse
	What string `json:"what"` // "CPU time", "threads"; of a new or removed element "" or its kind
	// Old and New are the values, per execution; 0 where there is none.
	Old  float64 `json:"old"`
	New  float64 `json:"new"`
	Unit string  `json:"unit,omitempty"`

	Significant Significance `json:"significant"`
	Part        string       `json:"part"` // of the attribution that it belongs to

	weight float64 // of a time: change per task, run or cycle of the thread, seconds
}

// Relative is the change as a share of the old value, NaN if that is 0.
func (c Change) Relative() float64 {
	if c.Old == 0 {
		return math.NaN()
	}
	return c.New/c.Old - 1
}

// surely is the standard normal quantile of 95 % significance, two-sided.
const surely = 1.96

// changesOf lists what differs between the old model and the new one with the
// old names, tier by tier.
func changesOf(before, after *core.Model) []Change {
	var all []Change
	all = append(all, network(before, after)...)
	for i := range before.Graphs {
		if now := graph(after, before.Graphs[i].ID); now != nil {
			all = append(all, graphChanges(&before.Graphs[i], now)...)
		}
	}
	return append(all, resources(before, after)...)
}

// graphChanges lists what differs in a call graph.
func graphChanges(before, after *core.Graph) []Change {
	prefix := "graphs/" + before.ID + "/fragments/"
	visits := before.Visits()
	var all []Change
	for i := range before.Fragments {
		f := &before.Fragments[i]
		g := after.Fragment(f.ID)
		if g == nil {
			all = append(all, Change{Kind: Removed, Of: prefix + f.ID, What: string(f.Class), Significant: Given, Part: paths(before.ID)})
			continue
		}
		for _, c := range fragmentChanges(f, g) {
			c.Of = prefix + f.ID
			if c.Unit == "s" {
				c.weight = math.Abs(c.New-c.Old) * visits.Count[i]
			}
			all = append(all, c)
		}
		all = append(all, branches(before, f, g, prefix)...)
	}
	for i := range after.Fragments {
		if f := &after.Fragments[i]; before.Fragment(f.ID) == nil {
			all = append(all, Change{Kind: Added, Of: prefix + f.ID, What: string(f.Class), Significant: Given, Part: paths(before.ID)})
		}
	}
	return all
}

// fragmentChanges lists the parameters of a fragment that differ.
func fragmentChanges(f, g *core.Fragment) []Change {
	var all []Change
	part := code(f)
	add := func(what, unit string, a, b core.Distribution, by float64) {
		if reflect.DeepEqual(a, b) && (by == 1 || a.IsZero()) {
			return
		}
		b = b.Scaled(by)
		all = append(all, Change{Kind: Changed, What: what, Unit: unit, Old: a.Expectation(), New: b.Expectation(), Significant: significance(a, b), Part: part})
	}
	by := orOne(g.Scale) / orOne(f.Scale)
	add("CPU time", "s", f.Demand, g.Demand, by)
	add("delay", "s", f.Delay, g.Delay, by)
	if f.Loop != nil && g.Loop != nil {
		add("iterations", "", f.Loop.Count, g.Loop.Count, 1)
	}
	if f.IO != nil && g.IO != nil {
		for _, r := range f.IO.Requests {
			if i := slices.IndexFunc(g.IO.Requests, func(x core.RequestType) bool { return x.Type == r.Type }); i >= 0 {
				add(r.Type+" requests", "", r.Count, g.IO.Requests[i].Count, by)
				add("size of "+r.Type+" requests", "B", r.Bytes, g.IO.Requests[i].Bytes, 1)
			}
		}
	}
	return all
}

// significance is Welch's test of two means.
func significance(a, b core.Distribution) Significance {
	if a.Samples < 2 || b.Samples < 2 {
		return Given
	}
	se := math.Sqrt(a.Variance()/float64(a.Samples) + b.Variance()/float64(b.Samples))
	if math.Abs(a.Expectation()-b.Expectation()) > surely*se {
		return Significant
	}
	return Insignificant
}

// branches lists the probabilities of a fragment's successors that differ.
func branches(g *core.Graph, f, now *core.Fragment, prefix string) []Change {
	if len(f.Next) < 2 && len(now.Next) < 2 && slices.EqualFunc(f.Next, now.Next, func(a, b core.Edge) bool { return a.To == b.To }) {
		return nil
	}
	var all []Change
	old, total := edges(f)
	after, totalNow := edges(now)
	for _, to := range union(f.Next, now.Next) {
		p, q := old[to], after[to]
		if p == q {
			continue
		}
		s := Given
		if n, m := float64(total), float64(totalNow); n > 0 && m > 0 {
			pooled := (p*n + q*m) / (n + m)
			s = Insignificant
			if se := math.Sqrt(pooled * (1 - pooled) * (1/n + 1/m)); math.Abs(p-q) > surely*se {
				s = Significant
			}
		}
		all = append(all, Change{Kind: Changed, Of: prefix + f.ID, What: "probability of → " + to, Unit: "1", Old: p, New: q, Significant: s, Part: paths(g.ID)})
	}
	return all
}

// edges returns the probabilities of the successors, and how often they were
// seen.
func edges(f *core.Fragment) (p map[string]float64, seen int64) {
	p = map[string]float64{}
	for _, e := range f.Next {
		p[e.To] += e.Probability
		seen += e.Count
	}
	return p, seen
}

func union(a, b []core.Edge) []string {
	var all []string
	for _, e := range append(slices.Clone(a), b...) {
		if !slices.Contains(all, e.To) {
			all = append(all, e.To)
		}
	}
	return all
}

// paths is the part of the attribution that which fragments are executed is in.
func paths(graph string) string { return "paths of " + graph }

// codeOf begins the name of the part that the times of a function are in.
const codeOf = "code of "

// code is the part that the times of a fragment are in: those of its function.
func code(f *core.Fragment) string {
	if f.Origin.Function != "" {
		return codeOf + f.Origin.Function
	}
	return codeOf + f.ID
}
