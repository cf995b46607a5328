package prolong

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tierscope/analysis/factor"
	"tierscope/analysis/java/hotspot"
	"tierscope/analysis/journal"
	"tierscope/project/scratch"
)

// Plan says what to prolong. The zero value of every field but Program is a
// default.
type Plan struct {
	Program     string // folder or import path of a Go main package; java, or a jar; an executable
	Args        []string
	Env         []string // NAME=VALUE
	Granularity Granularity
	Only        []string  // modules to delay and watch; nil: all that are executed often enough
	Levels      []float64 // delays as multiples of the module's own mean time; empty: 0.5, 1, 1.5; of kind Memory 1, 2, 4
	Repeats     int       // of each level, 0: 2; of kind Memory 3
	Baselines   int       // runs without delay, 0: 8
	AtEntry     bool      // delay at entry even where the module takes a lock
	Kind        Kind      // of the delays
	Touch       int64     // bytes that delays of kind Memory walk through, 0: 32 MB
	Groups      int       // modules that are screened together, 0: 8 where there are many modules; 1: none
	Seed        uint64    // of the order
	Timeout     time.Duration
	Report      func(journal.Progress) // may be nil
	Done        func(*Result) error    // is called with the result before its runs are forgotten; if it fails, they are kept. May be nil

	kept *journal.Journal
}

// Kind is what an execution does while it is delayed.
type Kind string

// Kinds of delays, and what they show.
const (
	Sleep  Kind = "sleep"  // nothing: locks, queues and whatever else is held meanwhile
	Busy   Kind = "busy"   // compute: who competes for the cores, too
	Memory Kind = "memory" // walk through memory: caches and bandwidth that modules share, against Busy
)

// kinds are in the order in which the probes number them.
var kinds = []Kind{Sleep, Busy, Memory}

// Result is a measured prolongation.
type Result struct {
	Experiment *factor.Experiment
	Skipped    []string // modules that were left out, with the reason
	Failed     []string // runs that failed
}

const (
	leastExecutions = 10 // per run, for a mean worth looking at
	leastTime       = 20 * time.Microsecond
	sharedRoutine   = 3 // modules that call a function from which it is part of its callers
	leastDelay      = time.Millisecond
	defaultTimeout  = 5 * time.Minute
	defaultTouch    = 32 << 20 // larger than what a core has of its own
)

// front puts probes into a program of one language.
type front interface {
	// probe builds the program with probes in the modules for which keep is true, and
	// returns what its source says of these and what runs it.
	probe(ctx context.Context, keep func(name string) bool) (*structure, launcher, error)
	// state identifies the program as it is.
	state() string
}

// launcher runs a program with the shared file of its probes.
type launcher func(ctx context.Context, file string) (ended, error)

// Measure builds the program with probes and runs it as planned.
func Measure(ctx context.Context, p Plan) (*Result, error) {
	if err := p.defaults(); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", scratch.Name("", "tierscope-prolong-"))
	if err != nil {
		return nil, fmt.Errorf("prolong: %w", err)
	}
	defer os.RemoveAll(dir)
	program, err := p.front(ctx, dir)
	if err != nil {
		return nil, err
	}
	j, err := journal.Open("prolong", fmt.Sprint(p.Program, p.Args, p.Env, p.Granularity, p.Only, p.Levels, p.Repeats, p.Baselines, p.AtEntry, p.Kind, p.Touch, p.Groups, p.Seed), program.state())
	if err != nil {
		return nil, err
	}
	defer j.Close()
	if n := j.Known(); n > 0 {
		p.Report(journal.Progress{Fact: fmt.Sprintf("%d runs of the same study, which was cut off, are used", n)})
	}
	p.kept = j
	r := &Result{}
	chosen, err := p.choose(ctx, program, dir, r)
	if err != nil {
		return nil, err
	}
	if p.Groups == 0 && len(p.Only) == 0 && len(chosen) > manyModules {
		p.Groups = groupSize
	}
	if p.Groups > 1 {
		if chosen, err = p.screen(ctx, program, dir, chosen, r); err != nil {
			return nil, err
		}
	}
	s, launch, err := program.probe(ctx, func(name string) bool { return slices.Contains(chosen, name) })
	if err != nil {
		return nil, err
	}
	r.Experiment = &factor.Experiment{Modules: s.names, Calls: s.calls, Adjust: true}
	if err := p.measure(ctx, subject{launch: launch, plan: p, dir: dir, what: "chosen", kept: j}, s, r); err != nil {
		return r, err
	}
	if p.Done != nil {
		if err := p.Done(r); err != nil {
			return r, err
		}
	}
	return r, j.Finish()
}

