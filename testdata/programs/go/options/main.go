// Options prices European options by the formula of Black & Scholes (1973), in
// parallel: a subject for input-aware regression, after blackscholes of PARSEC
// (Wu et al. 2010, §5) but written from the formula.
//
// Each thread prices its share of the options, several times over.
package main

import (
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"sync"
)

// option is the right to buy (or sell) an asset at a price at a time.
type option struct {
	spot, strike, rate, volatility, years float64
	put                                   bool
}

// normal is the standard normal distribution function.
func normal(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// price is the value of the option (Black & Scholes 1973, equation 13; puts by
// put-call parity).
func (o option) price() float64 {
	root := o.volatility * math.Sqrt(o.years)
	d1 := (math.Log(o.spot/o.strike) + (o.rate+o.volatility*o.volatility/2)*o.years) / root
	discounted := o.strike * math.Exp(-o.rate*o.years)
	call := o.spot*normal(d1) - discounted*normal(d1-root)
	if o.put {
		return call - o.spot + discounted
	}
	return call
}

func main() {
	count := flag.Int("options", 10000, "options to price")
	threads := flag.Int("threads", 2, "threads")
	rounds := flag.Int("rounds", 10, "times that each is priced")
	flag.Parse()
	if *count < *threads || *threads < 1 || *rounds < 1 {
		log.Fatal("options: -threads and -rounds must be positive, -options at least -threads")
	}
	random := rand.New(rand.NewPCG(1, 2))
	options := make([]option, *count)
	for i := range options {
		options[i] = option{spot: 80 + 40*random.Float64(), strike: 100, rate: 0.05, volatility: 0.1 + 0.4*random.Float64(), years: 0.25 + random.Float64(), put: i%2 == 1}
	}
	prices := make([]float64, *count)
	share := (*count + *threads - 1) / *threads
	var wait sync.WaitGroup
	for t := range *threads {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for range *rounds {
				for i := t * share; i < min((t+1)*share, *count); i++ {
					prices[i] = options[i].price()
				}
			}
		}()
	}
	wait.Wait()
	var sum float64
	for _, p := range prices {
		sum += p
	}
	fmt.Printf("mean price %.6f\n", sum/float64(*count))
}
