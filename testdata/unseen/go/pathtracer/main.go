// Pathtracer renders spheres under a sky. Workers take one row of the picture
// after the other.
package main

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
)

type vec struct{ x, y, z float64 }

func (a vec) add(b vec) vec           { return vec{a.x + b.x, a.y + b.y, a.z + b.z} }
func (a vec) sub(b vec) vec           { return vec{a.x - b.x, a.y - b.y, a.z - b.z} }
func (a vec) mul(s float64) vec       { return vec{a.x * s, a.y * s, a.z * s} }
func (a vec) times(b vec) vec         { return vec{a.x * b.x, a.y * b.y, a.z * b.z} }
func (a vec) dot(b vec) float64       { return a.x*b.x + a.y*b.y + a.z*b.z }
func (a vec) unit() vec               { return a.mul(1 / math.Sqrt(a.dot(a))) }
func (r ray) at(t float64) vec        { return r.from.add(r.to.mul(t)) }
func (a vec) mirrored(normal vec) vec { return a.sub(normal.mul(2 * a.dot(normal))) }

type ray struct{ from, to vec }

type sphere struct {
	centre vec
	radius float64
	colour vec
	shiny  bool
}

func (s *sphere) hit(r ray) (float64, bool) {
	oc := r.from.sub(s.centre)
	b := oc.dot(r.to)
	c := oc.dot(oc) - s.radius*s.radius
	d := b*b - c
	if d < 0 {
		return 0, false
	}
	t := -b - math.Sqrt(d)
	return t, t > 1e-4
}

func diffuse(normal vec, random *rand.Rand) vec {
	for {
		v := vec{2*random.Float64() - 1, 2*random.Float64() - 1, 2*random.Float64() - 1}
		if l := v.dot(v); l < 1 && l > 1e-6 {
			return normal.add(v.unit()).unit()
		}
	}
}

func trace(scene []sphere, r ray, depth int, random *rand.Rand) vec {
	var nearest *sphere
	best := math.Inf(1)
	for i := range scene {
		if t, ok := scene[i].hit(r); ok && t < best {
			best, nearest = t, &scene[i]
		}
	}
	if nearest == nil || depth == 0 {
		t := 0.5 * (r.to.y + 1)
		return vec{1 - 0.5*t, 1 - 0.3*t, 1}
	}
	p := r.at(best)
	normal := p.sub(nearest.centre).unit()
	next := ray{p, diffuse(normal, random)}
	if nearest.shiny {
		next.to = r.to.mirrored(normal)
	}
	return nearest.colour.times(trace(scene, next, depth-1, random))
}

func main() {
	workers := flag.Int("workers", 2, "threads that render")
	width := flag.Int("width", 160, "pixels")
	height := flag.Int("height", 120, "pixels")
	samples := flag.Int("samples", 12, "paths per pixel")
	balls := flag.Int("spheres", 20, "in the scene")
	flag.Parse()

	random := rand.New(rand.NewPCG(1, 2))
	scene := []sphere{{vec{0, -1000, 0}, 999, vec{0.7, 0.7, 0.6}, false}}
	for i := range *balls {
		at := vec{6*random.Float64() - 3, random.Float64() - 0.5, -3 - 4*random.Float64()}
		scene = append(scene, sphere{at, 0.3 + 0.3*random.Float64(), vec{random.Float64(), random.Float64(), random.Float64()}, i%3 == 0})
	}

	picture := make([][]vec, *height)
	rows := make(chan int)
	var wg sync.WaitGroup
	wg.Add(*workers)
	for range *workers {
		go func() {
			defer wg.Done()
			for y := range rows {
				random := rand.New(rand.NewPCG(uint64(y), 3))
				row := make([]vec, *width)
				for x := range row {
					var sum vec
					for range *samples {
						u := (float64(x)+random.Float64())/float64(*width)*2 - 1
						v := 1 - (float64(y)+random.Float64())/float64(*height)*2
						sum = sum.add(trace(scene, ray{vec{0, 0, 1}, vec{u * 1.3, v, -1.5}.unit()}, 6, random))
					}
					row[x] = sum.mul(1 / float64(*samples))
				}
				picture[y] = row
			}
		}()
	}
	for y := range *height {
		rows <- y
	}
	close(rows)
	wg.Wait()

	light := 0.0
	for _, row := range picture {
		for _, p := range row {
			light += p.x + p.y + p.z
		}
	}
	fmt.Printf("mean light %.6f\n", light/float64(3**width**height))
}
