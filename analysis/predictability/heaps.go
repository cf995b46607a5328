package predictability

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"
)

const (
	tightRuns  = 2          // of each size and heap; the one with less CPU time counts
	tightSizes = 5          // from the PoP on
	tightStep  = 1.2        // between them, at most
	leastStep  = 1.08       // between them, at least
	tightShare = 0.5        // of the longest run allowed that the largest of them may take in an ample heap
	leastLive  = 2 << 20    // bytes alive of the smallest of them: the least heap of Go is twice that
	firstHeap  = 3          // times the live data, where the walk over the heaps begins
	halvings   = 2          // of the interval in which the threshold lies
	heapStep   = math.Sqrt2 // between heaps
	mostHeap   = 100        // times the live data, where the walk up gives up
	enough     = 1.2        // slow-down below which no larger heap is tried
	thrashing  = 3          // slow-down above which no smaller heap is tried
	impatience = 8          // times the wall-clock time in an ample heap, after which a run thrashes
	leastPause = 3 * time.Second
)

// tighten runs small sizes in smaller and smaller heaps and fits the surface.
func (r *run) tighten(ctx context.Context) error {
	sizes, err := r.tightSizes(ctx)
	if err != nil {
		return err
	}
	var walks []walk
	for _, n := range sizes {
		w, err := r.walk(ctx, n)
		switch {
		case err != nil && len(walks) >= leastSizes && ctx.Err() == nil:
			r.s.Warnings = append(r.s.Warnings, fmt.Sprintf("size %d was left out: %v", n, err))
			continue
		case err != nil:
			return err
		}
		walks = append(walks, w)
		r.report("size %d: live %s, %d heaps", w.live.Size, Megabytes(w.live.Live), len(w.points))
	}
	largest := 0
	for _, p := range r.s.Points {
		if p.Role == Calibration {
			largest = max(largest, p.Size)
		}
	}
	if largest > sizes[len(sizes)-1] {
		l, err := r.live(ctx, largest, r.plan.Ample)
		if err != nil {
			return err
		}
		r.s.Live = append(r.s.Live, l)
	}
	if err := r.surface(walks); err != nil {
		return err
	}
	for _, h := range r.plan.Heaps {
		p := r.s.PoUOf(h)
		r.report("heap %s: predictable up to size %.4g", Megabytes(h), p.Size)
		r.s.PoU = append(r.s.PoU, *p)
	}
	return nil
}

// tightSizes returns the sizes to run in small heaps: from the smallest
// calibration on, or from where the live data tell, up to what runs in time.
func (r *run) tightSizes(ctx context.Context) ([]int, error) {
	size := math.Inf(1)
	for _, p := range r.s.Points {
		if p.Role == Calibration {
			size = math.Min(size, float64(p.Size))
		}
	}
	most := r.s.Cost.Size(tightShare*r.plan.Longest.Seconds() - r.s.Fixed)
	for {
		f, err := r.live(ctx, int(math.Round(size)), r.plan.Ample)
		if err != nil {
			return nil, err
		}
		if f.Live >= leastLive || size*tightStep > most {
			break
		}
		size *= tightStep
	}
	step := math.Min(tightStep, math.Max(leastStep, math.Pow(most/size, 1/float64(tightSizes-1))))
	var sizes []int
	for range tightSizes {
		sizes = append(sizes, int(math.Round(size)))
		size *= step
	}
	return sizes, nil
}

// walk is what one size showed in several heaps.
type walk struct {
	live   Footprint
	free   Point   // in the ample heap, the run with the least CPU time
	frees  []Point // in the ample heap, all runs
	points []Point // in the others
}

