package capture

import (
	"bytes"
	"context"
	_ "embed" // for the probe
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tierscope/analysis/execution"
	"tierscope/analysis/golang/instrument"
	"tierscope/analysis/journal"
	"tierscope/analysis/regress"
	"tierscope/analysis/trace"
	"tierscope/project/scratch"
)

//go:embed probe.go.txt
var probe []byte

//go:embed msan.go.txt
var msan []byte

// Plan says what to capture.
type Plan struct {
	Program string // folder or import path of the main package
	Inputs  []Input
	Env     []string      // of all runs
	Repeats int           // runs for the clocks, of which the least disturbed counts; 0: 3, and more of short ones
	Timeout time.Duration // of a run, 0: 5 minutes
	// Simulate counts instructions, branches and cache misses in a simulated processor,
	// where the machine has no counters for them.
	Simulate bool
	Report   func(done, of int, fact string)

	most int // runs of short ones
	kept *journal.Journal
}

// Input is what the program is given in a run.
type Input struct {
	Args    []string
	Env     []string // NAME=VALUE, besides that of the plan
	Stdin   string   // file that is the standard input; "": there is none
	Prepare string   // shell command before every run, such as one that generates a file
}

// String is the input as a person would type it.
func (in Input) String() string {
	parts := slices.Clone(in.Env)
	if in.Prepare != "" {
		parts = append(parts, in.Prepare+";")
	}
	parts = append(parts, in.Args...)
	if in.Stdin != "" {
		parts = append(parts, "<", in.Stdin)
	}
	return strings.Join(parts, " ")
}

// Result is a profile with what was dropped on the way.
type Result struct {
	Rows     []regress.Row
	Dropped  []regress.Dropped // variables, with the filter
	Failed   []string          // inputs with which the program failed
	Warnings []string
	Sources  map[string]string // what measured each behaviour
}

const (
	defaultRepeats = 3
	shortRuns      = time.Second // for all runs of an input, in which as many are made as fit in,
	mostRepeats    = 12          // but no more than this
	defaultTimeout = 5 * time.Minute
	hot            = 0.01 // share of all assignments from which a place is a loop's work
)

// Run builds the program with probes and runs it with every input. Inputs with
// which it fails are left out; the rest continues.
func Run(ctx context.Context, p Plan) (*Result, error) {
	p.most = p.Repeats
	if p.Repeats == 0 {
		p.Repeats, p.most = defaultRepeats, mostRepeats
	}
	if p.Timeout == 0 {
		p.Timeout = defaultTimeout
	}
	if p.Report == nil {
		p.Report = func(int, int, string) {}
	}
	dir, err := os.MkdirTemp("", scratch.Name("", "tierscope-capture-"))
	if err != nil {
		return nil, fmt.Errorf("capture: %w", err)
	}
	defer os.RemoveAll(dir)
	p.Report(0, len(p.Inputs), "building with probes")
	program, err := instrument.Load(ctx, p.Program, p.Env)
	if err != nil {
		return nil, err
	}
	r := &recorder{p: program}
	r.insert()
	if len(r.threads) == 0 {
		return nil, errors.New("capture: the program has no go statement of its own: there is no thread to profile")
	}
	builds := builds{dir: dir}
	if builds.exe, err = program.Build(ctx, dir, r.probe(), instrument.Goroutine()...); err != nil {
		return nil, err
	}
	kept, err := journal.Open("capture", fmt.Sprint(p.Program, p.Inputs, p.Env, p.Repeats, p.Simulate), program.State())
	if err != nil {
		return nil, err
	}
	defer kept.Close()
	if n := kept.Known(); n > 0 {
		p.Report(0, len(p.Inputs), fmt.Sprintf("%d runs of the same capture, which was cut off, are used", n))
	}
	p.kept = kept
	out := &Result{Sources: map[string]string{}}
	if builds.accesses, err = accessBuild(ctx, program, dir); err != nil {
		out.Warnings = append(out.Warnings, "no counts of loads, stores and working set: "+err.Error())
	}
	if builds.steps, err = buildFor(ctx, program, dir, "steps", steps); err != nil {
		out.Warnings = append(out.Warnings, "no counts of loops and calls: "+err.Error())
	}
	if p.Simulate {
		if builds.simulator, err = findSimulator(); err != nil {
			return nil, err
		}
		if builds.bare, err = buildFor(ctx, program, dir, "bare", bare); err != nil {
			return nil, err
		}
	}
	c := collector{recorder: r, result: out, hits: make([]int64, len(r.sites)), identities: map[string]bool{}, program: filepath.Base(p.Program)}
	for i, input := range p.Inputs {
		p.Report(i, len(p.Inputs), input.String())
		if err := p.input(ctx, &c, builds, i, input); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			out.Failed = append(out.Failed, fmt.Sprintf("%s: %v", input, err))
		}
	}
	p.Report(len(p.Inputs), len(p.Inputs), "")
	if len(out.Rows) == 0 {
		return nil, fmt.Errorf("capture: no run gave a row: %s", strings.Join(out.Failed[:min(len(out.Failed), 3)], "; "))
	}
	c.filter()
	return out, kept.Finish()
}

// builds are what the runs of an input need.
type builds struct {
	dir       string
	exe       string
	accesses  string     // with counted accesses to memory; "": it cannot be built
	steps     string     // with counted loops and calls
	bare      string     // for the simulator
	simulator *simulator // nil: nothing is simulated
}

