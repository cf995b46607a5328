package predictability

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Surface is the CPU time of the collector, divided by that of the program
// itself, in a heap of H bytes,
//
//	log ratio = a + b·log(L/(H′−L)) + c·log n
//
// where L is the live data of size n and H′ what the heap can use. One
// collection costs what is alive, L, and is needed once for every H′−L bytes that
// are allocated, so b would be 1 if the collector were a simple one that marks
// everything; generations change it. c is there for programs that allocate more
// per second the larger they are.
//
// The collector's own clock is fitted, not the whole CPU time: a program in a
// small heap saves page faults, and that is not the same for small and large
// sizes.
type Surface struct {
	A       float64 `json:"a"`
	B       float64 `json:"b"`
	C       float64 `json:"c"`
	Reserve float64 `json:"reserve_bytes"` // that the heap cannot use
	Error   float64 `json:"error"`         // relative error of the PoU of the largest sizes measured, from the smaller ones
}

// ratio returns the collector's share of the program's own time.
func (f *Surface) ratio(live, heap, n float64) float64 {
	room := heap - f.Reserve - live
	if room <= 0 {
		return math.Inf(1)
	}
	return math.Exp(f.A + f.B*math.Log(live/room) + f.C*math.Log(n))
}

// SlowdownAt returns by which factor a size takes more CPU time in a heap than
// in an ample one.
func (s *Study) SlowdownAt(n float64, heap int64) float64 {
	return (s.Fixed + s.Mutator.At(n)*(1+s.Surface.ratio(s.Base.At(n), float64(heap), n))) / s.At(n)
}

// PoU returns the point of unpredictability for a heap.
func (f *Surface) PoU(s *Study, heap int64) PoU {
	p := PoU{Heap: heap, Exhausted: s.Base.Size(float64(heap) - f.Reserve)}
	low, high := 1.0, math.Min(p.Exhausted, largestSize)
	for range bisections {
		if m := (low + high) / 2; s.SlowdownAt(m, heap) < s.Slowdown {
			low = m
		} else {
			high = m
		}
	}
	p.Size = low
	p.Lower, p.Upper = low*(1-f.Error), low*(1+f.Error)
	return p
}

// sample is what one size in one heap showed.
type sample struct {
	n, heap, live, ratio, slowdown float64
}

const (
	leastRatio   = 0.02 // of which clocks can tell
	leastSamples = 6
	nearSlowdown = 0.4 // standard deviation, in the logarithm of the slow-down, of the weights around the threshold
	worthATerm   = 0.9 // how much better a surface with one more term must predict
)

// fitSurface fits the parameters to samples of a study. Terms are left out where
// the smaller sizes predict the larger ones better without them. It returns nil if
// there are too few samples.
func fitSurface(study Study, samples []sample, reserve float64) *Surface {
	sizes := map[float64]bool{}
	var used []sample
	for _, s := range samples {
		if s.ratio > leastRatio && s.heap-reserve > s.live {
			used = append(used, s)
			sizes[s.n] = true
		}
	}
	if len(used) < leastSamples || len(sizes) < leastSizes {
		return nil
	}
	distinct := slices.Sorted(maps.Keys(sizes))
	judged := distinct[max(2, len(distinct)-2):] // the largest two, or one of three
	var best *Surface
	for terms := 1; terms <= 3; terms++ {
		small := slices.DeleteFunc(slices.Clone(used), func(s sample) bool { return slices.Contains(judged, s.n) })
		f, all := solveSurface(small, reserve, study.Slowdown, terms), solveSurface(used, reserve, study.Slowdown, terms)
		if f == nil || all == nil || all.B <= 0 {
			continue
		}
		study.Surface = f
		if all.Error = study.errorOn(used, judged); best == nil || all.Error < best.Error*worthATerm {
			best = all
		}
	}
	return best
}

// solveSurface fits a; a and b; or a, b and c.
func solveSurface(samples []sample, reserve, threshold float64, terms int) *Surface {
	if len(samples) <= terms {
		return nil
	}
	x, y := mat.NewDense(len(samples), terms, nil), mat.NewVecDense(len(samples), nil)
	for i, s := range samples {
		d := math.Log(s.slowdown/threshold) / nearSlowdown
		w := math.Exp(-d * d / 4) // the square root of a normal weight
		room := math.Log(s.live / (s.heap - reserve - s.live))
		row := []float64{1, room, math.Log(s.n)}
		target := math.Log(s.ratio)
		if terms == 1 {
			target -= room
		}
		for j := range terms {
			x.Set(i, j, w*row[j])
		}
		y.SetVec(i, w*target)
	}
	var b mat.VecDense
	if err := b.SolveVec(x, y); err != nil {
		return nil
	}
	f := &Surface{A: b.AtVec(0), B: 1, Reserve: reserve}
	if terms > 1 {
		f.B = b.AtVec(1)
	}
	if terms > 2 {
		f.C = b.AtVec(2)
	}
	return f
}

// errorOn is the mean relative error of the PoU of the heaps in which sizes were
// seen to reach the threshold.
func (s *Study) errorOn(samples []sample, sizes []float64) float64 {
	sum, n := 0.0, 0
	for _, size := range sizes {
		if heap, ok := reached(samples, size, s.Slowdown); ok {
			sum += math.Abs(s.Surface.PoU(s, int64(heap)).Size/size - 1)
			n++
		}
	}
	if n == 0 {
		return unknownError
	}
	return sum / float64(n)
}

// unknownError is the relative error of a PoU that nothing was there to judge by.
const unknownError = 0.25

// reached is the heap in which a size has a slow-down, between the samples on
// both sides of it.
func reached(samples []sample, size, slowdown float64) (float64, bool) {
	var of []sample
	for _, s := range samples {
		if s.n == size {
			of = append(of, s)
		}
	}
	slices.SortFunc(of, func(a, b sample) int { return cmp.Compare(b.heap, a.heap) })
	for i := 1; i < len(of); i++ {
		if a, b := of[i-1], of[i]; a.slowdown < slowdown && b.slowdown >= slowdown {
			f := math.Log(slowdown/a.slowdown) / math.Log(b.slowdown/a.slowdown)
			return a.heap * math.Pow(b.heap/a.heap, f), true
		}
	}
	return 0, false
}
