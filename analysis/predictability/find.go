package predictability

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"

	"tierscope/analysis/journal"
	"tierscope/analysis/loops"
	"tierscope/core/robust"
	"tierscope/project/scratch"
)

// Plan says what to study. The zero value of most fields is a default.
type Plan struct {
	Runtime Runtime
	// Command is the command of a JVM, or the folder of a Go main package and its
	// arguments; {n} stands for the size.
	Command []string
	Env     []string
	From    int           // the smallest size, 0: 16
	To      int           // the largest size to run, 0: as Longest says
	Longest time.Duration // that a run in an ample heap may take in CPU time, 0: 10 s
	Repeats int           // runs of each size, 0: 3
	Order   loops.Order   // of the cost, if it is known
	Heaps   []int64       // bytes, to find the PoU of; none: no PoU
	Check   bool          // also run what was predicted
	// CheckTime is how long the measurement of the PoU of one heap may take, 0: 2 minutes.
	CheckTime time.Duration
	Also      []int // sizes to run beside the calibrations, with the role of checks
	// Thresholds, 0: those of the paper and a slow-down of 1.5.
	CompileShare, Deviation, Slowdown float64
	Ample                             int64 // heap in bytes that is no limit, 0: 4 GB or half of the machine
	Report                            func(journal.Progress)
	// Done is called with the study before the runs behind it are forgotten; if it fails, they are kept. May be nil.
	Done func(*Study) error
}

// Constants of the paper (§3.2), and what it leaves open. Its calibration sizes
// are 20 % apart, which for a cubic cost makes the largest cost 9 times the
// smallest; ours do so for any order, so that clocks that scatter by 5 % leave the
// slope of a linear cost as certain.
const (
	compileShare   = 0.30
	deviation      = 75
	slowdown       = 1.5
	calibrations   = 5
	costSpan       = 9.0  // of the costs of the calibrations, largest to smallest
	dominance      = 10.0 // times the CPU time of the smallest size, which is nearly all start-up, that the largest calibration takes
	smallest       = 16
	repeats        = 5
	longest        = 10 * time.Second
	refinement     = 4   // sizes per doubling around the PoP
	predictableRow = 3   // doublings in a row below the threshold end the search
	leastCost      = 0.1 // s of CPU time of the smallest calibration of a program that is not compiled as it runs
	sizesOfCheck   = 4
)

func (p *Plan) defaults() error {
	switch {
	case p.Runtime != Java && p.Runtime != Go:
		return fmt.Errorf("predictability: runtime %q: want %s or %s", p.Runtime, Java, Go)
	case len(p.Command) == 0:
		return errors.New("predictability: no program")
	}
	if !slices.ContainsFunc(append(slices.Clone(p.Command), p.Env...), hasSize) {
		return fmt.Errorf("predictability: no argument has the problem size: write %s where it belongs", loops.SizePlaceholder)
	}
	set(&p.From, smallest)
	set(&p.Longest, longest)
	set(&p.Repeats, repeats)
	set(&p.CompileShare, compileShare)
	set(&p.Deviation, deviation)
	set(&p.Slowdown, slowdown)
	set(&p.Ample, ampleHeap())
	set(&p.CheckTime, checkTime)
	set(&p.To, math.MaxInt32)
	for _, h := range p.Heaps {
		if h >= p.Ample/2 {
			return fmt.Errorf("predictability: a heap of %s is not small beside the ample one of %s", Megabytes(h), Megabytes(p.Ample))
		}
	}
	return nil
}

