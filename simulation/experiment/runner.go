package experiment

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tierscope/core"
	"tierscope/core/eta"
	"tierscope/project"
	"tierscope/simulation"
)

// Simulate simulates a model in a configuration: simulation.Run, or a
// stand-in for it.
type Simulate func(ctx context.Context, m core.Model, settings map[string]float64, o simulation.Options) (*simulation.Result, error)

// Point is one configuration of an experiment.
type Point struct {
	Settings map[string]float64 `json:"settings"`
	ID       string             `json:"id"`
	Result   *simulation.Result `json:"result,omitempty"` // nil: not simulated yet
	Known    bool               `json:"known,omitempty"`  // Result was in the ledger
}

// Plan is an experiment with its points: what running it means.
type Plan struct {
	Experiment Experiment
	Points     []Point // with the results that the ledger has
	Known      int     // points that the ledger has
	// Remaining is the expected wall-clock time for the others with all
	// workers, from runs of the same model in the ledger; 0: not known, or
	// nothing to do.
	Remaining time.Duration
}

// Sentence says what running the plan means: "384 runs, 12 of them in the
// ledger, about 6m".
func (p *Plan) Sentence() string { return sentence(len(p.Points), p.Known, p.Remaining) }

func sentence(points, known int, remaining time.Duration) string {
	text := fmt.Sprintf("%d runs", points)
	if points == 1 {
		text = "1 run"
	}
	if known > 0 {
		text += fmt.Sprintf(", %d of them in the ledger", known)
	}
	if remaining > 0 {
		text += ", about " + Roughly(remaining)
	}
	return text
}

// Roughly writes a time that nobody knows exactly.
func Roughly(d time.Duration) string {
	switch {
	case d < time.Second:
		return "1s"
	case d < 2*time.Minute:
		return d.Round(time.Second).String()
	case d < 2*time.Hour:
		return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
	default:
		return strings.TrimSuffix(d.Round(time.Hour).String(), "0m0s")
	}
}

// Runner simulates experiments on one model.
type Runner struct {
	Model    core.Model
	Ledger   *Ledger // may be nil: nothing is kept
	Pool     *simulation.Pool
	Simulate Simulate
	// Patience is how long the disk of the ledger may be full once something was kept; Waits is
	// told why there is a pause, "" when it is over, and may be nil.
	Patience time.Duration
	Waits    func(why string)
	Progress func(Progress) // called from one goroutine at a time, at most 30 times a second and at the end; may be nil
}

// Progress is how far an experiment is.
type Progress struct {
	Points    int // of the experiment
	Done      int // with a result, those from the ledger included
	Running   int
	Elapsed   time.Duration
	Remaining time.Duration // estimate; 0: not known yet
	Finished  []Point       // since the start, in the order in which they did; those that were stopped have a part of their replications
}

// Plan expands an experiment and looks its points up in the ledger. The error
// says why the model does not allow some configurations, or that ctx has ended.
func (r *Runner) Plan(ctx context.Context, e Experiment) (*Plan, error) {
	if err := e.allowed(&r.Model); err != nil {
		return nil, err
	}
	return r.plan(ctx, e, e.Options().Inputs(), e.Points(&r.Model))
}

// PlanPoints is Plan with configurations that are given one by one; the axes
// and constraints of the experiment do not matter.
func (r *Runner) PlanPoints(ctx context.Context, e Experiment, grid []map[string]float64) (*Plan, error) {
	return r.plan(ctx, e, e.Options().Inputs(), each(grid))
}

// each yields configurations.
func each(grid []map[string]float64) iter.Seq2[map[string]float64, error] {
	return func(yield func(map[string]float64, error) bool) {
		for _, settings := range grid {
			if !yield(settings, nil) {
				return
			}
		}
	}
}

func (r *Runner) plan(ctx context.Context, e Experiment, inputs simulation.Inputs, grid iter.Seq2[map[string]float64, error]) (*Plan, error) {
	p := &Plan{Experiment: e}
	if err := r.refresh(); err != nil {
		return nil, err
	}
	look := r.looking(e, inputs)
	for points, err := range blocks(grid) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		if err := look.up(ctx, points); err != nil {
			return nil, err
		}
		p.Points = append(p.Points, points...)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p.Known = known(p.Points)
	p.Remaining = r.forecast(len(p.Points) - p.Known)
	return p, nil
}

// refresh looks for runs that others have written to the ledger.
func (r *Runner) refresh() error {
	if r.Ledger == nil {
		return nil
	}
	return r.Ledger.Refresh()
}

// looking looks points up in the ledger, several at a time.
type looking struct {
	runner *Runner
	only   []string
	inputs simulation.Inputs
	model  string // hash
	hasher *core.Hasher
	find   func(Point) Point // recall, or seen
}

