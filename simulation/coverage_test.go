package simulation

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"tierscope/core"
)

// A C % interval for the mean response time of M/M/1 contains 1/(μ−λ) in C % of
// all runs, whatever the load: 200 runs for each load, of ten replications each,
// that differ in their seeds only. The t interval is exact for normal
// observations; the mean of a replication is skewed to the right, which costs up
// to a point and a half (Law & Kelton, 3rd ed., §9.4.1). Beyond that the bounds
// are 3.3 standard deviations of the binomial distribution: a correct simulator
// fails with fresh seeds once in 100 runs of this test. `make verify` takes
// fresh seeds and lets the simulator choose warm-up and length itself.
func TestIntervalsForMM1CoverTheTruthAsOftenAsTheySay(t *testing.T) {
	t.Parallel()
	seed, fresh := verifySeed(t)
	runs := 200
	if testing.Short() {
		runs = 50
	}
	for _, c := range []struct{ load, tasks float64 }{{.5, 500}, {.8, 2500}, {.9, 0}} {
		if c.tasks == 0 && !fresh {
			continue
		}
		t.Run(fmt.Sprint("load ", c.load), func(t *testing.T) {
			t.Parallel()
			m := station(c.load, 1, core.Unbounded, exponential(1))
			o := Options{Workers: 1, Duration: c.tasks / c.load, Warmup: c.tasks / 10 / c.load}
			if fresh {
				o.Duration, o.Warmup = 0, 0
			}
			nominal := []float64{.90, .95, .99}
			hits := make([]int, len(nominal))
			for i := range runs {
				o.Seed = seed + uint64(i)
				e := find(t, run(t, m, nil, o), "R class/task mean")
				student := distuv.StudentsT{Sigma: 1, Nu: float64(e.N - 1)}
				for k, confidence := range nominal {
					half := e.HalfWidth() * student.Quantile((1+confidence)/2) / student.Quantile((1+e.Confidence)/2)
					if math.Abs(e.Mean-1/(1-c.load)) <= half {
						hits[k]++
					}
				}
			}
			for k, confidence := range nominal {
				got, slack := float64(hits[k])/float64(runs), 3.3*math.Sqrt(confidence*(1-confidence)/float64(runs))
				if fresh {
					fmt.Printf("load %g: %g %% intervals cover R in %.1f %% of %d runs\n", c.load, 100*confidence, 100*got, runs)
				}
				if got < confidence-slack-.015 || got > confidence+slack {
					t.Errorf("%g %% intervals cover R in %.1f %% of %d runs", 100*confidence, 100*got, runs)
				}
			}
		})
	}
}
