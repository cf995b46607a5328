package capture

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tierscope/analysis/journal"
	"tierscope/analysis/native"
	"tierscope/analysis/settings"
	"tierscope/analysis/trace"
	"tierscope/core"
)

// A program that is compiled for the machine has no source to put statements into. What it is given is its variables: the
// numbers on the command line and in the environment, and the sizes of the files that are named there. What its threads do is
// recorded from outside (package native): a kind of thread is the function at which it starts.

// compiledRun is what one run showed.
type compiledRun struct {
	Variables map[string]float64 `json:"variables"`
	Sizes     map[string]float64 `json:"sizes"`
	Threads   []compiledThread   `json:"threads"`
}

type compiledThread struct {
	Kind       string             `json:"kind"`
	Behaviours map[string]float64 `json:"behaviours"`
}

// Behaviours that a recording counts besides the clocks.
const (
	cpuTime   = "cpu_s"
	ioTime    = "io_s"
	lockings  = "locks"
	blockings = "waits"
	fileBytes = "file_bytes"
)

// sourceOf says what measures a behaviour.
func sourceOf(behaviour string) string {
	switch behaviour {
	case wallTime, cpuTime, syncTime, ioTime:
		return "clock"
	case lockings, blockings, fileBytes:
		return "counted"
	}
	return "simulated"
}

// compiled captures an executable.
func (p Plan) compiled(ctx context.Context, dir string) (*Result, error) {
	st, err := os.Stat(p.Program)
	if err != nil {
		return nil, fmt.Errorf("capture: %w", err)
	}
	if p.kept, err = journal.Open("capture", fmt.Sprint(p.Program, p.Inputs, p.Env, p.Repeats, p.Simulate), st.ModTime().String()); err != nil {
		return nil, err
	}
	defer p.kept.Close()
	var simulator *simulator
	if p.Simulate {
		if simulator, err = findSimulator(); err != nil {
			return nil, err
		}
	}
	out := &Result{Sources: map[string]string{}}
	c := collector{result: out, identities: map[string]bool{}, program: filepath.Base(p.Program)}
	if err := p.each(ctx, out, func(i int, in Input) error { return p.compiledInput(ctx, &c, simulator, dir, i, in) }); err != nil {
		return nil, err
	}
	c.filter()
	return out, p.finish(out)
}

// compiledInput makes the runs with one input and adds their rows.
func (p Plan) compiledInput(ctx context.Context, c *collector, sim *simulator, dir string, number int, in Input) error {
	w := in.workload(p.Program, p.Env)
	w.ExitStatus = p.Exit
	var clocked, beside []*record
	for range p.Repeats {
		run, err := journal.Do(p.kept, fmt.Sprint("input ", number), func() (compiledRun, error) {
			t, err := native.Target{Timeout: p.Timeout}.Watch(ctx, w, dir)
			if err != nil {
				return compiledRun{}, err
			}
			return compiledRun{numbers(&w), in.sizes(), threadsOf(t)}, nil
		})
		if err != nil {
			return err
		}
		clocked = append(clocked, c.compiled(run))
	}
	if sim != nil {
		run, err := journal.Do(p.kept, fmt.Sprint("input ", number, " simulated"), func() (compiledRun, error) {
			if err := w.GetReady(ctx); err != nil {
				return compiledRun{}, err
			}
			counts, err := sim.threads(ctx, p, dir, in)
			return compiledRun{Threads: counts}, err
		})
		if err != nil {
			return err
		}
		first := clocked[0].threads
		if len(run.Threads) != len(first) {
			return fmt.Errorf("in the simulator the program has %d threads, otherwise %d", len(run.Threads), len(first))
		}
		for i := range run.Threads { // in the order in which they were made
			run.Threads[i].Kind = c.threads[first[i].kind]
		}
		beside = append(beside, c.compiled(run))
	}
	return c.add(number, in, clocked, beside...)
}

