package inputs

import (
	"math"

	"tierscope/analysis/pcg"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// worked are what became of the CPU times of the pools that are modelled in both, if they matter in one.
func worked(base, other []trail.PoolReport) map[string]float64 {
	all := func(ps []trail.PoolReport) (sum int64) {
		for _, p := range ps {
			sum += p.CPU
		}
		return sum
	}
	matters := func(p trail.PoolReport, of int64) bool { return float64(p.CPU) >= pcg.DefaultThreshold*float64(of) }
	out := map[string]float64{}
	for _, b := range base {
		for _, o := range other {
			if b.Modelled && o.Modelled && b.Name == o.Name && b.CPU > 0 && o.CPU > 0 && (matters(b, all(base)) || matters(o, all(other))) {
				out[b.Name] = float64(o.CPU) / float64(b.CPU)
			}
		}
	}
	return out
}

// Numbers that hardly differ are the same. Convention: CPU times of a fragment vary by a tenth from run to run, counts
// do not.
const (
	sameTime  = 0.15
	sameCount = 0.01
)

// factors are what became of the numbers of a model that changed; not of times that matter in neither.
func factors(base, other *core.Model) map[string]float64 {
	one, two := copyOf(*base), copyOf(*other)
	was, is := numbers(&one), numbers(&two)
	matter, matters := weights(was)*pcg.DefaultThreshold, weights(is)*pcg.DefaultThreshold
	out := map[string]float64{}
	for key, n := range was {
		o, ok := is[key]
		if !ok || n.path == "" || !(n.value > 0) || !(o.value > 0) || n.weight > 0 && n.weight < matter && o.weight < matters {
			continue
		}
		same := sameTime
		if n.whole {
			same = sameCount
		}
		if f := o.value / n.value; math.Abs(math.Log(f)) > math.Log1p(same) && !byChance(n, o) {
			out[key] = f
		}
	}
	return out
}

// certain is by how many standard errors what changed is more than chance. Convention: three in a thousand are, by chance, among
// dozens of numbers.
const certain = 3

// byChance reports whether a count may differ as much between runs that do the same: the mean of one that varies, by no more than
// times do; or how often a branch was taken, if its share of all that were is the same. How many there were is a matter of what leads there.
func byChance(n, o number) bool {
	if !n.counted {
		return n.whole && math.Abs(math.Log(o.value/n.value)) <= min(certain*math.Hypot(n.err, o.err), math.Log1p(sameTime))
	}
	one, two := n.value/n.share, o.value/o.share
	p := (n.value + o.value) / (one + two)
	return math.Abs(n.share-o.share) <= certain*math.Sqrt(p*(1-p)*(1/one+1/two))
}

// weights is all the time that numbers stand for, in s.
func weights(all map[string]number) (sum float64) {
	for _, n := range all {
		sum += n.weight
	}
	return sum
}
