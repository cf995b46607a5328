package predictability

import (
	"context"
	"errors"
	"math"
	"time"
)

const (
	tightRuns  = 2          // of each size and heap; the one with less CPU time counts
	tightSizes = 5          // from the PoP on
	tightStep  = 1.2        // between them
	firstHeap  = 8          // times the live data, where the walk over the heaps begins
	heapStep   = math.Sqrt2 // between heaps
	mostHeap   = 100        // times the live data, where the walk up gives up
	enough     = 1.2        // slow-down below which no larger heap is tried
	thrashing  = 3          // slow-down above which no smaller heap is tried
	sizeStep   = 1.03       // ratio at which the search for the measured PoU ends
	impatience = 8          // times the wall-clock time in an ample heap, after which a run thrashes
	leastPause = 3 * time.Second
)

// tighten runs small sizes in smaller and smaller heaps and fits the surface.
func (r *run) tighten(ctx context.Context) error {
	var samples []sample
	var reserve float64
	var n, bytes, mutator []float64
	size := math.Inf(1)
	for _, p := range r.s.Points {
		if p.Role == Calibration {
			size = math.Min(size, float64(p.Size))
		}
	}
	for range tightSizes {
		points, live, err := r.walk(ctx, int(math.Round(size)))
		if err != nil {
			return err
		}
		size *= tightStep
		reserve += float64(live.Reserve) / tightSizes
		own := math.Inf(1)
		for _, p := range points {
			own = math.Min(own, r.own(p)-p.Collect)
		}
		if own = math.Max(own, leastShareBase); !math.IsInf(own, 1) {
			n, bytes, mutator = append(n, float64(live.Size)), append(bytes, float64(live.Live)), append(mutator, own)
		}
		for _, p := range points {
			samples = append(samples, sample{n: float64(p.Size), heap: float64(p.Heap), live: float64(live.Live), ratio: p.Collect / own, slowdown: p.Slowdown})
		}
		r.report("size %d: live %s, %d heaps", live.Size, Megabytes(live.Live), len(points))
	}
	var ok bool
	if r.s.Base, ok = fitLowest(n, bytes); !ok {
		return errors.New("predictability: the live data do not grow with the size: there is no point of unpredictability")
	}
	if r.s.Mutator, ok = fitCost(r.s.Order, n, mutator); !ok {
		return errors.New("predictability: in small heaps the cost does not grow with the size")
	}
	if r.s.Surface = fitSurface(*r.s, samples, reserve); r.s.Surface == nil {
		r.s.Warnings = append(r.s.Warnings, "no heap was found that is merely too small: the program runs as if there were no limit, or not at all; the point of unpredictability is where the heap is exhausted")
	}
	for _, h := range r.plan.Heaps {
		var p PoU
		if r.s.Surface != nil {
			p = r.s.Surface.PoU(r.s, h)
		} else {
			at := r.s.Base.Size(float64(h))
			p = PoU{Heap: h, Size: at, Lower: at, Upper: at, Exhausted: at}
		}
		r.report("heap %s: predictable up to size %.4g", Megabytes(h), p.Size)
		r.s.PoU = append(r.s.PoU, p)
	}
	return nil
}

// walk runs a size in heaps around that in which it slows down by the
// threshold: up until a heap is enough, and down until the program thrashes.
func (r *run) walk(ctx context.Context, n int) ([]Point, Footprint, error) {
	live, err := r.live(ctx, n, r.plan.Ample)
	if err != nil {
		return nil, live, err
	}
	r.s.Live = append(r.s.Live, live)
	free, err := r.repeated(ctx, n, r.plan.Ample, r.plan.Repeats, r.patience())
	if err != nil {
		return nil, live, err
	}
	least := float64(live.Live + live.Reserve)
	var points []Point
	at := func(heap float64) (float64, error) {
		p, err := r.inHeap(ctx, free, int64(heap))
		if err == nil && !math.IsInf(p.Slowdown, 1) {
			points = append(points, p)
		}
		return p.Slowdown, err
	}
	for heap := firstHeap * least; heap <= mostHeap*least && heap < float64(r.plan.Ample)/2; heap *= heapStep {
		slow, err := at(heap)
		if err != nil {
			return nil, live, err
		}
		if slow < enough {
			break
		}
	}
	for heap := firstHeap * least / heapStep; heap > least; heap /= heapStep {
		slow, err := at(heap)
		if err != nil {
			return nil, live, err
		}
		if slow > thrashing {
			break
		}
	}
	return points, live, nil
}

// inHeap runs a size in a heap. A program that does not get along with it has an
// infinite slow-down.
func (r *run) inHeap(ctx context.Context, free Point, heap int64) (Point, error) {
	const align = 1 << 16
	heap = (heap + align - 1) / align * align
	patience := leastPause + time.Duration(impatience*free.Wall*float64(time.Second))
	p, err := r.repeated(ctx, free.Size, heap, tightRuns, patience)
	var tight tightError
	switch {
	case errors.As(err, &tight):
		return Point{Size: free.Size, Heap: heap, Slowdown: math.Inf(1)}, nil
	case err != nil:
		return p, err
	}
	p.Role = TightHeap
	p.Slowdown = p.CPU / free.CPU
	r.s.Tight = append(r.s.Tight, p)
	return p, nil
}

// checkHeaps measures the PoU of every heap, by bisecting the size.
func (r *run) checkHeaps(ctx context.Context) error {
	for i := range r.s.PoU {
		p := &r.s.PoU[i]
		const around = 1.6
		low, high := p.Size/around, math.Min(p.Size*around, p.Exhausted*1.1)
		if low < 1 || high > largestSize {
			continue
		}
		for high/low > sizeStep {
			n := int(math.Round(math.Sqrt(low * high)))
			free, err := r.repeated(ctx, n, r.plan.Ample, tightRuns+1, r.patience())
			if err != nil {
				return err
			}
			tight, err := r.inHeap(ctx, free, p.Heap)
			if err != nil {
				return err
			}
			r.report("heap %s, size %d: slow-down %.2f", Megabytes(p.Heap), n, tight.Slowdown)
			if tight.Slowdown > r.plan.Slowdown {
				high = float64(n)
			} else {
				low = float64(n)
			}
		}
		p.MeasuredLower, p.MeasuredUpper = low, high
	}
	return nil
}

// Measured is the size between those that the measurement ended with; false if
// it was not measured.
func (p *PoU) Measured() (float64, bool) {
	return math.Sqrt(p.MeasuredLower * p.MeasuredUpper), p.MeasuredUpper > 0
}