// front finds the front end of the program.
func (p *Plan) front(ctx context.Context, dir string) (front, error) {
	if hotspot.Runs(p.Program) {
		return newJava(*p, dir)
	}
	if isExecutable(p.Program) {
		return newNative(ctx, *p, dir)
	}
	return newGo(ctx, *p, dir)
}

func (p *Plan) defaults() error {
	if p.Kind == "" {
		p.Kind = Sleep
	}
	if !slices.Contains(kinds, p.Kind) {
		return fmt.Errorf("prolong: no delay is a %q: give sleep, busy or memory", p.Kind)
	}
	if p.Touch == 0 {
		p.Touch = defaultTouch
	}
	if p.Granularity == "" {
		p.Granularity = Function
	}
	// What memory carries is a part of a delay, and times of who uses memory differ from run to run with the
	// pages that it gets: delays are longer and more.
	levels, repeats := []float64{0.5, 1, 1.5}, 2
	if p.Kind == Memory {
		levels, repeats = []float64{1, 2, 4}, 3
	}
	if len(p.Levels) == 0 {
		p.Levels = levels
	}
	if p.Repeats == 0 {
		p.Repeats = repeats
	}
	if p.Baselines == 0 {
		p.Baselines = 8
	}
	if p.Timeout == 0 {
		p.Timeout = defaultTimeout
	}
	if p.Report == nil {
		p.Report = func(journal.Progress) {}
	}
	return nil
}

// choose runs the program once with probes in all functions and returns the
// modules that are worth delaying.
func (p *Plan) choose(ctx context.Context, program front, dir string, r *Result) ([]string, error) {
	p.Report(journal.Progress{Fact: "building with probes"})
	s, launch, err := program.probe(ctx, func(name string) bool { return len(p.Only) == 0 || slices.Contains(p.Only, name) })
	if err != nil {
		return nil, err
	}
	for _, name := range p.Only {
		if !slices.Contains(s.names, name) {
			return nil, fmt.Errorf("prolong: the program has no module %q; it has %s", name, strings.Join(s.names, ", "))
		}
	}
	p.Report(journal.Progress{Fact: "a run to see which modules matter"})
	run, err := subject{launch: launch, plan: *p, dir: dir, what: "all", kept: p.kept}.run(ctx, order{kind: p.Kind})
	if err != nil {
		return nil, err
	}
	s.saw(run.calls)
	var chosen []string
	for i, name := range s.names {
		mean := time.Duration(run.time(i) * float64(time.Second))
		switch {
		case run.count[i] < leastExecutions:
			r.Skipped = append(r.Skipped, fmt.Sprintf("%s: executed %d times", name, run.count[i]))
		case mean < leastTime:
			r.Skipped = append(r.Skipped, fmt.Sprintf("%s: takes %v, too short for a clock", name, mean))
		case len(p.Only) == 0 && p.Granularity == Function && len(s.callers[i]) >= sharedRoutine:
			r.Skipped = append(r.Skipped, fmt.Sprintf("%s: a routine that %d modules call is part of them", name, len(s.callers[i])))
		default:
			chosen = append(chosen, name)
		}
	}
	if len(chosen) < 2 {
		return nil, fmt.Errorf("prolong: %d modules can be delayed, at least 2 are needed (%s)", len(chosen), strings.Join(r.Skipped, "; "))
	}
	return chosen, nil
}

// step is one run of the plan.
type step struct {
	module int // factor.Nothing: none
	level  float64
	kind   Kind
}

// steps are the runs of the plan in random order.
func (p *Plan) steps(modules int) []step {
	of := []Kind{p.Kind}
	if p.Kind == Memory {
		of = []Kind{Memory, Busy} // what a busy delay does as well, memory does not carry
	}
	var steps []step
	for range p.Baselines {
		steps = append(steps, step{factor.Nothing, 0, p.Kind})
	}
	for i := range modules {
		for _, level := range p.Levels {
			for range p.Repeats {
				for _, kind := range of {
					steps = append(steps, step{i, level, kind})
				}
			}
		}
	}
	rand.New(rand.NewPCG(p.Seed, 0)).Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
	return steps
}

