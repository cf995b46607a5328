// Moldyn simulates argon atoms in a cubic box, after the Java Grande
// benchmark of the same name (Tarvo & Reiss 2014, §5.2). Time advances in
// steps; in every step the workers compute the forces, and when all are done
// the main thread moves the atoms.
//
//	main, every step: ──blocks of atoms (channel)──▶ workers: forces
//	                  wait for all (WaitGroup: a barrier), move the atoms
//
// The update is serial and every step ends with a barrier, so Amdahl's law
// and the slowest worker of each step bound the speed-up.
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

type vector [3]float64

// fluid is the state of the atoms in reduced Lennard-Jones units.
type fluid struct {
	edge     float64 // of the periodic box
	position []vector
	velocity []vector
	force    []vector
}

// block is a task: the atoms from first to end-1.
type block struct {
	first, end int
	sent       time.Time
}

func main() {
	workers := flag.Int("workers", 2, "threads in the pool")
	atoms := flag.Int("atoms", 864, "in the box")
	steps := flag.Int("steps", 150, "of time")
	size := flag.Int("block", 27, "atoms per task")
	seed := flag.Uint64("seed", 1, "of the initial velocities")
	asJSON := flag.Bool("json", false, "print a summary as one line of JSON")
	flag.Parse()
	if *workers < 1 || *atoms < 2 || *steps < 1 || *size < 1 {
		log.Fatal("moldyn: -workers, -steps and -block must be positive, -atoms at least 2")
	}

	started := time.Now()
	f := newFluid(*atoms, *seed)
	pending := make(chan block, (*atoms+*size-1) / *size)
	times := make([][]time.Duration, *workers)
	var pool, step sync.WaitGroup
	for w := range *workers {
		pool.Go(func() {
			for b := range pending {
				f.computeForces(b.first, b.end)
				times[w] = append(times[w], time.Since(b.sent))
				step.Done()
			}
		})
	}
	for range *steps {
		for first := 0; first < *atoms; first += *size {
			step.Add(1)
			pending <- block{first: first, end: min(first+*size, *atoms), sent: time.Now()}
		}
		step.Wait()
		f.move(0.002)
	}
	close(pending)
	pool.Wait()

	check := fmt.Sprintf("kinetic energy %.9f", f.kineticEnergy())
	if *asJSON {
		if err := report.New("moldyn", *workers, started, check, times...).Print(os.Stdout); err != nil {
			log.Fatal(err)
		}
		return
	}
	fmt.Println(check)
}

// newFluid puts the atoms on a cubic lattice of the density of liquid argon
// and gives them random velocities without a common drift.
func newFluid(atoms int, seed uint64) *fluid {
	const density = 0.83
	random := rand.New(rand.NewPCG(seed, 0))
	side := int(math.Ceil(math.Cbrt(float64(atoms))))
	f := &fluid{
		edge:     math.Cbrt(float64(atoms) / density),
		position: make([]vector, atoms), velocity: make([]vector, atoms), force: make([]vector, atoms),
	}
	var drift vector
	for i := range atoms {
		site := [3]int{i % side, i / side % side, i / side / side}
		for k := range 3 {
			f.position[i][k] = (float64(site[k]) + 0.5) * f.edge / float64(side)
			f.velocity[i][k] = random.NormFloat64()
			drift[k] += f.velocity[i][k] / float64(atoms)
		}
	}
	for i := range f.velocity {
		for k := range 3 {
			f.velocity[i][k] -= drift[k]
		}
	}
	return f
}

// computeForces sums the Lennard-Jones forces on some of the atoms. Each
// worker writes only the forces of its own atoms.
func (f *fluid) computeForces(first, end int) {
	const cutoff2 = 2.5 * 2.5
	half := f.edge / 2
	for i := first; i < end; i++ {
		var sum vector
		for j := range f.position {
			if j == i {
				continue
			}
			var d vector
			r2 := 0.0
			for k := range 3 {
				d[k] = f.position[i][k] - f.position[j][k]
				if d[k] > half { // the nearest periodic image
					d[k] -= f.edge
				} else if d[k] < -half {
					d[k] += f.edge
				}
				r2 += d[k] * d[k]
			}
			if r2 > cutoff2 {
				continue
			}
			inverse2 := 1 / r2
			inverse6 := inverse2 * inverse2 * inverse2
			scale := 48 * inverse2 * inverse6 * (inverse6 - 0.5)
			for k := range 3 {
				sum[k] += scale * d[k]
			}
		}
		f.force[i] = sum
	}
}

// move advances velocities and positions by one step of dt (symplectic
// Euler), inside the periodic box.
func (f *fluid) move(dt float64) {
	for i := range f.position {
		for k := range 3 {
			f.velocity[i][k] += f.force[i][k] * dt
			x := f.position[i][k] + f.velocity[i][k]*dt
			f.position[i][k] = x - f.edge*math.Floor(x/f.edge)
		}
	}
}

// kineticEnergy is the mean kinetic energy of an atom.
func (f *fluid) kineticEnergy() float64 {
	sum := 0.0
	for _, v := range f.velocity {
		sum += v[0]*v[0] + v[1]*v[1] + v[2]*v[2]
	}
	return sum / 2 / float64(len(f.velocity))
}
