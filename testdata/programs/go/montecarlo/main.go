// Montecarlo prices an arithmetic Asian call option by simulation, after the
// Java Grande benchmark of the same name (Tarvo & Reiss 2014, §5.2): a pool
// of workers generates independent time series of the underlying asset.
//
//	main ──tasks (channel)──▶ workers ──results (under a mutex)──▶ mean
//
// The work is CPU-bound and perfectly parallel, so its makespan should fall
// as 1/min(workers, GOMAXPROCS, cores) and then stay flat.
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

// asset is a stock that follows a geometric Brownian motion.
type asset struct {
	spot, strike, rate, volatility, years float64
}

// task is one batch of paths. Its own seed makes the price independent of
// which worker computes it, and when.
type task struct {
	index int
	sent  time.Time
}

// results collects the payoff of every task.
type results struct {
	mu      sync.Mutex
	payoffs []float64
}

func (r *results) put(index int, payoff float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.payoffs[index] = payoff
}

func main() {
	workers := flag.Int("workers", 2, "threads in the pool")
	tasks := flag.Int("tasks", 400, "batches of paths")
	paths := flag.Int("paths", 400, "paths per batch")
	steps := flag.Int("steps", 250, "time steps per path")
	queue := flag.Int("queue", 64, "capacity of the task queue")
	seed := flag.Uint64("seed", 1, "of the random numbers")
	asJSON := flag.Bool("json", false, "print a summary as one line of JSON")
	flag.Parse()
	if *workers < 1 || *tasks < 1 || *paths < 1 || *steps < 1 || *queue < 0 {
		log.Fatal("montecarlo: -workers, -tasks, -paths and -steps must be positive, -queue not negative")
	}

	started := time.Now()
	a := asset{spot: 100, strike: 105, rate: 0.03, volatility: 0.25, years: 1}
	pending := make(chan task, *queue)
	collected := &results{payoffs: make([]float64, *tasks)}
	times := make([][]time.Duration, *workers)

	var pool sync.WaitGroup
	for w := range *workers {
		pool.Go(func() {
			for t := range pending {
				random := rand.New(rand.NewPCG(*seed, uint64(t.index)))
				collected.put(t.index, a.price(random, *paths, *steps))
				times[w] = append(times[w], time.Since(t.sent))
			}
		})
	}
	for i := range *tasks {
		pending <- task{index: i, sent: time.Now()}
	}
	close(pending)
	pool.Wait()

	check := fmt.Sprintf("price %.6f", mean(collected.payoffs))
	if *asJSON {
		if err := report.New("montecarlo", *workers, started, check, times...).Print(os.Stdout); err != nil {
			log.Fatal(err)
		}
		return
	}
	fmt.Println(check)
}

// price is the discounted mean payoff of an arithmetic Asian call over the
// given number of simulated paths.
func (a asset) price(random *rand.Rand, paths, steps int) float64 {
	dt := a.years / float64(steps)
	drift := (a.rate - a.volatility*a.volatility/2) * dt
	diffusion := a.volatility * math.Sqrt(dt)
	total := 0.0
	for range paths {
		s, sum := a.spot, 0.0
		for range steps {
			s *= math.Exp(drift + diffusion*random.NormFloat64())
			sum += s
		}
		total += math.Max(sum/float64(steps)-a.strike, 0)
	}
	return math.Exp(-a.rate*a.years) * total / float64(paths)
}

func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}
