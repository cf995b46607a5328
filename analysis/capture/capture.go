package capture

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"tierscope/analysis/java/hotspot"
	"tierscope/analysis/journal"
	"tierscope/analysis/native"
	"tierscope/analysis/regress"
	"tierscope/analysis/trace"
	"tierscope/project/scratch"
)

// Plan says what to capture.
type Plan struct {
	Program string // folder or import path of a Go main package; java, or a jar; or an executable
	Inputs  []Input
	Env     []string      // of all runs
	Repeats int           // runs for the clocks, of which the least disturbed counts; 0: 3, and more of short ones
	Timeout time.Duration // of a run, 0: 5 minutes
	Exit    int           // status with which the program ends when all is well
	// Simulate counts instructions, branches and cache misses in a simulated processor,
	// where the machine has no counters for them.
	Simulate bool
	Report   func(journal.Progress)
	// Done is called with the result before the runs behind it are forgotten; if it fails, they are kept. May be nil.
	Done func(*Result) error

	most int // runs of short ones
	kept *journal.Journal
}

// Input is what the program is given in a run.
type Input struct {
	Args    []string
	Env     []string // NAME=VALUE, besides that of the plan
	Stdin   string   // file that is the standard input; "": there is none
	Prepare string   // shell command before every run, such as one that generates a file
	// Given are numbers that vary among the inputs, by the names under which they were asked for. They are variables beside those of
	// the program, and so are the sizes of files.
	Given map[string]float64
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

// Run puts probes into the program, or records an executable, and runs it with every input. Inputs with
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
		p.Report = func(journal.Progress) {}
	}
	dir, err := os.MkdirTemp("", scratch.Name("", "tierscope-capture-"))
	if err != nil {
		return nil, fmt.Errorf("capture: %w", err)
	}
	defer os.RemoveAll(dir)
	if native.IsExecutable(p.Program) && !hotspot.Runs(p.Program) {
		return p.compiled(ctx, dir)
	}
	p.Report(journal.Progress{Planned: len(p.Inputs), Fact: "building with probes"})
	out := &Result{Sources: map[string]string{}}
	subject, err := p.subject(ctx, dir, out)
	if err != nil {
		return nil, err
	}
	if len(subject.threads) == 0 {
		return nil, errors.New("capture: the program has no go statement of its own, or no body of a thread: there is no thread to profile")
	}
	kept, err := journal.Open("capture", fmt.Sprint(p.Program, p.Inputs, p.Env, p.Repeats, p.Simulate), subject.state)
	if err != nil {
		return nil, err
	}
	defer kept.Close()
	if n := kept.Known(); n > 0 {
		p.Report(journal.Progress{Planned: len(p.Inputs), Fact: fmt.Sprintf("%d runs of the same capture, which was cut off, are used", n)})
	}
	p.kept = kept
	c := collector{sites: subject.sites, threads: subject.threads, result: out, hits: make([]int64, len(subject.sites)), identities: map[string]bool{}, program: subject.name}
	if err := p.each(ctx, out, func(i int, in Input) error { return p.input(ctx, &c, subject, i, in) }); err != nil {
		return nil, err
	}
	c.filter()
	return out, p.finish(out)
}

// finish forgets the runs when what they showed is safe.
func (p Plan) finish(out *Result) error {
	if p.Done != nil {
		if err := p.Done(out); err != nil {
			return err
		}
	}
	return p.kept.Finish()
}

// each takes one input after the other and notes those with which the program fails.
func (p Plan) each(ctx context.Context, out *Result, take func(number int, in Input) error) error {
	pace := p.kept.Pace(p.given())
	for i, in := range p.Inputs {
		p.Report(pace.Now(in.String()))
		if err := take(i, in); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			out.Failed = append(out.Failed, fmt.Sprintf("%s: %v", in, err))
		}
		pace.Step()
	}
	p.Report(pace.Now(""))
	if len(out.Rows) == 0 {
		return fmt.Errorf("capture: no run gave a row: %s", strings.Join(out.Failed[:min(len(out.Failed), 3)], "; "))
	}
	return nil
}

// given are the numbers of each input, in one order; what an input does not have is 0.
func (p Plan) given() [][]float64 {
	names := map[string]bool{}
	for _, in := range p.Inputs {
		for name := range in.Given {
			names[name] = true
		}
	}
	order := slices.Sorted(maps.Keys(names))
	all := make([][]float64, len(p.Inputs))
	for i, in := range p.Inputs {
		for _, name := range order {
			all[i] = append(all[i], in.Given[name])
		}
	}
	return all
}

// subject is a program with probes.
type subject struct {
	name    string
	state   string   // identifies the program as it is
	sites   []string // names of variables
	threads []string // kinds of threads
	clocks  runner
	beside  []runner // that count or simulate
}

// runner runs the program with an input, and returns what its probes wrote.
type runner struct {
	name string
	run  func(ctx context.Context, in Input) (string, error)
}

// subject puts probes into the program.
func (p Plan) subject(ctx context.Context, dir string, r *Result) (*subject, error) {
	if hotspot.Runs(p.Program) {
		return newJava(ctx, p, dir)
	}
	return newGo(ctx, p, dir, r)
}

// input makes the runs with one input and adds their rows.
func (p Plan) input(ctx context.Context, c *collector, s *subject, number int, in Input) error {
	var clocked []*record
	spent := 0.0
	for k := 0; k < p.Repeats || k < p.most && spent < shortRuns.Seconds(); k++ {
		began := time.Now()
		rec, took, err := p.record(ctx, number, s.clocks, in)
		if err != nil {
			return err
		}
		spent += max(took, time.Since(began).Seconds())
		clocked = append(clocked, rec)
	}
	var beside []*record
	for _, r := range s.beside {
		rec, _, err := p.record(ctx, number, r, in)
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		beside = append(beside, rec)
	}
	return c.add(number, in, clocked, beside...)
}

// written is what a run wrote, the seconds that it took, and the sizes of the files that it was given.
type written struct {
	Text  string             `json:"text"`
	Took  float64            `json:"took_s"`
	Sizes map[string]float64 `json:"sizes,omitempty"`
}

// record makes a run, or takes it from the journal.
func (p Plan) record(ctx context.Context, input int, r runner, in Input) (*record, float64, error) {
	w, err := journal.Do(p.kept, fmt.Sprint("input ", input, " ", r.name), func() (written, error) {
		if err := (trace.Workload{Prepare: in.Prepare}).GetReady(ctx); err != nil {
			return written{}, err
		}
		began, sizes := time.Now(), in.sizes()
		text, err := r.run(ctx, in)
		return written{text, time.Since(began).Seconds(), sizes}, err
	})
	if err != nil {
		return nil, 0, err
	}
	rec, err := parse(w.Text)
	if err == nil {
		rec.sizes = w.Sizes
	}
	return rec, w.Took, err
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
	for id, name := range c.sites {
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
