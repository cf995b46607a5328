// Galaxy simulates the motion of heavenly bodies with the algorithm of Barnes
// and Hut (Tarvo & Reiss 2014, §5.2). In every step the main thread rebuilds
// the octree; then two pools read it at the same time:
//
//	main ──blocks of bodies (channel)──▶ force threads: attraction, new position
//	     ──blocks of bodies (channel)──▶ collision threads: pairs that touch
//	     wait for both (WaitGroup), merge the bodies that collided
package main

import (
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"sync"
	"time"

	"tierscope/testdata/programs/go/report"
)

// block is a task of either pool: the bodies from first to end-1.
type block struct {
	first, end int
	sent       time.Time
}

func main() {
	force := flag.Int("force", 2, "threads that compute forces")
	collision := flag.Int("collision", 1, "threads that look for collisions")
	bodies := flag.Int("bodies", 3000, "at the beginning")
	steps := flag.Int("steps", 40, "of time")
	size := flag.Int("block", 100, "bodies per task")
	theta := flag.Float64("theta", 0.6, "opening angle: smaller is more exact and slower")
	seed := flag.Uint64("seed", 1, "of the initial galaxy")
	asJSON := flag.Bool("json", false, "print a summary as one line of JSON")
	flag.Parse()
	if *force < 1 || *collision < 1 || *bodies < 1 || *steps < 1 || *size < 1 || *theta <= 0 {
		log.Fatal("galaxy: all sizes and -theta must be positive")
	}

	started := time.Now()
	g := newGalaxy(*bodies, *theta, *seed)
	forceQueue := make(chan block, *bodies / *size + 1)
	collisionQueue := make(chan block, *bodies / *size + 1)
	times := make([][]time.Duration, *force+*collision)
	touching := make([][]pair, *bodies / *size + 1)
	var pools, step sync.WaitGroup
	for w := range *force {
		pools.Go(func() {
			for b := range forceQueue {
				g.advance(b.first, b.end)
				times[w] = append(times[w], time.Since(b.sent))
				step.Done()
			}
		})
	}
	for w := range *collision {
		pools.Go(func() {
			for b := range collisionQueue {
				touching[b.first / *size] = g.collisions(b.first, b.end)
				times[*force+w] = append(times[*force+w], time.Since(b.sent))
				step.Done()
			}
		})
	}
	for range *steps {
		g.rebuild()
		for first := 0; first < len(g.bodies); first += *size {
			b := block{first: first, end: min(first+*size, len(g.bodies)), sent: time.Now()}
			step.Add(2)
			forceQueue <- b
			collisionQueue <- b
		}
		step.Wait()
		g.merge(touching)
		clear(touching)
	}
	close(forceQueue)
	close(collisionQueue)
	pools.Wait()

	check := fmt.Sprintf("%d bodies, x %.9f", len(g.bodies), g.bodies[0].position[0])
	if *asJSON {
		if err := report.New("galaxy", *force+*collision, started, check, times...).Print(os.Stdout); err != nil {
			log.Fatal(err)
		}
		return
	}
	fmt.Println(check)
}

// newGalaxy is a disk of bodies that circle a heavy one.
func newGalaxy(bodies int, theta float64, seed uint64) *galaxy {
	random := rand.New(rand.NewPCG(seed, 0))
	g := &galaxy{theta: theta, bodies: make([]body, bodies)}
	g.bodies[0] = body{mass: 1000, radius: 0.02}
	for i := 1; i < bodies; i++ {
		distance := 0.2 + math.Sqrt(random.Float64())
		angle := 2 * math.Pi * random.Float64()
		speed := math.Sqrt(gravity * 1000 / distance)
		g.bodies[i] = body{
			mass:     0.01 + 0.09*random.Float64(),
			radius:   0.003,
			position: vector{distance * math.Cos(angle), distance * math.Sin(angle), 0.05 * random.NormFloat64()},
			velocity: vector{-speed * math.Sin(angle), speed * math.Cos(angle), 0},
		}
	}
	return g
}