// delayOf is the delay of a module at a level: from the grain of a sleep on where it is
// not far below.
func (p *Plan) delayOf(first *observed, module int, level float64) delay {
	d := delay{module: module, seconds: level * first.time(module)}
	if least := leastDelay.Seconds(); p.Kind == Sleep && d.seconds > least/2 && d.seconds < least {
		d.seconds = least
	}
	if !p.AtEntry {
		d.places = first.places(module)
	}
	return d
}

// measure makes the runs in random order. What modules take without delays comes
// first, since the levels are relative to it.
func (p *Plan) measure(ctx context.Context, exe subject, s *structure, r *Result) error {
	first, err := exe.run(ctx, order{watch: true, kind: p.Kind})
	if err != nil {
		return err
	}
	s.saw(first.calls)
	r.Experiment.Calls = s.calls
	r.Experiment.Carriers = s.carriers(first)
	steps := p.steps(len(s.names))
	pace := p.kept.Pace(make([][]float64, len(steps)))
	for _, step := range steps {
		order, fact := order{kind: step.kind}, "no delay"
		if step.module != factor.Nothing {
			d := p.delayOf(first, step.module, step.level)
			order.delays = []delay{d}
			fact = fmt.Sprintf("%s by %v", s.names[step.module], time.Duration(d.seconds*float64(time.Second)).Round(10*time.Microsecond))
			if p.Kind == Memory {
				fact += ", " + string(step.kind)
			}
		}
		p.Report(pace.Now(fact))
		seen, err := exe.run(ctx, order)
		pace.Step()
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			r.Failed = append(r.Failed, fmt.Sprintf("%s: %v", fact, err))
			continue
		}
		run := factor.Run{Module: step.module, Elapsed: seen.elapsed, Loaded: seen.loaded, Control: step.kind != p.Kind}
		for i := range s.names {
			run.Times = append(run.Times, seen.time(i))
		}
		if step.module != factor.Nothing {
			run.Delay = seen.taken[step.module] / float64(seen.count[step.module])
		}
		if i := slices.IndexFunc(run.Times, func(t float64) bool { return !(t > 0) }); i >= 0 {
			r.Failed = append(r.Failed, fmt.Sprintf("%s: module %s was not executed", fact, s.names[i]))
			continue
		}
		r.Experiment.Runs = append(r.Experiment.Runs, run)
	}
	p.Report(pace.Now(""))
	if len(r.Experiment.Runs) < len(steps)/2 {
		return errors.New("prolong: more than half of the runs failed: " + strings.Join(r.Failed[:min(len(r.Failed), 3)], "; "))
	}
	return nil
}

const (
	// leastShare of the executions of a module must acquire a lock at a site for
	// delays to be put there.
	leastShare = 0.1
	// leastHeld is the share of its time for which a module must hold a lock
	// acquired at a site: a counter's mutex, held for next to nothing, carries no
	// dependency unless it is prolonged.
	leastHeld = 0.05
)

// holds reports whether a module holds a lock long enough to matter.
func (o *observed) holds(a acquisition) bool { return a.held >= leastHeld*o.spent[a.module] }

// places returns the sites at which executions of a module acquire locks,
// themselves or in what they call.
func (o *observed) places(module int) []int {
	var out []int
	for _, a := range o.acquired {
		if a.module == module && float64(a.count) >= leastShare*float64(o.count[module]) && o.holds(a) {
			out = append(out, a.site)
		}
	}
	slices.Sort(out)
	return out
}

// carriers returns the names of the locks that each module acquires, itself or
// in what it calls, if any module holds them long enough; one name for each lock.
func (s *structure) carriers(o *observed) [][]string {
	names := map[int64][]string{} // by object
	held := map[string]bool{}     // by name
	for _, a := range o.objects {
		names[a.object] = append(names[a.object], s.site(a.site))
	}
	long := map[int]bool{} // sites
	for _, a := range o.acquired {
		long[a.site] = long[a.site] || o.holds(a)
	}
	name := func(a acquisition) string { return "lock " + lockNames(names[a.object]) }
	for _, a := range o.objects {
		held[name(a)] = held[name(a)] || long[a.site]
	}
	out := make([][]string, len(s.names))
	for _, a := range o.objects {
		if name := name(a); held[name] && !slices.Contains(out[a.module], name) {
			out[a.module] = append(out[a.module], name)
		}
	}
	for i := range out {
		slices.Sort(out[i])
	}
	return out
}

func shared(dir string) string { return filepath.Join(dir, "shared") }
