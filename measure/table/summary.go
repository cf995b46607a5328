package table

import (
	"fmt"
	"math"
	"slices"

	"tierscope/core/robust"
)

// Summary is the median of repeated measurements with its interval.
type Summary struct {
	Median     float64   `json:"median"`
	Lo         float64   `json:"lo"`
	Hi         float64   `json:"hi"`
	Confidence float64   `json:"confidence"` // that [Lo, Hi] covers the median; 0: not known, as for one measurement
	N          int       `json:"n"`
	Unit       string    `json:"unit"`
	Samples    []float64 `json:"samples,omitempty"`
	Disturbed  int       `json:"disturbed,omitempty"` // runs among them that something outside the program disturbed
	Warnings   []string  `json:"warnings,omitempty"`  // outliers and flags of runs; nothing is dropped
}

// Runs is how many runs are summarized. N of a single one counts the tasks in it.
func (s Summary) Runs() int {
	if len(s.Samples) > 0 {
		return len(s.Samples)
	}
	return s.N
}

// Flags of runs. All but the last say that something outside the program disturbed it.
const (
	OthersRan      = "disturbed by other programs"
	TimeStolen     = "CPU time stolen by the hypervisor"
	GeneratorLate  = "load generator late"
	RequestsFailed = "requests failed"
)

// Outliers are samples further from the median than this many robust standard
// deviations (1.4826 × the median absolute deviation; Iglewicz & Hoaglin 1993).
const outlierDeviations = 3.5

// leastForOutliers is the number of samples below which no sample is called an
// outlier: of three, one is always far from the other two.
const leastForOutliers = 5

// summarize makes one summary of the rows of a metric: replicates, or one row
// that brings its own interval.
func summarize(rows []Row) Summary {
	s := Summary{Unit: rows[0].Unit}
	flagged := map[string]int{}
	for _, r := range rows {
		s.Samples = append(s.Samples, r.Value)
		for _, f := range r.Flags {
			flagged[f]++
		}
		if slices.ContainsFunc(r.Flags, func(f string) bool { return f != RequestsFailed }) {
			s.Disturbed++
		}
	}
	s.N = len(rows)
	if len(rows) == 1 {
		r := rows[0]
		s.Median, s.Lo, s.Hi, s.N = r.Value, r.Value, r.Value, max(r.N, 1)
		if !math.IsNaN(r.Lo) && !math.IsNaN(r.Hi) {
			s.Lo, s.Hi, s.Confidence = r.Lo, r.Hi, 0.95
		}
	} else {
		s.Median, s.Lo, s.Hi, s.Confidence = MedianInterval(s.Samples)
		s.warnOutliers()
	}
	for _, f := range sortedKeys(flagged) {
		s.Warnings = append(s.Warnings, fmt.Sprintf("%d of %d runs: %s", flagged[f], len(rows), f))
	}
	return s
}

// MedianInterval returns the median of the samples and the narrowest interval
// between order statistics x₍ᵣ₎ and x₍ₙ₊₁₋ᵣ₎ whose confidence
// 1 − 2·P(Bin(n, ½) < r) is at least 95 %, or, below six samples, their whole
// range with the confidence that it has: no shape of distribution is assumed
// (Le Boudec 2010, §2.2.2). It panics without samples.
func MedianInterval(samples []float64) (median, lo, hi, confidence float64) {
	n := len(samples)
	if n == 0 {
		panic("table: median of no samples")
	}
	sorted := slices.Sorted(slices.Values(samples))
	median = robust.Median(sorted)
	below := math.Pow(0.5, float64(n)) // P(Bin(n, ½) < r) for r = 1
	term := below
	r := 1
	confidence = 1 - 2*below
	for r < n/2 {
		term *= float64(n-r+1) / float64(r)
		if c := 1 - 2*(below+term); c >= 0.95 {
			below += term
			confidence = c
			r++
			continue
		}
		break
	}
	return median, sorted[r-1], sorted[n-r], max(confidence, 0)
}

func (s *Summary) warnOutliers() {
	if s.N < leastForOutliers {
		return
	}
	deviations := make([]float64, s.N)
	for i, x := range s.Samples {
		deviations[i] = math.Abs(x - s.Median)
	}
	spread, _, _, _ := MedianInterval(deviations)
	outliers := 0
	for _, d := range deviations {
		if d > outlierDeviations*1.4826*spread {
			outliers++
		}
	}
	if outliers > 0 && spread > 0 {
		s.Warnings = append(s.Warnings, fmt.Sprintf("%d of %d measurements are outliers", outliers, s.N))
	}
}

// Precision is the relative half-width of the interval, 0 for a single value.
func (s Summary) Precision() float64 {
	if s.Median == 0 {
		return 0
	}
	return max(s.Hi-s.Median, s.Median-s.Lo) / math.Abs(s.Median)
}

func sortedKeys(m map[string]int) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
