package diskio

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// latencyOf estimates how much longer a request takes than its service because
// of the way to the device and back, ns. While a request is on its way the servers
// are free for others, so one that waited for a server shows its service alone, and
// one that found a server free shows service and way. The two samples have the same
// shape, one is later by the latency: it is the difference of that quantile which
// tells it most precisely, the lowest one for an exponential law, any for a constant
// one. uncertain is the share of requests of which it is not certain when they were
// begun: quantiles about as low are mistakes, so only higher ones count. It is 0 when nothing waited, when there were too few of either, or when the
// difference is not beyond chance; then the law of service includes the way.
func latencyOf(most []Observation, uncertain float64) int64 {
	shares := []float64{0.02, 0.05, 0.1, 0.25, 0.5}
	for len(shares) > 1 && shares[0] < 2*uncertain {
		shares = shares[1:]
	}
	condition := noCondition
	if hasArm(most) {
		condition = distanceLaw
	}
	latency := 0.0
	for range 3 { // those that waited for less than the latency are no use, so it is refined
		free, waited := residuals(most, condition, int64(latency))
		if min(len(free), len(waited)) < leastSamples {
			return 0
		}
		shift, deviation := shiftOf(free, waited, shares)
		if shift < 2*deviation {
			return 0
		}
		latency = shift
	}
	return int64(latency)
}

// residuals splits the times with a server, ns less the mean under the same
// condition, by whether the request found a server free or waited for longer than
// the latency.
func residuals(most []Observation, condition lawCondition, latency int64) (free, waited []float64) {
	sorted := slices.Clone(most)
	slices.SortStableFunc(sorted, func(a, b Observation) int {
		return int(math.Round(condition.of(&a))) - int(math.Round(condition.of(&b)))
	})
	for begin, cells := 0, cellsBy(most, condition.of, condition.time); len(cells) > 0; cells = cells[1:] {
		end := begin + len(cells[0].times)
		var f, w []float64
		for i := range sorted[begin:end] {
			o := &sorted[begin+i]
			switch waiting := o.Start - o.Issued; {
			case waiting == 0:
				f = append(f, float64(o.Busy()))
			case waiting > latency:
				w = append(w, float64(o.Busy()))
			}
		}
		begin = end
		if len(f) == 0 || len(w) == 0 {
			continue
		}
		level := stat.Mean(w, nil)
		for _, t := range f {
			free = append(free, t-level)
		}
		for _, t := range w {
			waited = append(waited, t-level)
		}
	}
	return free, waited
}

// shiftOf is how much later one sample is than another of the same shape, and the
// standard deviation of that: the difference of that of their quantiles for which the
// bootstrap finds it least.
func shiftOf(later, earlier, shares []float64) (shift, deviation float64) {
	const repeats = 100
	difference := func(a, b []float64) []float64 {
		slices.Sort(a)
		slices.Sort(b)
		d := make([]float64, len(shares))
		for i, p := range shares {
			d[i] = a[int(p*float64(len(a)))] - b[int(p*float64(len(b)))]
		}
		return d
	}
	found := difference(slices.Clone(later), slices.Clone(earlier))
	random := rand.New(rand.NewPCG(1, 1))
	again := func(from []float64) []float64 {
		s := make([]float64, len(from))
		for i := range s {
			s[i] = from[random.IntN(len(from))]
		}
		return s
	}
	square := make([]float64, len(shares))
	for range repeats {
		for i, d := range difference(again(later), again(earlier)) {
			square[i] += (d - found[i]) * (d - found[i]) / repeats
		}
	}
	best := 0
	for i := range square {
		if square[i] < square[best] {
			best = i
		}
	}
	return found[best], math.Sqrt(square[best])
}

// setLatency takes the way to the device and back out of the times with a server: all
// of it where a server was free, what the wait did not cover elsewhere.
func setLatency(o []Observation, latency int64) {
	for i := range o {
		o[i].Way = max(0, latency-(o[i].Start-o[i].Issued))
	}
}
