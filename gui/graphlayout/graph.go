// Package graphlayout finds places for the nodes and curves for the edges of
// a directed graph. Graphviz computes the coordinates and nothing else; who
// draws the graph, and how, is not its concern.
//
// Graphviz runs in a child process, the program cmd/tierlayout: it is not safe for
// concurrent use, cannot be cancelled and leaks memory, none of which matters in
// a process that lives for one layout and can be killed. What it compiles before it begins
// is kept in a folder of the user's own.
package graphlayout

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"
)

// Direction is where the edges lead.
type Direction string

// Directions.
const (
	TopDown   Direction = "TB"
	LeftRight Direction = "LR"
)

// Graph is what is to be laid out. Sizes are in device-independent pixels.
type Graph struct {
	Direction Direction
	Nodes     []Node
	Edges     []Edge
}

// Node is a box to place.
type Node struct{ W, H float32 }

// Edge leads from node From to node To, and wants room for a label of W×H
// beside it; 0 for none.
type Edge struct {
	From, To int
	W, H     float32
}

// Point is a position, y down.
type Point struct{ X, Y float32 }

// Layout is a graph with coordinates, nodes and edges in the order of the
// Graph.
type Layout struct {
	W, H  float32
	Nodes []Point // centres
	Edges []Curve
}

// Curve is a chain of cubic Bézier curves, 3k+1 points, and the centre of the
// label.
type Curve struct {
	Points []Point
	Label  Point
}

// scale is device-independent pixels per inch.
const scale = 96

// largeGraph is the number of edges beyond which Graphviz is told to stop
// improving early and gets no labels to place (they double the ranks): a
// thousand nodes then take seconds, not half a minute.
const largeGraph = 250

// dot writes g in Graphviz's language. Node names are indexes; the index of
// an edge travels in its colour, which the plain format repeats.
func (g Graph) dot() string {
	var b strings.Builder
	dir := g.Direction
	if dir == "" {
		dir = TopDown
	}
	fmt.Fprintf(&b, "digraph{rankdir=%s;nodesep=.3;ranksep=.45;node[shape=box,fixedsize=true,label=\"\"];\n", dir)
	large := len(g.Edges) > largeGraph
	if large {
		b.WriteString("nslimit=1;nslimit1=1;mclimit=0.2;\n")
	}
	for i, n := range g.Nodes {
		fmt.Fprintf(&b, "%d[width=%.4f,height=%.4f];\n", i, n.W/scale, n.H/scale)
	}
	for i, e := range g.Edges {
		label := ""
		if e.W > 0 && !large {
			// A table of fixed size reserves the room without Graphviz's font metrics (in points).
			label = fmt.Sprintf(",label=<<table border=\"0\" fixedsize=\"true\" width=\"%.0f\" height=\"%.0f\"><tr><td></td></tr></table>>",
				e.W*72/scale, e.H*72/scale)
		}
		fmt.Fprintf(&b, "%d->%d[color=\"%d\"%s];\n", e.From, e.To, i, label)
	}
	b.WriteString("}\n")
	return b.String()
}

// hash identifies the graph's content.
func hash(dot string) string {
	h := sha256.Sum256([]byte(dot))
	return fmt.Sprintf("%x", h[:12])
}

// parse reads Graphviz's plain format: one line a node, one line an edge,
// lengths in inches, y up.
func parse(plain string, g Graph) (*Layout, error) {
	l := &Layout{Nodes: make([]Point, len(g.Nodes)), Edges: make([]Curve, len(g.Edges))}
	placed := 0
	sc := bufio.NewScanner(strings.NewReader(plain))
	sc.Buffer(nil, 1<<22)
	for sc.Scan() {
		line := sc.Text()
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		r := reader{fields: f[1:]}
		switch f[0] {
		case "graph":
			r.number() // zoom
			l.W, l.H = r.length(), r.length()
		case "node":
			i := r.index(len(l.Nodes))
			l.Nodes[i] = Point{r.length(), l.H - r.length()}
			placed++
		case "edge":
			r.skip(2)
			n := r.count()
			c := Curve{Points: make([]Point, n)}
			for j := range c.Points {
				c.Points[j] = Point{r.length(), l.H - r.length()}
			}
			if len(r.fields) >= 5 { // label x y style colour
				r.skip(len(r.fields) - 4)
				c.Label = Point{r.length(), l.H - r.length()}
				r.skip(1)
			} else if n > 0 {
				r.skip(1)
				c.Label = c.Points[n/2]
			}
			l.Edges[r.index(len(l.Edges))] = c
		}
		if r.bad {
			return nil, fmt.Errorf("graphlayout: Graphviz answered %q", line)
		}
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("graphlayout: Graphviz's answer: %w", err)
	}
	if placed != len(g.Nodes) {
		return nil, fmt.Errorf("graphlayout: Graphviz placed %d of %d nodes", placed, len(g.Nodes))
	}
	return l, nil
}

// reader takes fields one by one and remembers that one was not as expected.
type reader struct {
	fields []string
	bad    bool
}

func (r *reader) next() string {
	if len(r.fields) == 0 {
		r.bad = true
		return ""
	}
	f := r.fields[0]
	r.fields = r.fields[1:]
	return f
}

func (r *reader) skip(n int) {
	for range n {
		r.next()
	}
}

func (r *reader) number() float32 {
	v, err := strconv.ParseFloat(r.next(), 32)
	r.bad = r.bad || err != nil
	return float32(v)
}

func (r *reader) length() float32 { return r.number() * scale }

func (r *reader) count() int {
	n, err := strconv.Atoi(strings.Trim(r.next(), `"`))
	if err != nil || n < 0 || n > 1<<20 {
		r.bad = true
		return 0
	}
	return n
}

func (r *reader) index(limit int) int {
	n := r.count()
	if n >= limit {
		r.bad = true
		return 0
	}
	return n
}
