package output

import (
	"math"
)

// The buckets of a Sketch: every octave [2^k, 2^(k+1)) is cut into
// 2^sketchBits equal parts, so that the bucket of a number is the top bits of
// its IEEE 754 representation and finding it takes one shift.
const (
	sketchBits  = 7
	sketchShift = 52 - sketchBits
)

// sketchLow and sketchHigh are the buckets of 2^-40 s (1 ps) and 2^40 s
// (35,000 years): values beyond them are counted at the border, which bounds
// a sketch to 80 octaves × 128 buckets.
const (
	sketchLow  = (1023 - 40) << sketchBits
	sketchHigh = (1023 + 40) << sketchBits
)

// SketchError is the largest relative error of a quantile of a Sketch: the
// width of a bucket at the lower end of its octave. The error for a smooth
// distribution is far smaller, because Quantile interpolates.
const SketchError = 1.0 / (1 << sketchBits)

// Sketch counts non-negative observations in buckets of equal relative width
// and answers for their quantiles with a relative error of at most
// SketchError; count, sum, minimum and maximum are exact. It is the
// logarithmic histogram of DDSketch (Masson et al. 2019) with the linear
// mapping of HdrHistogram. Its memory depends on the range of the
// observations only: 1 KiB per factor of two, 80 KiB at most.
//
// The zero value is an empty sketch. A Sketch is not safe for concurrent use.
type Sketch struct {
	counts []int64 // counts[i] is of bucket base+i
	base   uint64  // bucket of counts[0]
	inner  uint64  // the first bucket after that of the minimum,
	span   uint64  // and how many there are from it to that of the maximum
	zeros  int64   // observations that are 0 or below the lowest bucket
	n      int64
	sum    float64
	min    float64
	max    float64
}

// Add counts one observation. Negative numbers count as 0; it panics if x is
// not a number.
func (s *Sketch) Add(x float64) {
	if !s.Note(x) {
		s.addElsewhere(x)
	}
}

// Note is Add of an observation between others, which changes neither the minimum nor the maximum,
// and reports whether it was one. It is small enough to become part of its callers.
func (s *Sketch) Note(x float64) bool {
	bucket := math.Float64bits(x) >> sketchShift
	if bucket-s.inner >= s.span {
		return false
	}
	s.counts[bucket-s.base]++
	s.n++
	s.sum += x
	return true
}

// addElsewhere counts an observation that may be the least or the greatest.
func (s *Sketch) addElsewhere(x float64) {
	if math.IsNaN(x) {
		panic("output: not a number in a sketch")
	}
	x = max(x, 0)
	if s.n == 0 {
		s.min, s.max = x, x
	}
	s.n++
	s.sum += x
	s.min = min(s.min, x)
	s.max = max(s.max, x)
	if b := bucketOf(x); b < sketchLow {
		s.zeros++
	} else {
		s.cover(b, b)
		s.counts[b-s.base]++
	}
	s.setInner()
}

// bucketOf returns the bucket of a number, or one below sketchLow.
func bucketOf(x float64) uint64 { return min(math.Float64bits(x)>>sketchShift, sketchHigh) }

// setInner finds the buckets for Note, all of which exist.
func (s *Sketch) setInner() {
	s.inner = max(bucketOf(s.min)+1, sketchLow, s.base)
	s.span = max(bucketOf(s.max), s.inner) - s.inner
}

// cover makes room for the buckets first to last, in whole octaves.
func (s *Sketch) cover(first, last uint64) {
	const octave = 1 << sketchBits
	if len(s.counts) > 0 {
		first = min(first, s.base)
		last = max(last, s.base+uint64(len(s.counts))-1)
	}
	first = first / octave * octave
	size := (last/octave+1)*octave - first
	if len(s.counts) > 0 && first == s.base && size == uint64(len(s.counts)) {
		return
	}
	counts := make([]int64, size)
	if len(s.counts) > 0 {
		copy(counts[s.base-first:], s.counts)
	}
	s.counts, s.base = counts, first
}

// Merge adds all observations of o.
func (s *Sketch) Merge(o *Sketch) {
	if o.n == 0 {
		return
	}
	if s.n == 0 {
		s.min, s.max = o.min, o.max
	}
	s.n += o.n
	s.sum += o.sum
	s.zeros += o.zeros
	s.min = min(s.min, o.min)
	s.max = max(s.max, o.max)
	if len(o.counts) == 0 {
		return
	}
	s.cover(o.base, o.base+uint64(len(o.counts))-1)
	shift := o.base - s.base
	for i, c := range o.counts {
		s.counts[uint64(i)+shift] += c
	}
	s.setInner()
}