func set[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// Find studies a program.
func Find(ctx context.Context, p Plan) (*Study, error) {
	if err := p.defaults(); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", scratch.Name("", "tierscope-predictability-"))
	if err != nil {
		return nil, fmt.Errorf("predictability: %w", err)
	}
	defer os.RemoveAll(dir)
	r := &run{plan: p, s: &Study{Program: filepath.Base(p.Command[0]), Runtime: p.Runtime, Command: p.Command, Env: p.Env,
		Ample: p.Ample, Slowdown: p.Slowdown}}
	if err := r.prepare(ctx, dir); err != nil {
		return nil, err
	}
	kept, err := r.keep(p)
	if err != nil {
		return nil, err
	}
	if err := r.find(ctx); err != nil {
		return nil, errors.Join(err, kept.Close())
	}
	if p.Done != nil {
		if err := p.Done(r.s); err != nil {
			return nil, errors.Join(err, kept.Close())
		}
	}
	return r.s, kept.Finish()
}

// find does all that is asked for, in order.
func (r *run) find(ctx context.Context) error {
	if err := r.idle(ctx); err != nil {
		return err
	}
	if r.plan.Order != "" {
		r.s.Order, r.s.OrderBy = r.plan.Order, "the user"
	} else {
		r.countLoops(ctx)
	}
	start, err := r.start(ctx)
	if err != nil {
		return err
	}
	if err := r.calibrate(ctx, start); err != nil {
		return err
	}
	if len(r.plan.Heaps) > 0 {
		if err := r.tighten(ctx); err != nil {
			return err
		}
	}
	if r.plan.Check {
		return r.checkHeaps(ctx, nil)
	}
	return nil
}

func (r *run) prepare(ctx context.Context, dir string) (err error) {
	switch r.plan.Runtime {
	case Java:
		r.subject, err = newJVM(r.plan.Command, r.plan.Env, dir)
		r.s.Program = mainClass(r.plan.Command)
	case Go:
		r.report("building")
		r.subject, err = newGo(ctx, r.plan.Command[0], r.plan.Command[1:], r.plan.Env, dir)
	}
	return err
}

// idle measures the start-up of the runtime.
func (r *run) idle(ctx context.Context) error {
	var cpu, compile []float64
	for range r.plan.Repeats {
		p, err := r.startUp(ctx)
		if err != nil {
			return err
		}
		cpu, compile = append(cpu, p.CPU), append(compile, p.Compile)
	}
	r.s.StartUp = StartUp{CPU: robust.Median(cpu), Compile: robust.Median(compile)}
	return nil
}

// search is a point for the PoP.
func (r *run) search(ctx context.Context, n int) (Point, error) {
	p, err := r.repeated(ctx, n, r.plan.Ample, r.plan.Repeats, r.patience())
	if err != nil {
		return p, err
	}
	p.Role = Search
	r.s.Points = append(r.s.Points, p)
	r.report("size %d: %.3g s of CPU time, %.0f %% of it compiling", n, p.CPU, 100*p.Share)
	return p, nil
}

// patience is the wall-clock time that a run may take in an ample heap. It is there
// to end what hangs: the machine may have a lot of other work.
func (r *run) patience() time.Duration { return 60 * r.plan.Longest }

// start finds the PoP, or, for programs that are not compiled as they run, a size
// whose cost clocks can tell.
func (r *run) start(ctx context.Context) (int, error) {
	row, unpredictable := 0, 0
	for n := r.plan.From; ; n *= 2 {
		if n > r.plan.To {
			return 0, fmt.Errorf("predictability: up to size %d the program computes too little, or compiles too much, for a prediction: allow larger sizes", r.plan.To)
		}
		p, err := r.search(ctx, n)
		if err != nil {
			return 0, err
		}
		if p.CPU > r.plan.Longest.Seconds() && row == 0 {
			return 0, fmt.Errorf("predictability: size %d takes %.3g s of CPU time and still compiles for %.0f %% of it: allow longer runs", n, p.CPU, 100*p.Share)
		}
		switch {
		case r.plan.Runtime == Go:
			if p.CPU >= leastCost {
				return n, nil
			}
			continue
		case p.Share >= r.plan.CompileShare:
			row, unpredictable = 0, n
		case r.own(p) >= r.s.StartUp.CPU:
			row++
		}
		if row >= predictableRow || row > 0 && p.CPU > r.plan.Longest.Seconds()/8 {
			return r.refine(ctx, unpredictable)
		}
	}
}

// refine narrows the PoP down between the last size of the doublings above the
// threshold and the next.
func (r *run) refine(ctx context.Context, from int) (int, error) {
	if from > 0 {
		for k := 1; k < refinement; k++ {
			if n := int(math.Round(float64(from) * math.Pow(2, float64(k)/refinement))); n > from && n < 2*from {
				if _, err := r.search(ctx, n); err != nil {
					return 0, err
				}
			}
		}
	}
	slices.SortFunc(r.s.Points, func(a, b Point) int { return a.Size - b.Size })
	pop := &PoP{Threshold: r.plan.CompileShare}
	// the last crossing
	for i, p := range r.s.Points {
		if p.Share >= r.plan.CompileShare || r.own(p) < r.s.StartUp.CPU {
			pop.Lower = float64(p.Size)
			if i+1 < len(r.s.Points) {
				pop.Size = float64(r.s.Points[i+1].Size)
			}
		}
	}
	if pop.Size == 0 {
		pop.Size = float64(r.s.Points[0].Size)
	}
	r.s.PoP = pop
	return int(pop.Size), nil
}

// calibrate finds the calibration sizes, from start on, and runs them. For a
// PoP the number of compiled methods must be on a plateau over them (the paper,
// figure 6), otherwise the first is dropped and one added; likewise until the
// largest takes much longer than the start of the program, whose scatter would
// hide the slope.
func (r *run) calibrate(ctx context.Context, start int) error {
	var last []Point
	const most = 3 * calibrations
	size, step := float64(start), r.step()
	for k := 0; len(last) < calibrations; k++ {
		p, err := r.repeated(ctx, int(math.Round(size)), r.plan.Ample, 1, r.patience())
		if err != nil {
			return err
		}
		size *= step
		if last = append(last, p); len(last) < calibrations || r.s.PoP == nil {
			continue
		}
		if k < most && p.CPU < dominance*r.s.Points[0].CPU && 2*p.CPU < r.plan.Longest.Seconds() {
			last = last[1:]
			continue
		}
		r.s.PoP.Deviation = spread(last)
		if r.s.PoP.Deviation > r.plan.Deviation {
			if k >= most || p.CPU > r.plan.Longest.Seconds() {
				r.s.Warnings = append(r.s.Warnings, fmt.Sprintf("the number of compiled methods still varies by %.0f where the search for the point of predictability ended", r.s.PoP.Deviation))
				break
			}
			last = last[1:]
			r.s.PoP.Lower, r.s.PoP.Size = r.s.PoP.Size, float64(last[0].Size)
		}
	}
	for i := range last {
		last[i].Role = Calibration
	}
	if err := r.fit(last); err != nil {
		return err
	}
	// The speed of machines drifts: sizes take turns, so that it drifts for all. The
	// least time would favour small sizes, which fit into a fast moment.
	all := append(last, r.larger(last)...)
	runs := make([][]Point, len(all))
	for round := range r.plan.Repeats {
		r.report("round %d of %d", round+1, r.plan.Repeats)
		for i := range all {
			p, err := r.repeated(ctx, all[i].Size, r.plan.Ample, 1, r.patience())
			if err != nil {
				return err
			}
			p.Role = all[i].Role
			runs[i] = append(runs[i], p)
		}
	}
	for i, of := range runs {
		slices.SortFunc(of, byCPU)
		all[i] = of[(len(of)-1)/2]
		all[i].Runs, all[i].Least, all[i].Most = len(of), of[0].CPU, of[len(of)-1].CPU
	}
	r.s.Points = append(r.s.Points, all...)
	for _, p := range all[len(last):] {
		r.report("check at size %d: %.3g s of CPU time", p.Size, p.CPU)
	}
	return r.fit(all[:len(last)])
}

// step returns the ratio between calibration sizes, by the exponent with which
// the cost grew over the last sizes of the search.
func (r *run) step() float64 {
	const least, most = 0.5, 4.0 // exponents that are believed
	exponent := 3.0              // if nothing is known, sizes that surely end in time
	if r.s.Order != "" {
		exponent = math.Log2(r.s.Order.At(2*largeSize) / r.s.Order.At(largeSize))
	} else if n := len(r.s.Points); n > 1 {
		a, b := r.s.Points[0], r.s.Points[n-1]
		for _, p := range r.s.Points { // nearer sizes differ by less than clocks scatter
			if p.Size <= b.Size/2 && p.Size > a.Size {
				a = p
			}
		}
		exponent = math.Log(math.Max(r.own(b), leastShareBase)/math.Max(r.own(a), leastShareBase)) / math.Log(float64(b.Size)/float64(a.Size))
	}
	return math.Pow(costSpan, 1/((calibrations-1)*math.Min(most, math.Max(least, exponent))))
}

// largeSize is one at which logarithms count for little.
const largeSize = 1e6

// larger returns the sizes to check the prediction with, up to four times the
// largest calibration.
func (r *run) larger(calibrated []Point) (out []Point) {
	for _, n := range r.plan.Also {
		out = append(out, Point{Size: n, Role: Check})
	}
	if !r.plan.Check {
		return out
	}
	for k := 1; k <= sizesOfCheck; k++ {
		n := int(math.Round(float64(calibrated[len(calibrated)-1].Size) * math.Pow(4, float64(k)/sizesOfCheck)))
		if r.s.At(float64(n)) <= r.plan.Longest.Seconds() && n <= r.plan.To {
			out = append(out, Point{Size: n, Role: Check})
		}
	}
	return out
}

// spread is the standard deviation of the number of compiled methods.
func spread(points []Point) float64 {
	compiled := make([]float64, len(points))
	for i, p := range points {
		compiled[i] = float64(p.Compiled)
	}
	return stat.StdDev(compiled, nil)
}

// fit fits the cost to the calibrations.
func (r *run) fit(points []Point) error {
	var sizes, values []float64
	r.s.Fixed = 0
	for _, p := range points {
		sizes, values = append(sizes, float64(p.Size)), append(values, math.Max(leastShareBase, r.own(p)))
		r.s.Fixed += (p.CPU - r.own(p)) / float64(len(points))
	}
	ok := false
	if r.s.OrderBy != "" && r.s.OrderBy != byCalibration {
		r.s.Cost, ok = fitCost(r.s.Order, sizes, values)
	}
	if !ok {
		if r.s.Cost, ok = fitLowest(sizes, values, goodOrder); !ok {
			return errors.New("predictability: the cost does not grow with the size: is it the size that the argument sets?")
		}
		r.s.Order, r.s.OrderBy = r.s.Cost.Order, byCalibration
	}
	return nil
}

const byCalibration = "calibration"
