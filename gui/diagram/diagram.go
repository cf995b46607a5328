// Package diagram turns the tiers of a model into nodes and edges and paints
// them, on the screen and in files, with the same painter. Graphviz finds the
// coordinates (package graphlayout); shapes say the class of a node and colour
// only adds to it.
package diagram

import (
	"context"

	"tierscope/gui/graphlayout"
	"tierscope/gui/paint"
	"tierscope/gui/palette"
)

// Shape is the outline of a node: one for each class.
type Shape uint8

// Shapes.
const (
	Box      Shape = iota // computes
	Cylinder              // disk
	Hexagon               // lock, synchronization
	TrayIn                // takes a task from a queue
	TrayOut               // puts a task into a queue
	Tray                  // queue
	Pill                  // thread pool
	Dot                   // source, sink, fetch, nofetch, dispatch
	Clock                 // delay
	Ring                  // loop
	Chip                  // processor
)

// Node is a node of a diagram.
type Node struct {
	Path   string // of the model element, such as "locks/L3"
	Title  string
	Detail string // second line
	Badge  string // in the corner: threads, iterations
	Shape  Shape
	State  palette.State // the resource it is about
	Of     string        // its name, where a fragment is about one: of a queue, lock or disk
	Open   string        // part of the model page that a double tap opens, "" for none
	Entry  bool          // where threads begin
}

// Edge leads from node From to node To (indexes).
type Edge struct {
	From, To int
	Label    string
	Share    float64 // 0…1: how wide it is drawn
	Dashed   bool    // taken only after a timeout or a failed try
	Latent   bool    // a dependency that no call shows: dashed and in the colour of a bad verdict
}

// Diagram is what is drawn.
type Diagram struct {
	Name      string
	Direction graphlayout.Direction
	Nodes     []Node
	Edges     []Edge
	// Hidden is how many nodes were left out as not significant, of Total.
	Hidden, Total int
}

// Call gives the nodes the titles that somebody has given to their elements, by path.
func (d *Diagram) Call(names map[string]string) {
	for i := range d.Nodes {
		if name := names[d.Nodes[i].Path]; name != "" {
			d.Nodes[i].Title = name
		}
	}
}

// Index returns the node of a model element, −1 if it has none.
func (d *Diagram) Index(path string) int {
	for i, n := range d.Nodes {
		if n.Path == path {
			return i
		}
	}
	return -1
}

// Sizes of text and room, in device-independent pixels at scale 1.
const (
	titleSize  = 13
	detailSize = 11
	labelSize  = 10.5
	maxTitle   = 190 // longer titles end with an ellipsis
)

// size returns how large a node is drawn.
func (n Node) size(fonts *paint.Fonts) (w, h float32) {
	if n.Shape == Dot && n.Title == "" {
		return 16, 16
	}
	w = min(fonts.Width(n.Title, titleSize, true), maxTitle)
	h = 34 // a note has room under the title
	if n.Detail != "" {
		w = max(w, min(fonts.Width(n.Detail, detailSize, false), maxTitle))
		h = 46
	}
	if n.Shape == Cylinder {
		h += 12
	}
	return max(w+n.side(), 56), h
}

// side is what the outline takes of the width.
func (n Node) side() float32 {
	switch n.Shape {
	case Hexagon, TrayIn, TrayOut:
		return 44
	case Tray, Pill:
		return 36
	case Clock:
		return 36 + clockRoom
	case Box, Dot, Ring, Chip, Cylinder:
	}
	return 24
}

// Placed is a diagram with coordinates.
type Placed struct {
	*Diagram
	W, H  float32
	Boxes []Rect // of the nodes
	Lines []graphlayout.Curve
}

// Rect is a box; X and Y are its centre.
type Rect struct{ X, Y, W, H float32 }

// Contains reports whether a point lies in the box.
func (r Rect) Contains(x, y float32) bool {
	return x >= r.X-r.W/2 && x <= r.X+r.W/2 && y >= r.Y-r.H/2 && y <= r.Y+r.H/2
}

// Place lays a diagram out. It may take seconds for a thousand nodes.
func Place(ctx context.Context, d *Diagram, l *graphlayout.Layouter, fonts *paint.Fonts) (*Placed, error) {
	g := graphlayout.Graph{Direction: d.Direction}
	p := &Placed{Diagram: d}
	for _, n := range d.Nodes {
		w, h := n.size(fonts)
		g.Nodes = append(g.Nodes, graphlayout.Node{W: w, H: h})
		p.Boxes = append(p.Boxes, Rect{W: w, H: h})
	}
	for _, e := range d.Edges {
		edge := graphlayout.Edge{From: e.From, To: e.To}
		if e.Label != "" {
			edge.W, edge.H = fonts.Width(e.Label, labelSize, false)+8, labelSize+4
		}
		g.Edges = append(g.Edges, edge)
	}
	out, err := l.Layout(ctx, g)
	if err != nil {
		return nil, err
	}
	p.W, p.H, p.Lines = out.W, out.H, out.Edges
	for i, c := range out.Nodes {
		p.Boxes[i].X, p.Boxes[i].Y = c.X, c.Y
	}
	return p, nil
}
