package predictability

import (
	"context"
	"fmt"
	"math"
	"os"
	"time"

	"tierscope/analysis/journal"
	"tierscope/project/scratch"
)

const (
	checkTime       = 2 * time.Minute // for a heap
	checkRuns       = 3               // of a size, in the heap and in the ample one, at most
	clearly         = 1.25            // times the threshold, or divided by it: one run of each is enough
	firstStep       = 1.08            // ratio of the first two sizes; the next ratios are its powers
	lastStep        = 1.03            // ratio of sizes at which the search ends
	farthest        = 3               // times the predicted PoU, or divided by it, where it gives up
	checkImpatience = 4               // times the wall-clock time in an ample heap, after which a run is slowed down
)

// CheckHeaps measures the PoU of heaps of a study by running its program, and
// keeps the results in the study. It takes no longer than the limit for each heap (0:
// 2 minutes); what is known by then is kept. No heaps: all of the study.
func CheckHeaps(ctx context.Context, s *Study, heaps []int64, limit time.Duration, report func(journal.Progress)) error {
	dir, err := os.MkdirTemp("", scratch.Name("", "tierscope-predictability-"))
	if err != nil {
		return fmt.Errorf("predictability: %w", err)
	}
	defer os.RemoveAll(dir)
	r := &run{plan: Plan{Runtime: s.Runtime, Command: s.Command, Env: s.Env, Ample: s.Ample, Slowdown: s.Slowdown, CheckTime: limit, Report: report}, s: s}
	if err := r.plan.defaults(); err != nil {
		return err
	}
	program := s.Program
	if err := r.prepare(ctx, dir); err != nil {
		return err
	}
	s.Program = program
	for _, h := range heaps {
		if p := s.limit(h); p == nil {
			return fmt.Errorf("predictability: nothing is predicted for a heap of %s", Megabytes(h))
		} else if p.Heap == h && !s.has(h) {
			s.PoU = append(s.PoU, *p)
		}
	}
	return r.checkHeaps(ctx, heaps)
}

// has reports whether the study lists the PoU of a heap.
func (s *Study) has(heap int64) bool {
	for i := range s.PoU {
		if s.PoU[i].Heap == heap {
			return true
		}
	}
	return false
}

// checkHeaps measures the PoU of heaps; none: all.
func (r *run) checkHeaps(ctx context.Context, heaps []int64) error {
	wanted := map[int64]bool{}
	for _, h := range heaps {
		wanted[h] = true
	}
	for i := range r.s.PoU {
		if len(heaps) > 0 && !wanted[r.s.PoU[i].Heap] {
			continue
		}
		if err := r.checkHeap(ctx, &r.s.PoU[i]); err != nil {
			return err
		}
	}
	return nil
}

// checkHeap walks from the predicted PoU to the other side of the measured one,
// in steps that grow, and then halves the interval.
func (r *run) checkHeap(ctx context.Context, p *PoU) error {
	limited, cancel := context.WithTimeout(ctx, r.plan.CheckTime)
	defer cancel()
	low, high := 0.0, 0.0 // 0: not known yet
	step := firstStep
	for at := p.Size; at >= 1 && at <= largestSize && at < p.Size*farthest && at > p.Size/farthest; {
		n := int(math.Round(at))
		slow, err := r.slowdownAt(limited, n, p.Heap)
		if err != nil && limited.Err() != nil && ctx.Err() == nil {
			r.report("heap %s: the time for the measurement is over", Megabytes(p.Heap))
			break
		}
		if err != nil {
			return err
		}
		r.report("heap %s, size %d: slow-down %.2f", Megabytes(p.Heap), n, slow)
		if slow > r.plan.Slowdown {
			high = float64(n)
		} else {
			low = float64(n)
		}
		switch {
		case low > 0 && high > 0:
			at = math.Sqrt(low * high)
		case low > 0:
			at, step = low*step, step*step
		default:
			at, step = high/step, step*step
		}
		if low > 0 && high > 0 && high/low <= lastStep {
			break
		}
	}
	p.MeasuredLower, p.MeasuredUpper = low, high
	return nil
}

// slowdownAt measures the slow-down of a size in a heap. Runs in the heap and in
// the ample one take turns, and it takes as few of them as are needed to tell on
// which side of the threshold it is.
func (r *run) slowdownAt(ctx context.Context, n int, heap int64) (float64, error) {
	free, tight := math.Inf(1), math.Inf(1)
	for range checkRuns {
		f, err := r.repeated(ctx, n, r.plan.Ample, 1, r.patience())
		if err != nil {
			return 0, err
		}
		t, err := r.inHeap(ctx, f, heap, 1, checkImpatience)
		if err != nil {
			return 0, err
		}
		if math.IsInf(t.Slowdown, 1) {
			return t.Slowdown, nil
		}
		free, tight = math.Min(free, f.CPU), math.Min(tight, t.CPU)
		if slow := tight / free; slow > r.plan.Slowdown*clearly || slow < r.plan.Slowdown/clearly {
			break
		}
	}
	return tight / free, nil
}

// Measured is the size between those that the measurement ended with; false if
// it was not measured, or only from one side.
func (p *PoU) Measured() (float64, bool) {
	return math.Sqrt(p.MeasuredLower * p.MeasuredUpper), p.MeasuredLower > 0 && p.MeasuredUpper > 0
}

// MeasuredText says between which sizes the PoU was measured to lie; "" if it was
// not measured.
func (p *PoU) MeasuredText() string {
	switch {
	case p.MeasuredLower > 0 && p.MeasuredUpper > 0:
		return fmt.Sprintf("%.4g…%.4g", p.MeasuredLower, p.MeasuredUpper)
	case p.MeasuredLower > 0:
		return fmt.Sprintf("above %.4g", p.MeasuredLower)
	case p.MeasuredUpper > 0:
		return fmt.Sprintf("below %.4g", p.MeasuredUpper)
	}
	return ""
}
