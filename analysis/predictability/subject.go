package predictability

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"tierscope/analysis/journal"
	"tierscope/analysis/loops"
)

// subject is a program whose problem size and heap can be set.
type subject interface {
	// startUp is the cost of the runtime alone.
	startUp(context.Context) (Point, error)
	// once runs the program. It returns a tightError if the heap is too small, or
	// makes the program take longer than patience.
	once(ctx context.Context, n int, heap int64, patience time.Duration) (Point, error)
	// live is the most data that is alive at once.
	live(ctx context.Context, n int, heap int64) (Footprint, error)
}

// tightError says that a program does not get along with its heap.
type tightError struct{ err error }

func (e tightError) Error() string { return e.err.Error() }
func (e tightError) Unwrap() error { return e.err }

// sized puts the size into arguments.
func sized(args []string, n int) []string {
	var out []string
	for _, a := range args {
		out = append(out, strings.ReplaceAll(a, loops.SizePlaceholder, strconv.Itoa(n)))
	}
	return out
}

// run is a program under study, with what is remembered of it.
type run struct {
	subject
	plan Plan
	s    *Study
	kept *journal.Journal
}

func (r *run) report(format string, args ...any) {
	if r.plan.Report != nil {
		r.plan.Report(journal.Progress{Done: r.kept.Taken(), Fact: fmt.Sprintf(format, args...)})
	}
}

// repeated runs a size several times, and returns the point of the run with the
// least CPU time: the one that other work on the machine disturbed least.
func (r *run) repeated(ctx context.Context, n int, heap int64, times int, patience time.Duration) (Point, error) {
	var all []Point
	for range times {
		p, err := r.once(ctx, n, heap, patience)
		if err != nil {
			return Point{}, err
		}
		all = append(all, p)
	}
	slices.SortFunc(all, byCPU)
	p := all[0]
	p.Size, p.Heap, p.Runs = n, heap, times
	p.Least, p.Most = p.CPU, all[len(all)-1].CPU
	compile := math.Max(0, p.Compile-r.s.StartUp.Compile)
	p.Share = compile / (compile + math.Max(leastShareBase, r.own(p)))
	return p, nil
}

func byCPU(a, b Point) int { return cmp.Compare(a.CPU, b.CPU) }

// own is the CPU time that the program itself and the collector take, in s:
// without start-up and compilation.
func (r *run) own(p Point) float64 {
	return p.CPU - p.Compile - (r.s.StartUp.CPU - r.s.StartUp.Compile)
}

// leastShareBase is the CPU time, in s, that a program takes at least: less
// cannot be told from the scatter of the start-up.
const leastShareBase = 1e-4
