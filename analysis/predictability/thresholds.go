package predictability

import (
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Thresholds is the heap, in bytes, in which a size begins to slow down by the
// threshold, as a power of the size,
//
//	log H = a + b·log n
//
// It assumes nothing of what happens in heaps that are larger or smaller. A
// collector that falls over a cliff, as G1 does when it no longer keeps up and
// collects everything at a stroke, bends the surface, but not this line.
type Thresholds struct {
	A     float64 `json:"a"`
	B     float64 `json:"b"`
	Error float64 `json:"error"` // relative error of the PoU, as the surface's
}

// size returns the size that begins to slow down in a heap.
func (t *Thresholds) size(heap float64) float64 { return math.Exp((math.Log(heap) - t.A) / t.B) }

// thresholds fits a line to the sizes that were seen on both sides of the
// threshold. It returns nil if they are too few, or need no larger heaps when they
// are larger.
func thresholds(samples []sample, slowdown float64) *Thresholds {
	sizes := map[float64]bool{}
	for _, s := range samples {
		sizes[s.n] = true
	}
	var n, heap []float64
	for _, size := range slices.Sorted(maps.Keys(sizes)) {
		if h, ok := reached(samples, size, slowdown); ok {
			n, heap = append(n, math.Log(size)), append(heap, math.Log(h))
		}
	}
	judged := len(n) - 2 // the largest two, as of the surface
	if judged < leastSizes {
		return nil
	}
	part, all := powerLaw(n[:judged], heap[:judged]), powerLaw(n, heap)
	if !(part.B > 0 && all.B > 0) {
		return nil
	}
	all.Error = math.Max(part.errorOn(n[judged:], heap[judged:]), all.errorOn(n, heap))
	return &all
}

// powerLaw is the line of least squares through logarithms.
func powerLaw(n, heap []float64) (t Thresholds) {
	t.A, t.B = stat.LinearRegression(n, heap, nil, false)
	return t
}

// errorOn is the mean relative error of the sizes of heaps, both as logarithms.
func (t *Thresholds) errorOn(n, heap []float64) float64 {
	sum := 0.0
	for i := range n {
		sum += math.Abs(math.Expm1((heap[i]-t.A)/t.B - n[i]))
	}
	return sum / float64(len(n))
}

// PoUOf returns the point of unpredictability for a heap in bytes, nil if heaps
// were not studied. Where there is a line of thresholds, it is the mean of what the
// line and the surface say, weighted by the inverse squares of their errors (J. M.
// Bates and C. W. J. Granger, The combination of forecasts, 1969).
func (s *Study) PoUOf(heap int64) *PoU {
	var p PoU
	switch {
	case s.Surface != nil:
		p = s.Surface.PoU(s.Base, s.Slowdown, heap)
	case s.Base.Order != "":
		at := s.Base.Size(float64(heap))
		p = PoU{Heap: heap, Size: at, Lower: at, Upper: at, Exhausted: at}
	default:
		return nil
	}
	t := s.Thresholds
	if t == nil {
		return &p
	}
	at, missed := t.size(float64(heap)), math.Max(t.Error, leastError)
	if s.Surface != nil {
		own := math.Max(s.Surface.Error, leastError)
		share := own * own / (own*own + missed*missed) // of the line
		at, missed = share*at+(1-share)*p.Size, math.Sqrt(share)*missed
	}
	at = math.Min(at, p.Exhausted)
	p.Size, p.Lower, p.Upper = at, at*(1-missed), math.Min(at*(1+missed), p.Exhausted)
	return &p
}

// leastError is the relative error that is believed of a PoU.
const leastError = 0.01
