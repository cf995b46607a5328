package diagram

import (
	"cmp"
	"math"
	"strings"

	"tierscope/core/quantity"
	"tierscope/simulation"
)

// Delta is how an element differs between two results.
type Delta struct {
	Known bool // both results say something about it
	Clear bool // the difference is more than its noise
	Of    string
	Unit  string
	A, B  float64
	// Cost is what the difference costs a task, in seconds; 0 for what is no time
	// of code.
	Cost float64
}

// compared are the metrics that tell of an element, by what it is; the first
// that both results have counts.
var compared = []struct{ kind, words string }{
	{"E", "time per execution"}, {"W", "wait per visit"}, {"U", "utilization"}, {"Q", "waiting"},
}

// Deltas compares what two results say of every node: A is the reference.
func Deltas(d *Diagram, a, b *simulation.Result) []Delta {
	byKey := map[string]simulation.Comparison{}
	for _, c := range simulation.Compare(a, b, nil) {
		byKey[c.Key()] = c
	}
	out := make([]Delta, len(d.Nodes))
	for i, n := range d.Nodes {
		of := metricName(n.Path)
		kinds := compared
		if strings.HasPrefix(of, "pool/") || of == "cpu" || strings.HasPrefix(of, "disk/") {
			kinds = compared[2:]
		}
		for _, k := range kinds {
			c, ok := byKey[k.kind+" "+of+" mean"]
			if !ok {
				continue
			}
			out[i] = Delta{Known: true, Clear: clear(c), Of: k.words, Unit: c.Unit, A: c.A.Mean, B: c.B.Mean}
			if v, ok := byKey["V "+of+" mean"]; ok && k.kind == "E" {
				out[i].Cost = c.B.Mean*v.B.Mean - c.A.Mean*v.A.Mean
				out[i].Clear = out[i].Clear || clear(v)
			}
			break
		}
	}
	return out
}

// clear reports whether a difference is one: its interval leaves out zero.
func clear(c simulation.Comparison) bool { return c.Absolute.Lo > 0 || c.Absolute.Hi < 0 }

// Signed is the difference as a colour: −1 for half as much, 1 for twice as
// much or more; 0 for what does not clearly differ.
func (x Delta) Signed() float64 {
	switch {
	case !x.Known || !x.Clear || x.A == x.B:
		return 0
	case x.A <= 0 || x.B <= 0:
		return math.Copysign(1, x.B-x.A)
	}
	return max(-1, min(1, math.Log2(x.B/x.A)))
}

// Words is the difference in the table: how much more or less, or that nobody can tell.
func (x Delta) Words() string {
	switch {
	case !x.Known:
		return ""
	case !x.Clear:
		return "no clear change"
	case x.A == 0:
		return "new"
	}
	return quantity.Change(x.B/x.A - 1)
}

// Note is the difference for a node, which is white and says nothing new without one.
func (x Delta) Note() string {
	if !x.Clear {
		return ""
	}
	return x.Words()
}

// Flows is how much more often every edge is taken in B: the change of the
// visits of where it leads, as Signed has it.
func Flows(d *Diagram, a, b *simulation.Result) []float64 {
	visits := map[string]simulation.Comparison{}
	for _, c := range simulation.Compare(a, b, func(m simulation.Metric) bool { return m.Name == "V" && m.Stat == "mean" }) {
		visits[c.Of] = c
	}
	out := make([]float64, len(d.Edges))
	for i, e := range d.Edges {
		to, from := visits[metricName(d.Nodes[e.To].Path)], visits[metricName(d.Nodes[e.From].Path)]
		if c := to; cmp.Or(c.Of, from.Of) != "" {
			if c.Of == "" {
				c = from
			}
			out[i] = Delta{Known: true, Clear: clear(c), A: c.A.Mean, B: c.B.Mean}.Signed()
		}
	}
	return out
}

// ContrastLegend says what the colours of a comparison mean.
const ContrastLegend = "orange: more in B, up to twice as much · blue: less · white: no clear change · wide edges: taken more or less often"
