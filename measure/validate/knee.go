package validate

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"
)

// Knee is where a system tips over when one parameter grows and the others
// stay. Over the arrival rate λ it is the capacity C of the best fit of
// X(λ) = min(λ, C) in the least-squares sense: the rate beyond which the
// throughput does not follow. Over any other parameter it is the smallest
// value whose throughput or makespan is within kneeNear of the best: more does not
// help.
type Knee struct {
	Parameter   string  `json:"parameter"`
	Others      string  `json:"others,omitempty"` // the settings that stay
	Predicted   float64 `json:"predicted"`
	Measured    float64 `json:"measured"`
	MeasuredLo  float64 `json:"measured_lo"`
	MeasuredHi  float64 `json:"measured_hi"`
	PredictedLo float64 `json:"predicted_lo"`
	PredictedHi float64 `json:"predicted_hi"`
	Unit        string  `json:"unit,omitempty"`
}

// Error is the signed relative error of the position.
func (k Knee) Error() float64 { return k.Predicted/k.Measured - 1 }

const kneeNear = 0.10

// leastForKnee is the number of points that a curve with a bend needs.
const leastForKnee = 3

// knees finds the knee of every curve: over the rate if the rate was varied,
// else over every parameter with enough values.
func knees(parameters []string, all []Comparison) []Knee {
	byRate := slices.ContainsFunc(parameters, func(p string) bool { return isRate(p) && distinct(all, p) > 1 })
	var out []Knee
	for _, p := range parameters {
		if byRate && !isRate(p) || distinct(all, p) < leastForKnee {
			continue
		}
		groups := curves(parameters, p, all)
		for _, key := range slices.Sorted(maps.Keys(groups)) {
			if k, ok := kneeOf(p, groups[key]); ok {
				out = append(out, k)
			}
		}
	}
	return out
}

func isRate(parameter string) bool {
	return parameter == "rate" || strings.HasPrefix(parameter, "sources/") && strings.Contains(parameter, "rate")
}

func distinct(all []Comparison, parameter string) int {
	values := map[float64]bool{}
	for _, c := range all {
		if v, ok := c.Settings[parameter]; ok {
			values[v] = true
		}
	}
	return len(values)
}

// curves groups the comparisons of the metric that has a knee, X or else T, by
// the other parameters, in ascending order of p.
func curves(parameters []string, p string, all []Comparison) map[string][]Comparison {
	metric := "T"
	if isRate(p) || !slices.ContainsFunc(all, func(c Comparison) bool { return c.Metric == "T" && c.Stat == "mean" }) {
		metric = "X"
	}
	groups := map[string][]Comparison{}
	for _, c := range all {
		if c.Metric != metric || c.Stat != "mean" {
			continue
		}
		var others []string
		for _, other := range parameters {
			if other != p {
				others = append(others, fmt.Sprintf("%s %g", other, c.Settings[other]))
			}
		}
		key := strings.Join(others, ", ")
		groups[key] = append(groups[key], c)
	}
	for _, g := range groups {
		slices.SortFunc(g, func(a, b Comparison) int {
			switch {
			case a.Settings[p] < b.Settings[p]:
				return -1
			case a.Settings[p] > b.Settings[p]:
				return 1
			}
			return 0
		})
	}
	return groups
}

func kneeOf(p string, curve []Comparison) (Knee, bool) {
	if len(curve) < leastForKnee {
		return Knee{}, false
	}
	at := make([]float64, len(curve))
	series := func(value func(Comparison) float64) []float64 {
		out := make([]float64, len(curve))
		for i, c := range curve {
			at[i] = c.Settings[p]
			out[i] = value(c)
		}
		return out
	}
	find := func(values []float64) float64 {
		if isRate(p) {
			return capacity(at, values)
		}
		return enough(at, values, curve[0].Metric == "T")
	}
	k := Knee{Parameter: p, Others: others(curve[0], p)}
	k.Measured = find(series(func(c Comparison) float64 { return c.Measured.Median }))
	k.Predicted = find(series(func(c Comparison) float64 { return c.Predicted.Mean }))
	mLo, mHi := find(series(func(c Comparison) float64 { return c.Measured.Lo })), find(series(func(c Comparison) float64 { return c.Measured.Hi }))
	pLo, pHi := find(series(func(c Comparison) float64 { return c.Predicted.Lo })), find(series(func(c Comparison) float64 { return c.Predicted.Hi }))
	k.MeasuredLo, k.MeasuredHi = min(mLo, mHi, k.Measured), max(mLo, mHi, k.Measured)
	k.PredictedLo, k.PredictedHi = min(pLo, pHi, k.Predicted), max(pLo, pHi, k.Predicted)
	if isRate(p) {
		k.Unit = "1/s"
	}
	if math.IsNaN(k.Measured) || math.IsNaN(k.Predicted) {
		return k, false // the rates tried do not reach it
	}
	return k, true
}

// others names the settings of a curve that stay.
func others(c Comparison, p string) string {
	var parts []string
	for part := range strings.SplitSeq(c.Name, ", ") {
		if name, _, ok := strings.Cut(part, " "); ok && name != p {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", ")
}

// capacity fits X(λ) = min(λ, C). Between two neighbouring rates the sum of
// squares is a parabola in C whose minimum is the mean of the throughputs at
// the rates above. NaN: no rate is beyond the capacity.
func capacity(rates, throughputs []float64) float64 {
	best, least := math.NaN(), math.Inf(1)
	for first := range rates { // rates[first:] are beyond the knee
		c := stat.Mean(throughputs[first:len(rates)], nil)
		if c >= rates[first]*saturationShare { // the first rate beyond must really be beyond
			continue
		}
		squares := 0.0
		for i := range rates {
			d := throughputs[i] - min(rates[i], c)
			squares += d * d
		}
		if squares < least {
			best, least = c, squares
		}
	}
	return best
}

// enough returns the smallest parameter value that is within kneeNear of the
// best.
func enough(at, values []float64, smallerIsBetter bool) float64 {
	best := slices.Max(values)
	if smallerIsBetter {
		best = slices.Min(values)
	}
	for i, v := range values {
		if smallerIsBetter && v <= best*(1+kneeNear) || !smallerIsBetter && v >= best*(1-kneeNear) {
			return at[i]
		}
	}
	return math.NaN()
}