// surface fits the surface, and the live data, to walks.
func (r *run) surface(walks []walk) error {
	if r.plan.Runtime == Go {
		r.collections(walks)
	}
	var samples []sample
	var n, bytes, free, mutator []float64
	f := Surface{}
	for _, w := range walks {
		own := math.Inf(1)
		for _, p := range w.points {
			own = math.Min(own, r.own(p)-p.Collect)
		}
		size := float64(w.live.Size)
		n, bytes = append(n, size), append(bytes, float64(w.live.Live))
		free = append(free, math.Max(leastShareBase, r.own(w.free)))
		mutator = append(mutator, math.Max(leastShareBase, math.Min(own, r.own(w.free))))
		f.Fixed += (w.free.CPU - r.own(w.free)) / float64(len(walks))
		for _, p := range w.points {
			if r.plan.Runtime == Go && !w.binds(p) {
				continue
			}
			samples = append(samples, sample{n: size, heap: float64(p.Heap), live: float64(w.live.Live), ratio: p.Collect / own, slowdown: p.Slowdown})
		}
	}
	var ok, runs, frees bool
	alive, reserve := bytes, []float64{}
	for _, w := range walks {
		reserve = append(reserve, float64(w.live.Reserve))
	}
	if l := r.s.Live[len(r.s.Live)-1]; l.Size > walks[len(walks)-1].live.Size { // of the largest calibration
		n, alive, reserve = append(n, float64(l.Size)), append(alive, float64(l.Live)), append(reserve, float64(l.Reserve))
	}
	f.Reserve, f.ReserveShare = reserved(alive, reserve)
	terms := surfaceTerms
	if r.plan.Runtime == Go {
		terms = 1 // a collection marks everything, whatever is allocated
		if constant, ok := r.outside(walks, f.ReserveShare); ok {
			f.Reserve = constant
		}
	}
	r.s.Base, ok = fitLowest(n, alive, goodLive)
	n = n[:len(walks)]
	if !ok {
		return errors.New("predictability: the live data do not grow with the size: there is no point of unpredictability")
	}
	r.s.Thresholds = thresholds(samples, r.s.Slowdown)
	f.Mutator, runs = fitCost(r.s.Order, n, mutator)
	f.Free, frees = fitCost(r.s.Order, n, free)
	if r.plan.Runtime == Go && runs {
		// GOGC collects whenever the live data have doubled: for the same share of
		// the program's own time, whatever the size.
		share := 0.0
		for k, w := range walks {
			share += w.free.Collect / mutator[k] / float64(len(walks))
		}
		f.Free, frees = f.Mutator, true
		f.Free.Constant *= 1 + share
		f.Free.Factor *= 1 + share
	}
	if runs && frees {
		r.s.Surface = f.fitted(r.s.Base, r.s.Slowdown, samples, terms)
	}
	if r.s.Surface == nil {
		r.s.Warnings = append(r.s.Warnings, "no heap was found that is merely too small: the program runs as if there were no limit, or not at all; the point of unpredictability is where the heap is exhausted")
	}
	return nil
}

// reserved returns what a limit covers and the heap cannot use, as a constant and
// a share of the live data: a line through what was seen.
func reserved(live, reserve []float64) (constant, share float64) {
	mx, my := stat.Mean(live, nil), stat.Mean(reserve, nil)
	if v := stat.Variance(live, nil); v > 0 {
		share = math.Max(0, stat.Covariance(live, reserve, nil)/v)
	}
	if constant = my - share*mx; constant < 0 {
		constant, share = 0, my/mx
	}
	return constant, share
}

// outside returns what the limits of a Go program cover and its heap cannot use,
// besides a share of the live data, by the number of collections: one is needed
// whenever what is left of the limit H has been allocated,
//
//	H = outside + (1 + share)·L + a·f(n)/N
//
// What the runtime says of its memory while collections follow one another is
// another half megabyte each time, which is a lot beside what is left.
func (r *run) outside(walks []walk, share float64) (float64, bool) {
	var rows [][]float64
	var rest []float64
	for _, w := range walks {
		for _, p := range w.points {
			if left := float64(p.Heap) - (1+share)*float64(w.live.Live); w.binds(p) && p.Slowdown < thrashing && left > 0 {
				rows = append(rows, []float64{1, r.s.Order.At(float64(w.live.Size)) / float64(p.Collections)})
				rest = append(rest, left)
			}
		}
	}
	if len(rows) < leastSamples {
		return 0, false
	}
	c, ok := relative(rows, rest)
	if !ok || c[1] == 0 {
		return 0, false
	}
	return c[0], true
}

// binding is how many times the collections of the ample heap there must be for
// a limit to be what causes them, and not GOGC.
const binding = 1.2

// binds reports whether the limit of a heap decides when to collect.
func (w *walk) binds(p Point) bool {
	return float64(p.Collections) >= binding*float64(w.free.Collections)
}