func (r *Runner) looking(e Experiment, inputs simulation.Inputs) *looking {
	l := &looking{runner: r, only: e.Only, inputs: inputs, model: core.Hash(r.Model), hasher: core.NewHasher(r.Model)}
	l.find = l.recall
	return l
}

// seen says of a point with an ID whether the ledger has its result, and leaves that there.
func (l *looking) seen(p Point) Point {
	if ledger := l.runner.Ledger; ledger != nil {
		p.Known = ledger.has(p.ID, l.only)
	}
	return p
}

// recall completes a point with an ID with its result from the ledger, if that has one.
func (l *looking) recall(p Point) Point { return l.runner.find(p, l.only, l.model) }

// up completes points with their IDs, unless they have one, and with what find finds of them. The error says why the model
// does not allow some.
func (l *looking) up(ctx context.Context, points []Point) error {
	errs := make([]error, len(points))
	var next atomic.Int64
	var workers sync.WaitGroup
	const each = 16 // points, from which one more worker pays
	for range min(l.runner.pool().Workers(), 1+len(points)/each) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(points)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				if errs[i] = l.identify(&points[i]); errs[i] == nil {
					points[i] = l.find(points[i])
				}
			}
		})
	}
	workers.Wait()
	return distinct(errs)
}

// mostDefects is how many defects of a grid are told: an axis that is too long has one at each of its values.
const mostDefects = 8

// distinct joins the defects of points, each once.
func distinct(errs []error) error {
	var lines []error
	said := map[string]bool{}
	for _, err := range errs {
		if err == nil {
			continue
		}
		for line := range strings.SplitSeq(err.Error(), "\n") {
			if !said[line] {
				said[line] = true
				lines = append(lines, errors.New(line))
			}
		}
	}
	if more := len(lines) - mostDefects; more > 0 {
		lines = append(lines[:mostDefects], fmt.Errorf("and %d more like these", more))
	}
	return errors.Join(lines...)
}

// identify gives a point its ID.
func (l *looking) identify(p *Point) error {
	if p.ID != "" {
		return nil
	}
	configured, err := l.runner.Model.With(p.Settings)
	if err == nil {
		p.ID = idOf(l.hasher.Hash(configured), l.inputs)
	}
	return err
}

func (r *Runner) pool() *simulation.Pool {
	if r.Pool == nil {
		return simulation.NewPool(0)
	}
	return r.Pool
}

// find completes a point with its result from the ledger, if that has one with the metrics asked for. model is the hash of
// the runner's.
func (r *Runner) find(point Point, only []string, model string) Point {
	if r.Ledger == nil {
		return point
	}
	if run, ok := r.Ledger.Find(point.ID); ok && covers(run.Only, only) {
		point.Result, point.Known = r.relabel(trimmed(run.Result, only), point.Settings, model), true
	}
	return point
}

// relabel gives a result from the ledger the name and settings under which it
// was asked for, and the warnings that go with these: the same configuration
// may have several.
func (r *Runner) relabel(result *simulation.Result, settings map[string]float64, model string) *simulation.Result {
	labelled := *result
	labelled.Model = r.Model.Name
	labelled.ModelHash = model
	labelled.Configuration = maps.Clone(settings)
	labelled.Warnings = r.Model.Extrapolations(settings)
	before := r.Model.Extrapolations(result.Configuration)
	for _, w := range result.Warnings {
		if !slices.Contains(before, w) {
			labelled.Warnings = append(labelled.Warnings, w)
		}
	}
	return &labelled
}

// keep appends a run to the ledger; one without any replication is not kept.
func (r *Runner) keep(ctx context.Context, run Run) error {
	if r.Ledger == nil || run.Result.Replications == 0 {
		return nil
	}
	patience, waits := r.Patience, r.Waits
	if r.Ledger.Len() == 0 { // who starts on a full disk is told at once
		patience = 0
	}
	if waits == nil {
		waits = func(string) {}
	}
	waited := false
	err := project.AwaitRoom(ctx, patience, func() error { return r.Ledger.Append(run) }, func(err error) {
		waited = true
		waits(err.Error())
	})
	if waited {
		waits("")
	}
	return err
}

// forecast expects a point to keep one worker as busy as the mean run of this
// model in the ledger did.
func (r *Runner) forecast(points int) time.Duration {
	if r.Ledger == nil || points == 0 {
		return 0
	}
	runs, total := r.Ledger.Cost(core.Hash(r.Model))
	if runs == 0 {
		return 0
	}
	return r.share(total/time.Duration(runs), points)
}