// workload is the run with an input.
func (in Input) workload(program string, env []string) trace.Workload {
	w := trace.Workload{Program: program, Args: in.Args, Stdin: in.Stdin, Prepare: in.Prepare, Env: map[string]string{}}
	for _, e := range slices.Concat(env, in.Env) {
		name, value, _ := strings.Cut(e, "=")
		w.Env[name] = value
	}
	return w
}

// numbers are those on the command line and in the environment, by their names.
func numbers(w *trace.Workload) map[string]float64 {
	out := map[string]float64{}
	for _, n := range settings.Numbers(w) {
		out[givenName(n.Name)] = float64(n.Value)
	}
	return out
}

// threadsOf are the threads of a recorded run in the order in which they were made, the main thread first.
func threadsOf(t *trace.Trace) (out []compiledThread) {
	for i := range t.Threads {
		th := &t.Threads[i]
		b := map[string]float64{lockings: 0, blockings: 0, fileBytes: 0}
		ended, last := th.Ended, int64(0)
		if ended == 0 {
			ended = t.End
		}
		for k := range th.Records {
			r := &th.Records[k]
			last = max(last, r.CPU)
			end, ok := trace.EndOf(th.Records, k)
			if r.End || !ok {
				continue
			}
			waited := float64(max(end.Time-r.Time-(end.CPU-r.CPU), 0)) * 1e-9
			switch r.Op.Class() {
			case core.IOFragment, core.DelayFragment:
				b[ioTime] += waited
			case core.SyncFragment, core.JoinFragment:
				b[syncTime] += waited
			default:
			}
			switch r.Op {
			case trace.OpLock, trace.OpRLock, trace.OpTryLock, trace.OpTryRLock:
				b[lockings]++
			case trace.OpCondWait, trace.OpAcquire, trace.OpPark, trace.OpBarrier:
				b[blockings]++
			case trace.OpFileRead, trace.OpFileWrite:
				b[fileBytes] += math.Max(float64(end.Arg), 0)
			default:
			}
		}
		b[wallTime], b[cpuTime] = float64(ended-th.Born)*1e-9, float64(last)*1e-9
		out = append(out, compiledThread{th.Start, b})
	}
	return out
}

// compiled makes a record of a run, and notes variables and kinds of threads that are new.
func (c *collector) compiled(run compiledRun) *record {
	index := func(list *[]string, name string) int {
		i := slices.Index(*list, name)
		if i < 0 {
			i = len(*list)
			*list = append(*list, name)
		}
		return i
	}
	r := &record{variables: map[int]variable{}, sizes: run.Sizes}
	for _, name := range slices.Sorted(maps.Keys(run.Variables)) {
		r.variables[index(&c.sites, name)] = variable{1, run.Variables[name]}
	}
	for len(c.hits) < len(c.sites) {
		c.hits = append(c.hits, 0)
	}
	alive := map[string]float64{}
	for _, t := range run.Threads {
		alive[t.Kind]++
	}
	for _, t := range run.Threads {
		of := threadRecord{kind: index(&c.threads, t.Kind), alive: alive[t.Kind], behaviours: t.Behaviours, sources: map[string]string{}}
		for name := range t.Behaviours {
			of.sources[name] = sourceOf(name)
		}
		r.threads = append(r.threads, of)
	}
	return r
}

// threads runs the program in the simulator and returns what each thread did, in the order in which they were made.
func (s *simulator) threads(ctx context.Context, p Plan, dir string, in Input) ([]compiledThread, error) {
	files, err := s.profiles(ctx, p, p.Program, dir, in, append(slices.Concat(os.Environ(), p.Env), in.Env...))
	if err != nil {
		return nil, err
	}
	var out []compiledThread
	for _, name := range files {
		_, totals, err := profile(name)
		if err != nil {
			return nil, fmt.Errorf("in the simulator: %s: %w", filepath.Base(name), err)
		}
		out = append(out, compiledThread{Behaviours: totals})
	}
	if len(out) == 0 {
		return nil, errors.New("the simulator wrote nothing")
	}
	return out, nil
}