// collections replaces the clocks of runs of a Go program by what all of them say
// together,
//
//	CPU time = a + b·f(n) + c·L·N,
//
// where f is the complexity, L the live data and N the number of collections:
// marking what is alive costs the same each time. Single clocks scatter with the
// speed of the machine, numbers of collections hardly do; and the runtime's own
// account of the collector's CPU time counts what a worker waits for a core, too.
func (r *run) collections(walks []walk) {
	var rows [][]float64
	var cpu []float64
	for _, w := range walks {
		for _, p := range slices.Concat(w.frees, w.points) {
			rows = append(rows, []float64{1, r.s.Order.At(float64(w.live.Size)), float64(w.live.Live) * float64(p.Collections)})
			cpu = append(cpu, p.CPU)
		}
	}
	c, ok := relative(rows, cpu)
	if !ok {
		return
	}
	for i := range walks {
		w := &walks[i]
		set := func(p *Point) {
			p.Collect = c[2] * float64(w.live.Live) * float64(p.Collections)
			p.CPU = c[0] + c[1]*r.s.Order.At(float64(w.live.Size)) + p.Collect
		}
		set(&w.free)
		for k := range w.points {
			set(&w.points[k])
			w.points[k].Slowdown = w.points[k].CPU / w.free.CPU
		}
	}
}

// walk runs a size in heaps around that in which it slows down by the
// threshold: up until a heap is enough, down until the program thrashes, and
// between the two nearest. Runs in the ample heap come between, since the speed of
// machines drifts.
func (r *run) walk(ctx context.Context, n int) (walk, error) {
	var w walk
	var err error
	if w.live, err = r.live(ctx, n, r.plan.Ample); err != nil {
		return w, err
	}
	r.s.Live = append(r.s.Live, w.live)
	times := tightRuns
	if r.plan.Runtime == Go { // whose clocks are judged together, see collections
		times = 1
	}
	if w.free, err = r.repeated(ctx, n, r.plan.Ample, times, r.patience()); err != nil {
		return w, err
	}
	w.frees = []Point{w.free}
	least := float64(w.live.Live + w.live.Reserve)
	// at returns the slow-down in a heap.
	at := func(heap float64) (float64, error) {
		p, err := r.inHeap(ctx, w.free, int64(heap), times, impatience)
		if err != nil || math.IsInf(p.Slowdown, 1) {
			return p.Slowdown, err
		}
		free, err := r.repeated(ctx, n, r.plan.Ample, 1, r.patience())
		if err != nil {
			return 0, err
		}
		if w.frees = append(w.frees, free); free.CPU < w.free.CPU {
			w.free = free
		}
		w.points = append(w.points, p)
		return p.CPU / w.free.CPU, nil
	}
	enoughAt, tightAt := 0.0, 0.0 // the heaps on both sides of the threshold
	for heap := firstHeap * least; heap <= mostHeap*least && heap < float64(r.plan.Ample)/2; heap *= heapStep {
		slow, err := at(heap)
		if err != nil {
			return w, err
		}
		if slow >= r.plan.Slowdown {
			tightAt = heap
		} else if enoughAt == 0 {
			enoughAt = heap
		}
		if slow < enough {
			break
		}
	}
	narrow := func(heap float64) (slow float64, err error) {
		slow, err = at(heap)
		switch {
		case err != nil:
		case slow < r.plan.Slowdown:
			enoughAt = heap
		default:
			tightAt = math.Max(tightAt, heap)
		}
		return slow, err
	}
	for heap := firstHeap * least / heapStep; heap > least; heap /= heapStep {
		slow, err := narrow(heap)
		if err != nil {
			return w, err
		}
		if slow > thrashing {
			break
		}
	}
	// Around the threshold the slow-down may rise steeply.
	if tightAt == 0 {
		tightAt = least
	}
	for k := 0; k < halvings && enoughAt > tightAt; k++ {
		if _, err := narrow(math.Sqrt(enoughAt * tightAt)); err != nil {
			return w, err
		}
	}
	for i := range w.points {
		w.points[i].Slowdown = w.points[i].CPU / w.free.CPU
	}
	r.s.Tight = append(r.s.Tight, w.points...)
	return w, nil
}

// inHeap runs a size in a heap, several times. A program that does not get along
// with it, or takes patience times the wall-clock time of the ample heap, has an
// infinite slow-down.
func (r *run) inHeap(ctx context.Context, free Point, heap int64, times int, patience float64) (Point, error) {
	const align = 1 << 16
	heap = (heap + align - 1) / align * align
	longest := leastPause + time.Duration(patience*free.Wall*float64(time.Second))
	p, err := r.repeated(ctx, free.Size, heap, times, longest)
	var tight tightError
	switch {
	case ctx.Err() != nil:
		return p, ctx.Err()
	case errors.As(err, &tight):
		return Point{Size: free.Size, Heap: heap, Slowdown: math.Inf(1)}, nil
	case err != nil:
		return p, err
	}
	p.Role = TightHeap
	p.Slowdown = p.CPU / free.CPU
	return p, nil
}
