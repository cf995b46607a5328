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
// where L is the live data of size n and H′−L the room for new objects, what is
// left of the heap. One collection costs what is alive, L, and is needed once for
// every H′−L bytes that are allocated, so b would be 1 if the collector were a
// simple one that marks everything; generations change it. c is there for programs
// that allocate more per second the larger they are.
//
// The collector's own clock is fitted, not the whole CPU time: a program in a
// small heap saves page faults, and that is not the same for small and large
// sizes.
type Surface struct {
	A       float64 `json:"a"`
	B       float64 `json:"b"`
	C       float64 `json:"c"`
	Reserve float64 `json:"reserve_bytes"` // that the heap cannot use
	// ReserveShare is what it cannot use besides for each byte that is alive:
	// fragments, mark bits.
	ReserveShare float64 `json:"reserve_share,omitempty"`
	// CPU times in s over the sizes that the surface was fitted to: of the program
	// itself in small heaps, of it and its collector in an ample one, and of
	// start-up and compilation.
	Mutator Cost    `json:"mutator"`
	Free    Cost    `json:"free"`
	Fixed   float64 `json:"fixed_cpu_s"`
	Error   float64 `json:"error"` // relative error of the PoU of the largest sizes measured, from the smaller ones, or of all if that is more
}

// room returns what a heap has for new objects.
func (f *Surface) room(live, heap float64) float64 {
	return heap - f.Reserve - (1+f.ReserveShare)*live
}

// ratio returns the collector's share of the program's own time.
func (f *Surface) ratio(live, heap, n float64) float64 {
	room := f.room(live, heap)
	if room <= 0 {
		return math.Inf(1)
	}
	return math.Exp(f.A + f.B*math.Log(live/room) + f.C*math.Log(n))
}

// slowdown returns by which factor a size with so much live data takes more CPU
// time in a heap than in an ample one: at least 1, since a heap that is larger than
// what a runtime uses by itself changes nothing.
func (f *Surface) slowdown(live, heap, n float64) float64 {
	return math.Max(1, (f.Fixed+f.Mutator.At(n)*(1+f.ratio(live, heap, n)))/(f.Fixed+f.Free.At(n)))
}

// SlowdownAt returns by which factor a size takes more CPU time in a heap than
// in an ample one. Where the PoU is not the surface's, the surface is moved along
// the sizes so that it passes through it.
func (s *Study) SlowdownAt(n float64, heap int64) float64 {
	n *= s.Surface.PoU(s.Base, s.Slowdown, heap).Size / s.PoUOf(heap).Size
	return s.Surface.slowdown(s.Base.At(n), float64(heap), n)
}

// PoU returns the point of unpredictability for a heap: the size at which the
// slow-down is a threshold. live are the live data in bytes.
func (f *Surface) PoU(live Cost, threshold float64, heap int64) PoU {
	p := PoU{Heap: heap, Exhausted: live.Size((float64(heap) - f.Reserve) / (1 + f.ReserveShare))}
	low, high := 1.0, math.Min(p.Exhausted, largestSize)
	for range bisections {
		if m := (low + high) / 2; f.slowdown(live.At(m), float64(heap), m) < threshold {
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

// surfaceTerms are a, b and c.
const surfaceTerms = 3

// fitted returns the surface with so many of its parameters, at most, fitted to
// samples. Terms are left out where the smaller sizes predict the larger ones better
// without them. It returns nil if there are too few samples.
func (f Surface) fitted(live Cost, threshold float64, samples []sample, most int) *Surface {
	sizes := map[float64]bool{}
	var used []sample
	for _, s := range samples {
		if s.ratio > leastRatio && f.room(s.live, s.heap) > 0 {
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
	for terms := 1; terms <= most; terms++ {
		small := slices.DeleteFunc(slices.Clone(used), func(s sample) bool { return slices.Contains(judged, s.n) })
		part, all := f.solved(small, threshold, terms), f.solved(used, threshold, terms)
		if part == nil || all == nil || all.B <= 0 {
			continue
		}
		if all.Error = math.Max(part.errorOn(live, threshold, used, judged), all.errorOn(live, threshold, used, distinct)); best == nil || all.Error < best.Error*worthATerm {
			best = all
		}
	}
	return best
}

// solved fits a; a and b; or a, b and c.
func (f Surface) solved(samples []sample, threshold float64, terms int) *Surface {
	if len(samples) <= terms {
		return nil
	}
	x, y := mat.NewDense(len(samples), terms, nil), mat.NewVecDense(len(samples), nil)
	for i, s := range samples {
		d := math.Log(s.slowdown/threshold) / nearSlowdown
		w := math.Exp(-d * d / 4) // the square root of a normal weight
		room := math.Log(s.live / f.room(s.live, s.heap))
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
	f.A, f.B, f.C = b.AtVec(0), 1, 0
	if terms > 1 {
		f.B = b.AtVec(1)
	}
	if terms > 2 {
		f.C = b.AtVec(2)
	}
	return &f
}

// errorOn is the mean relative error of the PoU of the heaps in which sizes were
// seen to reach the threshold.
func (f *Surface) errorOn(live Cost, threshold float64, samples []sample, sizes []float64) float64 {
	sum, n := 0.0, 0
	for _, size := range sizes {
		if heap, ok := reached(samples, size, threshold); ok {
			sum += math.Abs(f.PoU(live, threshold, int64(heap)).Size/size - 1)
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