// input makes the runs with one input and adds their rows.
func (p Plan) input(ctx context.Context, c *collector, b builds, number int, in Input) error {
	var clocked []*record
	spent := 0.0
	for k := 0; k < p.Repeats || k < p.most && spent < shortRuns.Seconds(); k++ {
		began := time.Now()
		rec, took, err := p.record(fmt.Sprint("input ", number), func() (string, error) { return p.run(ctx, b, b.exe, in) })
		if err != nil {
			return err
		}
		spent += max(took, time.Since(began).Seconds())
		clocked = append(clocked, rec)
	}
	var beside []*record // what counts or simulates
	for _, exe := range []string{b.accesses, b.steps} {
		if exe == "" {
			continue
		}
		counted, _, err := p.record(fmt.Sprint("input ", number, " in ", filepath.Base(exe)), func() (string, error) { return p.run(ctx, b, exe, in) })
		if err != nil {
			return fmt.Errorf("with counters: %w", err)
		}
		beside = append(beside, counted)
	}
	if b.simulator != nil {
		simulated, _, err := p.record(fmt.Sprint("input ", number, " simulated"), func() (string, error) {
			env, err := p.prepare(ctx, b, in)
			if err != nil {
				return "", err
			}
			return b.simulator.run(ctx, p, b.bare, b.dir, in, env)
		})
		if err != nil {
			return err
		}
		beside = append(beside, simulated)
	}
	return c.add(number, in.String(), clocked, beside...)
}

// written is what a run wrote, and the seconds that it took.
type written struct {
	Text string  `json:"text"`
	Took float64 `json:"took_s"`
}

// record makes a run, or takes it from the journal.
func (p Plan) record(key string, run func() (string, error)) (*record, float64, error) {
	w, err := journal.Do(p.kept, key, func() (written, error) {
		began := time.Now()
		text, err := run()
		return written{text, time.Since(began).Seconds()}, err
	})
	if err != nil {
		return nil, 0, err
	}
	r, err := parse(w.Text)
	return r, w.Took, err
}

// prepare gets everything ready for a run, and returns its environment.
func (p Plan) prepare(ctx context.Context, b builds, in Input) ([]string, error) {
	const areaSize = 1 << 20
	if err := errors.Join(os.WriteFile(b.records(), nil, 0o600), os.WriteFile(b.area(), make([]byte, areaSize), 0o600)); err != nil {
		return nil, fmt.Errorf("capture: %w", err)
	}
	if err := (trace.Workload{Prepare: in.Prepare}).GetReady(ctx); err != nil {
		return nil, err
	}
	return append(slices.Concat(os.Environ(), p.Env, in.Env), "TIERSCOPE_CAPTURE="+b.records()), nil
}

func (b builds) records() string { return filepath.Join(b.dir, "records") }
func (b builds) area() string    { return filepath.Join(b.dir, "memory") }

// run runs one of the builds once and returns what the probe wrote.
func (p Plan) run(ctx context.Context, b builds, exe string, in Input) (string, error) {
	env, err := p.prepare(ctx, b, in)
	if err != nil {
		return "", err
	}
	switch exe {
	case b.accesses:
		env = append(env, "TIERSCOPE_MEMORY="+b.area())
	case b.steps:
		env = append(env, "TIERSCOPE_COUNT=1")
	}
	if _, _, err := (execution.Program{Path: exe, Args: in.Args, Stdin: in.Stdin, Env: env}).Finish(ctx, p.Timeout); err != nil {
		return "", err
	}
	data, err := os.ReadFile(b.records())
	if err != nil {
		return "", fmt.Errorf("capture: %w", err)
	}
	return string(data), nil
}

// WriteProfile writes rows as JSON lines, as regress.ReadProfile reads them.
func WriteProfile(rows []regress.Row) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	for _, r := range rows {
		if err := e.Encode(r); err != nil {
			return nil, fmt.Errorf("capture: %w", err)
		}
	}
	return b.Bytes(), nil
}

// filter applies filters 2 and 3 over all runs; the others are the recorder's.
func (c *collector) filter() {
	var all int64
	for _, h := range c.hits {
		all += h
	}
	rows := c.result.Rows
	threads := int64(0)
	for _, r := range rows {
		if r.Phase == "" {
			threads++
		}
	}
	for id, name := range c.names() {
		if name == "" {
			continue
		}
		values := map[float64]bool{}
		seen := false
		for _, r := range rows {
			if v, ok := r.Variables[name]; ok {
				seen = true
				values[v] = true
			}
		}
		var reason string
		switch {
		case !seen:
			continue
		case float64(c.hits[id]) > hot*float64(all) && c.hits[id] > threads*hotPerRun:
			reason = fmt.Sprintf("assigned %d times a run: a loop's work", c.hits[id]/int64(max(1, c.runs)))
		case c.identities[name]:
			reason = "differs between runs of the same input: it identifies, and is none"
		case len(values) == 1:
			reason = "constant"
		default:
			continue
		}
		c.result.Dropped = append(c.result.Dropped, regress.Dropped{Name: name, Reason: reason})
		for _, r := range rows {
			delete(r.Variables, name)
		}
	}
	slices.SortFunc(c.result.Dropped, func(a, b regress.Dropped) int { return strings.Compare(a.Name, b.Name) })
}

// hotPerRun keeps filter 2 from dropping variables of programs that make
// hardly any assignments before their first thread.
const hotPerRun = 4
