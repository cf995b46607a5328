package loops

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"
)

// table has the counts of all runs, by loop and chain.
type table struct {
	result *Result
	index  map[string]int
	runs   []map[int][2]int64 // of each run: entries and iterations by loop
}

// add adds the counts of a run.
func (t *table) add(c counter, counts []count) {
	r := t.result
	run := map[int][2]int64{}
	for _, k := range counts {
		at := c.position(k.loop)
		chain := unwound(k.function, k.chain)
		key := fmt.Sprint(k.loop, " ", chain)
		i, ok := t.index[key]
		if !ok {
			i = len(r.Loops)
			t.index[key] = i
			r.Loops = append(r.Loops, Loop{Function: at.function, File: at.file, Line: at.line, Chain: chain})
		}
		// Two calls in one line are one chain.
		run[i] = [2]int64{run[i][0] + k.entries, run[i][1] + k.iterations}
	}
	t.runs = append(t.runs, run)
}

// Larger sizes that are tried, as multiples of the largest that models are fitted
// to; the first that the program can be expected to end at in time.
var multiples = []float64{4, 3, 2, 1.5, 1.25}

const (
	farther        = 16   // times the largest size: tried besides, if it can be afforded
	mostIterations = 5e8  // of all loops, at a larger size
	shareOfTimeout = 0.25 // that a run at a larger size is expected to take
)

// fit fits the models, and runs the program at two larger sizes that confirm or
// refute them. Loops that no run entered are left out.
func (t *table) fit(ctx context.Context, c counter, timeout, took time.Duration) error {
	r := t.result
	t.models(nil)
	for _, m := range multiples {
		near, far := t.larger(math.Sqrt(m)), t.larger(m)
		if far <= slices.Max(r.Sizes) || !t.affordable(float64(far), timeout, took) {
			continue
		}
		runs := len(t.runs)
		ok := true
		for _, n := range []int{near, far} {
			counts, err := c.count(ctx, size(n))
			if err != nil {
				ok = false
				break
			}
			t.add(c, counts)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !ok {
			t.runs = t.runs[:runs]
			continue
		}
		sizes := []int{near, far}
		if last := t.larger(farther); m == multiples[0] && t.affordable(float64(last), timeout, took) {
			counts, err := c.count(ctx, size(last))
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err == nil {
				t.add(c, counts)
				sizes = append(sizes, last)
			}
		}
		t.models(sizes)
		break
	}
	if len(r.Beyond) == 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("the program ran at no size above %d in time: no order is confirmed", slices.Max(r.Sizes)))
	}
	r.Loops = slices.DeleteFunc(r.Loops, func(l Loop) bool { return sum(l.Entries)+sum(l.Iterations)+sum(l.Beyond) == 0 })
	for _, l := range r.Loops {
		if l.Model.Order == NoOrder && len(r.Beyond) > 0 {
			r.Warnings = append(r.Warnings, fmt.Sprintf("%s %s:%d: no order of the pool has these counts, %v at %v and %v at %v: nothing is predicted",
				l.Function, l.File, l.Line, l.Iterations, r.Sizes, l.Beyond, r.Beyond))
		}
	}
	return nil
}

// larger returns the largest size times a factor, as a multiple of what all sizes
// are multiples of: programs that divide their size show steps between.
func (t *table) larger(factor float64) int {
	step := 0
	for _, n := range t.result.Sizes {
		step = gcd(step, n)
	}
	return int(math.Round(factor*float64(slices.Max(t.result.Sizes))/float64(step))) * step
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// affordable reports whether a run can be expected to end in time, by the models
// as far as there are any.
func (t *table) affordable(n float64, timeout, took time.Duration) bool {
	at, now := 0.0, 0.0
	for _, l := range t.result.Loops {
		if v := l.Model.At(n); !math.IsNaN(v) {
			at += v
		}
		now += l.most()
	}
	return at < mostIterations && took.Seconds()*math.Max(1, at/math.Max(1, now)) < shareOfTimeout*timeout.Seconds()
}

// most is the number of iterations at the size that has the most.
func (l Loop) most() float64 {
	if len(l.Iterations) == 0 {
		return 0
	}
	return float64(slices.Max(l.Iterations))
}

// models fits all loops; beyond are the sizes of the last runs.
func (t *table) models(beyond []int) {
	r := t.result
	r.Beyond = beyond
	n := len(r.Sizes)
	for i := range r.Loops {
		l := &r.Loops[i]
		l.Entries, l.Iterations, l.Beyond = make([]int64, n), make([]int64, n), make([]int64, len(beyond))
		var columns [2][]float64
		for k, run := range t.runs {
			if k < n {
				l.Entries[k], l.Iterations[k] = run[i][0], run[i][1]
			} else {
				l.Beyond[k-n] = run[i][1]
			}
			for j := range columns {
				columns[j] = append(columns[j], float64(run[i][j]))
			}
		}
		fit := func(of []float64) Model {
			var points []Point
			for k, size := range beyond {
				points = append(points, Point{size, of[n+k]})
			}
			return FitBeyond(r.Sizes, of[:n], points...)
		}
		l.Entered, l.Model = fit(columns[0]), fit(columns[1])
	}
}

func sum(counts []int64) (total int64) {
	for _, c := range counts {
		total += c
	}
	return total
}
