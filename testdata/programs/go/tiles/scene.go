package main

import (
	"math"
	"math/rand/v2"
)

// vector is a point, a direction or a colour.
type vector struct{ x, y, z float64 }

func (a vector) plus(b vector) vector        { return vector{a.x + b.x, a.y + b.y, a.z + b.z} }
func (a vector) minus(b vector) vector       { return vector{a.x - b.x, a.y - b.y, a.z - b.z} }
func (a vector) times(f float64) vector      { return vector{a.x * f, a.y * f, a.z * f} }
func (a vector) dot(b vector) float64        { return a.x*b.x + a.y*b.y + a.z*b.z }
func (a vector) unit() vector                { return a.times(1 / math.Sqrt(a.dot(a))) }
func (a vector) filter(b vector) vector      { return vector{a.x * b.x, a.y * b.y, a.z * b.z} }
func (d vector) mirror(normal vector) vector { return d.minus(normal.times(2 * d.dot(normal))) }

type ray struct{ origin, direction vector }

func (r ray) at(t float64) vector { return r.origin.plus(r.direction.times(t)) }

type sphere struct {
	centre  vector
	radius  float64
	colour  vector
	shining float64 // share of the light that is mirrored
}

// hit returns the distance along the ray to the sphere, +Inf if it misses.
func (s *sphere) hit(r ray) float64 {
	const tooClose = 1e-6 // a ray must not hit the surface that it leaves
	oc := r.origin.minus(s.centre)
	b := oc.dot(r.direction)
	discriminant := b*b - oc.dot(oc) + s.radius*s.radius
	if discriminant < 0 {
		return math.Inf(1)
	}
	root := math.Sqrt(discriminant)
	for _, t := range [...]float64{-b - root, -b + root} {
		if t > tooClose {
			return t
		}
	}
	return math.Inf(1)
}

// scene is the spheres, of which the first is the floor, and a lamp.
type scene struct {
	spheres []sphere
	lamp    vector
}

func newScene(spheres int, seed uint64) *scene {
	random := rand.New(rand.NewPCG(seed, 0))
	s := &scene{lamp: vector{-5, 10, -5}}
	s.spheres = append(s.spheres, sphere{vector{0, -1000, 0}, 1000, vector{0.8, 0.8, 0.7}, 0.1})
	for range spheres {
		radius := 0.1 + 0.3*random.Float64()
		s.spheres = append(s.spheres, sphere{
			centre:  vector{6*random.Float64() - 3, radius, 5 * random.Float64()},
			radius:  radius,
			colour:  vector{random.Float64(), random.Float64(), random.Float64()},
			shining: 0.6 * random.Float64(),
		})
	}
	return s
}

// nearest returns the sphere that the ray hits first, nil if none.
func (s *scene) nearest(r ray) (*sphere, float64) {
	var found *sphere
	distance := math.Inf(1)
	for i := range s.spheres {
		if t := s.spheres[i].hit(r); t < distance {
			found, distance = &s.spheres[i], t
		}
	}
	return found, distance
}

// trace returns the light that comes back along the ray: diffuse light where
// the lamp is not hidden, and what the surface mirrors.
func (s *scene) trace(r ray, depth int) vector {
	const mirrors = 4 // reflections that are followed
	object, distance := s.nearest(r)
	if object == nil {
		return vector{0.5, 0.7, 1}.times(0.5 + 0.5*max(r.direction.y, 0))
	}
	point := r.at(distance)
	normal := point.minus(object.centre).unit()
	toLamp := s.lamp.minus(point)
	light := 0.1
	if _, blocked := s.nearest(ray{point, toLamp.unit()}); blocked*blocked > toLamp.dot(toLamp) {
		light += 0.9 * max(normal.dot(toLamp.unit()), 0)
	}
	colour := object.colour.filter(vector{1, 1, 1}.times(light * (1 - object.shining)))
	if depth < mirrors && object.shining > 0 {
		reflected := s.trace(ray{point, r.direction.mirror(normal)}, depth+1)
		colour = colour.plus(reflected.times(object.shining))
	}
	return colour
}
