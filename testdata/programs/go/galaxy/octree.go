package main

import (
	"cmp"
	"math"
	"slices"
)

const (
	gravity   = 1e-3
	softening = 1e-3 // keeps the attraction of near bodies finite
	dt        = 1e-2
)

type vector [3]float64

type body struct {
	mass, radius       float64
	position, velocity vector
}

// pair names two bodies that touch, the first the one with the lower index.
type pair struct{ a, b int }

// galaxy is the bodies and the octree over their positions. Force threads
// write moved, each its own bodies; everything else is only read meanwhile.
type galaxy struct {
	theta  float64
	bodies []body
	moved  []body
	root   *node
}

// node is a cube of the octree: a leaf with one body, or eight children.
type node struct {
	centre   vector // of the cube
	half     float64
	mass     float64
	barycent vector // of mass
	leaf     int    // index of the only body, −1: none or several
	children *[8]*node
}

// rebuild makes the octree of the current positions.
func (g *galaxy) rebuild() {
	half := 0.0
	for i := range g.bodies {
		for _, x := range g.bodies[i].position {
			half = max(half, math.Abs(x))
		}
	}
	g.root = &node{half: half * 1.001, leaf: -1}
	for i := range g.bodies {
		g.insert(g.root, i)
	}
	g.moved = slices.Grow(g.moved[:0], len(g.bodies))[:len(g.bodies)]
}

// insert adds body i to the cube and keeps its mass and barycentre.
func (g *galaxy) insert(n *node, i int) {
	const smallest = 1e-9 // cubes are not cut further: bodies at one place share one
	b := &g.bodies[i]
	empty := n.mass == 0
	for k := range 3 {
		n.barycent[k] = (n.barycent[k]*n.mass + b.position[k]*b.mass) / (n.mass + b.mass)
	}
	n.mass += b.mass
	switch {
	case empty:
		n.leaf = i
		return
	case n.half < smallest:
		return
	case n.children == nil:
		n.children = new([8]*node)
		g.insert(n.child(g.bodies[n.leaf].position), n.leaf)
		n.leaf = -1
	}
	g.insert(n.child(b.position), i)
}

// child returns the octant of n that holds the point, made when first needed.
func (n *node) child(p vector) *node {
	index, centre := 0, n.centre
	for k := range 3 {
		if p[k] >= n.centre[k] {
			index |= 1 << k
			centre[k] += n.half / 2
		} else {
			centre[k] -= n.half / 2
		}
	}
	if n.children[index] == nil {
		n.children[index] = &node{centre: centre, half: n.half / 2, leaf: -1}
	}
	return n.children[index]
}

// advance computes the attraction on some of the bodies and where they are
// after the step.
func (g *galaxy) advance(first, end int) {
	for i := first; i < end; i++ {
		b := g.bodies[i]
		acceleration := g.attraction(g.root, i)
		for k := range 3 {
			b.velocity[k] += acceleration[k] * dt
			b.position[k] += b.velocity[k] * dt
		}
		g.moved[i] = b
	}
}

func (g *galaxy) attraction(n *node, i int) vector {
	var sum vector
	if n.leaf == i {
		return sum
	}
	var d vector
	r2 := softening
	for k := range 3 {
		d[k] = n.barycent[k] - g.bodies[i].position[k]
		r2 += d[k] * d[k]
	}
	if n.children == nil || 4*n.half*n.half < g.theta*g.theta*r2 {
		scale := gravity * n.mass / (r2 * math.Sqrt(r2))
		for k := range 3 {
			sum[k] = scale * d[k]
		}
		return sum
	}
	for _, c := range n.children {
		if c != nil {
			part := g.attraction(c, i)
			for k := range 3 {
				sum[k] += part[k]
			}
		}
	}
	return sum
}

// collisions returns the pairs that touch and whose first is among some of
// the bodies.
func (g *galaxy) collisions(first, end int) []pair {
	var found []pair
	for i := first; i < end; i++ {
		found = g.touching(g.root, i, found)
	}
	return found
}

func (g *galaxy) touching(n *node, i int, found []pair) []pair {
	const largest = 0.02 // radius of the largest body
	b := &g.bodies[i]
	for k := range 3 {
		if math.Abs(b.position[k]-n.centre[k]) > n.half+b.radius+largest {
			return found
		}
	}
	if n.children == nil {
		if j := n.leaf; j > i {
			other, r2 := &g.bodies[j], 0.0
			for k := range 3 {
				d := b.position[k] - other.position[k]
				r2 += d * d
			}
			if reach := b.radius + other.radius; r2 < reach*reach {
				found = append(found, pair{i, j})
			}
		}
		return found
	}
	for _, c := range n.children {
		if c != nil {
			found = g.touching(c, i, found)
		}
	}
	return found
}

// merge takes over the moved bodies and unites those that touched, in an
// order that does not depend on the threads.
func (g *galaxy) merge(blocks [][]pair) {
	g.bodies, g.moved = g.moved, g.bodies
	pairs := slices.Concat(blocks...)
	slices.SortFunc(pairs, func(p, q pair) int {
		return cmp.Or(cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b))
	})
	for _, p := range pairs {
		a, b := &g.bodies[p.a], &g.bodies[p.b]
		if a.mass == 0 || b.mass == 0 {
			continue // already united with another one
		}
		total := a.mass + b.mass
		for k := range 3 {
			a.position[k] = (a.position[k]*a.mass + b.position[k]*b.mass) / total
			a.velocity[k] = (a.velocity[k]*a.mass + b.velocity[k]*b.mass) / total
		}
		a.mass, b.mass = total, 0
	}
	g.bodies = slices.DeleteFunc(g.bodies, func(b body) bool { return b.mass == 0 })
}