// Reset forgets all observations and keeps the memory.
func (s *Sketch) Reset() {
	clear(s.counts)
	s.zeros, s.n, s.sum, s.min, s.max, s.inner, s.span = 0, 0, 0, 0, 0, 0, 0
}

// Count returns the number of observations.
func (s *Sketch) Count() int64 { return s.n }

// Sum returns the sum of all observations.
func (s *Sketch) Sum() float64 { return s.sum }

// Mean returns the mean of the observations; NaN if there are none.
func (s *Sketch) Mean() float64 { return s.sum / float64(s.n) }

// Min returns the smallest observation; NaN if there are none.
func (s *Sketch) Min() float64 { return s.orNaN(s.min) }

// Max returns the largest observation; NaN if there are none.
func (s *Sketch) Max() float64 { return s.orNaN(s.max) }

func (s *Sketch) orNaN(x float64) float64 {
	if s.n == 0 {
		return math.NaN()
	}
	return x
}

// Quantile returns the p-quantile: the smallest value that at least p·n of
// the observations do not exceed, with a relative error of at most
// SketchError. NaN if there are no observations. It panics unless 0 ≤ p ≤ 1.
func (s *Sketch) Quantile(p float64) float64 {
	if !(p >= 0 && p <= 1) {
		panic("output: quantile of a probability outside 0…1")
	}
	rank := int64(math.Ceil(p * float64(s.n)))
	switch {
	case s.n == 0:
		return math.NaN()
	case rank <= 1:
		return s.min
	case rank >= s.n:
		return s.max
	}
	seen := s.zeros
	if rank <= seen {
		return s.min
	}
	for i, c := range s.counts {
		if rank <= seen+c {
			lo, hi := bucketBounds(s.base + uint64(i))
			lo, hi = max(lo, s.min), min(hi, s.max)
			return lo + (hi-lo)*(float64(rank-seen)-0.5)/float64(c)
		}
		seen += c
	}
	return s.max
}

// Point is a point of a cumulative distribution: the share P of the
// observations does not exceed X.
type Point struct {
	X float64 `json:"x"`
	P float64 `json:"p"`
}

// CDF returns the empirical cumulative distribution as at most points+1
// points with ascending X and P, from the minimum to the maximum: neighbours
// that are closer than 1/points in P are left out, the tails excepted, where
// every factor of two of 1−P keeps a point.
func (s *Sketch) CDF(points int) []Point {
	if s.n == 0 {
		return nil
	}
	n := float64(s.n)
	cdf := []Point{{s.min, 0}}
	if s.zeros > 0 {
		cdf = append(cdf, Point{s.min, float64(s.zeros) / n})
	}
	seen, last := s.zeros, cdf[len(cdf)-1].P
	for i, c := range s.counts {
		if c == 0 {
			continue
		}
		seen += c
		p := float64(seen) / n
		if p-last >= 1/float64(points) || 1-p <= (1-last)/2 {
			_, hi := bucketBounds(s.base + uint64(i))
			cdf = append(cdf, Point{min(hi, s.max), p})
			last = p
		}
	}
	return cdf
}

// Below returns the share of the observations that do not exceed x, exact up
// to the bucket of x; NaN if there are none.
func (s *Sketch) Below(x float64) float64 {
	switch {
	case s.n == 0:
		return math.NaN()
	case x < s.min:
		return 0
	case x >= s.max:
		return 1
	}
	seen := float64(s.zeros)
	for i, c := range s.counts {
		lo, hi := bucketBounds(s.base + uint64(i))
		if x >= hi {
			seen += float64(c)
			continue
		}
		if x > lo {
			seen += float64(c) * (x - lo) / (hi - lo)
		}
		break
	}
	return seen / float64(s.n)
}

// bucketBounds returns the interval [lo, hi) of a bucket.
func bucketBounds(b uint64) (lo, hi float64) {
	return math.Float64frombits(b << sketchShift), math.Float64frombits((b + 1) << sketchShift)
}

// Variance returns the variance of the observations, as if those of a bucket were all in
// the middle of it; NaN without any.
func (s *Sketch) Variance() float64 {
	mean := s.sum / float64(s.n)
	sum := float64(s.zeros) * mean * mean
	for i, n := range s.counts {
		if n > 0 {
			lo, hi := bucketBounds(s.base + uint64(i))
			d := (lo+hi)/2 - mean
			sum += float64(n) * d * d
		}
	}
	return sum / float64(s.n)
}
