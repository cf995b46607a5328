package output

import "math"

// Series keeps observations in the order of time in bounded memory: sums and
// counts of a fixed number of equally long batches. When time runs beyond
// the last batch, neighbours are merged in pairs and the batches become twice
// as long, so a series over any length of time has between half of its bins
// and all of them (the dynamic batching of Law & Kelton 2000, §9.5.3, and of
// OMNeT++'s and JMT's recorders). The index of an observation serves as time
// where batches of equal counts are wanted.
//
// Time is an integer count of ticks and must not run backwards. Make a Series
// with NewSeries; it is not safe for concurrent use.
type Series struct {
	end   int64 // of the current bin
	last  *bin  // bins[cur]
	cur   int   // bin of the last observation
	width int64 // ticks per bin
	bins  []bin
}

type bin struct {
	sum float64
	n   int64
}

// NewSeries returns an empty series of the given even number of bins, each
// width ticks long to begin with. It panics if bins is odd or either is not
// positive.
func NewSeries(bins int, width int64) *Series {
	if bins < 2 || bins%2 != 0 || width <= 0 {
		panic("output: a series needs an even number of bins of positive width")
	}
	s := &Series{bins: make([]bin, bins), end: width, width: width}
	s.last = &s.bins[0]
	return s
}

// Add records observation x at time now.
func (s *Series) Add(now int64, x float64) {
	if now >= s.end {
		s.advance(now)
	}
	b := s.last
	b.sum += x
	b.n++
}

// End is the time up to which, exclusively, observations belong to the present bin.
func (s *Series) End() int64 { return s.end }

// AddSome records n observations, whose sum is given, before End.
func (s *Series) AddSome(n int64, sum float64) {
	s.last.sum += sum
	s.last.n += n
}

func (s *Series) advance(now int64) {
	for now >= s.width*int64(len(s.bins)) {
		s.Coarsen()
	}
	s.moveTo(int(now / s.width))
}

func (s *Series) moveTo(cur int) {
	s.cur, s.last, s.end = cur, &s.bins[cur], int64(cur+1)*s.width
}

// Coarsen merges neighbouring bins in pairs.
func (s *Series) Coarsen() {
	half := len(s.bins) / 2
	for i := range half {
		a, b := s.bins[2*i], s.bins[2*i+1]
		s.bins[i] = bin{a.sum + b.sum, a.n + b.n}
	}
	clear(s.bins[half:])
	s.width *= 2
	s.moveTo(s.cur / 2)
}

// Width returns the present length of a bin in ticks.
func (s *Series) Width() int64 { return s.width }

// Len returns the number of bins up to the last observation.
func (s *Series) Len() int {
	if s.cur == 0 && s.bins[0].n == 0 {
		return 0
	}
	return s.cur + 1
}

// Mean returns the mean of the observations in bin i; NaN if it is empty.
func (s *Series) Mean(i int) float64 {
	b := s.bins[i]
	if b.n == 0 {
		return math.NaN()
	}
	return b.sum / float64(b.n)
}

// Count returns the number of observations in bin i.
func (s *Series) Count(i int) int64 { return s.bins[i].n }

// Sum returns the sum of the observations in bin i.
func (s *Series) Sum(i int) float64 { return s.bins[i].sum }

// Clone returns a copy that shares nothing with s.
func (s *Series) Clone() *Series {
	c := *s
	c.bins = append([]bin(nil), s.bins...)
	c.last = &c.bins[c.cur]
	return &c
}
