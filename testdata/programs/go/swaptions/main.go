// Swaptions prices options on interest rate swaps by simulation of the short
// rate (Vasicek 1977): a subject for input-aware regression, after swaptions of
// PARSEC (Wu et al. 2010, §5) but written from the formulas.
//
// Threads take whole swaptions; each needs trials × steps draws.
package main

import (
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"sync"
)

// market is the Vasicek model dr = speed·(level − r)·dt + volatility·dW.
type market struct{ rate, speed, level, volatility float64 }

// bond is the price of 1 paid in so many years when the short rate is r
// (Vasicek 1977).
func (m market) bond(r, years float64) float64 {
	b := (1 - math.Exp(-m.speed*years)) / m.speed
	a := (m.level-m.volatility*m.volatility/(2*m.speed*m.speed))*(b-years) - m.volatility*m.volatility*b*b/(4*m.speed)
	return math.Exp(a - b*r)
}

// swaption is the right to pay a fixed rate for a number of years.
type swaption struct {
	expiry float64 // years
	tenor  int     // payments, one a year
	strike float64
}

// price is the discounted mean payoff over the trials.
func (s swaption) price(m market, trials, steps int, random *rand.Rand) float64 {
	dt := s.expiry / float64(steps)
	var sum float64
	for range trials {
		r, integral := m.rate, 0.0
		for range steps {
			integral += r * dt
			r += m.speed*(m.level-r)*dt + m.volatility*math.Sqrt(dt)*random.NormFloat64()
		}
		annuity := 0.0
		for k := 1; k <= s.tenor; k++ {
			annuity += m.bond(r, float64(k))
		}
		sum += math.Exp(-integral) * math.Max(0, 1-m.bond(r, float64(s.tenor))-s.strike*annuity)
	}
	return sum / float64(trials)
}

func work(first, last, trials, steps int, prices []float64, wait *sync.WaitGroup) {
	defer wait.Done()
	m := market{rate: 0.03, speed: 0.3, level: 0.04, volatility: 0.01}
	for i := first; i < last; i++ {
		s := swaption{expiry: 1 + float64(i%5), tenor: 2 + i%9, strike: 0.03 + 0.001*float64(i%20)}
		prices[i] = s.price(m, trials, steps, rand.New(rand.NewPCG(uint64(i), 7)))
	}
}

func main() {
	var swaptions, trials, steps, threads int
	flag.IntVar(&swaptions, "swaptions", 16, "swaptions to price")
	flag.IntVar(&trials, "trials", 1000, "simulated paths of each")
	flag.IntVar(&steps, "steps", 50, "time steps of a path")
	flag.IntVar(&threads, "threads", 2, "threads")
	flag.Parse()
	if threads < 1 || swaptions < threads || trials < 1 || steps < 1 {
		log.Fatal("swaptions: -threads, -trials and -steps must be positive, -swaptions at least -threads")
	}
	prices := make([]float64, swaptions)
	var wait sync.WaitGroup
	for t := range threads {
		wait.Add(1)
		go work(t*swaptions/threads, (t+1)*swaptions/threads, trials, steps, prices, &wait)
	}
	wait.Wait()
	var sum float64
	for _, p := range prices {
		sum += p
	}
	fmt.Printf("mean price %.6f\n", sum/float64(swaptions))
}