// Run simulates all points that have no result and returns the experiment
// with its results, in the order of the grid: bit-identical for any number of
// workers. When ctx ends, the points that run are stopped and kept as
// interrupted, and the error is that of ctx. Every finished point is in the
// ledger at once.
func (r *Runner) Run(ctx context.Context, p *Plan) (*Plan, error) {
	done := *p
	done.Points = append([]Point(nil), p.Points...)
	pool, hash := r.pool(), core.Hash(r.Model)
	state := progress{runner: r, began: time.Now(), points: len(p.Points), todo: len(p.Points) - p.Known, rest: restOf(p)}
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	// Enough configurations at once to keep all workers busy while one of
	// them looks at its replications; the pool bounds the replications.
	next := make(chan int)
	var wg sync.WaitGroup
	for range pool.Workers() + 1 {
		wg.Go(func() {
			for i := range next {
				if err := r.point(ctx, &done, i, pool, hash, &state); err != nil {
					fail(err)
				}
			}
		})
	}
	// Equal configurations under different names are simulated once.
	first := map[string]int{}
	for i, point := range done.Points {
		if _, again := first[point.ID]; again || point.Result != nil || ctx.Err() != nil {
			state.nothing(i)
			continue
		}
		first[point.ID] = i
		select {
		case next <- i:
		case <-ctx.Done():
		}
	}
	close(next)
	wg.Wait()
	done.Known, done.Remaining = 0, 0
	for i := range done.Points {
		point := &done.Points[i]
		if j, ok := first[point.ID]; ok && j != i && done.Points[j].Result != nil {
			point.Result = r.relabel(done.Points[j].Result, point.Settings, hash)
		}
		if point.Known {
			done.Known++
		}
	}
	state.report(nil, true)
	return &done, context.Cause(ctx)
}

// point simulates one point of the model with a hash.
func (r *Runner) point(ctx context.Context, p *Plan, i int, pool *simulation.Pool, hash string, state *progress) error {
	point := &p.Points[i]
	if ctx.Err() != nil {
		return nil
	}
	o := p.Experiment.Options()
	o.Pool, o.Only, o.ModelHash = pool, p.Experiment.Only, hash
	state.started()
	result, err := r.Simulate(ctx, r.Model, point.Settings, o)
	if err != nil {
		state.report(nil, false)
		return fmt.Errorf("configuration %v: %w", point.Settings, err)
	}
	if result.Interrupted && result.Replications == 0 {
		state.report(nil, false)
		return nil
	}
	result = trimmed(result, p.Experiment.Only)
	point.Result = result
	err = r.keep(ctx, Run{ID: point.ID, Time: time.Now().UTC(), Scenario: p.Experiment.Name, Only: p.Experiment.Only, Inputs: o.Inputs(), Result: result})
	state.took(i, result.Busy)
	state.report(point, false)
	return err
}

// progressInterval is the least time between two reports: 30 a second.
const progressInterval = time.Second / 30

// progress counts finished points.
type progress struct {
	runner       *Runner
	began        time.Time
	points, todo int

	mu            sync.Mutex
	rest          *eta.Estimator // in time of one worker
	busy          float64        // s of one worker, so far
	running, done int
	last          time.Time
	finished      []Point
}

// restOf estimates how long the points of a plan take.
func restOf(p *Plan) *eta.Estimator {
	names := p.Parameters()
	all := make([][]float64, len(p.Points))
	for i, point := range p.Points {
		for _, name := range names {
			all[i] = append(all[i], point.Settings[name])
		}
	}
	return eta.New(all)
}

// nothing says that a point needs no simulation.
func (s *progress) nothing(i int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rest.Done(i)
}

// took notes for how long a point kept one worker busy.
func (s *progress) took(i int, busy time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy += busy.Seconds()
	s.rest.Took(i, busy.Seconds())
}

func (s *progress) started() {
	s.mu.Lock()
	s.running++
	s.mu.Unlock()
}

// report counts a point as finished; point nil: it has no result. final
// reports the end of the experiment.
func (s *progress) report(point *Point, final bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !final {
		s.running--
	}
	if point != nil {
		s.done++
		s.finished = append(s.finished, *point)
	}
	now := time.Now()
	if s.runner.Progress == nil || !final && now.Sub(s.last) < progressInterval {
		return
	}
	s.last = now
	p := Progress{
		Points: s.points, Done: s.points - s.todo + s.done, Running: s.running,
		Elapsed: now.Sub(s.began), Finished: slices.Clip(s.finished),
	}
	if left, ok := s.rest.Left(); ok && s.busy > 0 && s.done < s.todo {
		p.Remaining = time.Duration(math.Round(float64(p.Elapsed) / s.busy * left))
	}
	s.runner.Progress(p)
}
