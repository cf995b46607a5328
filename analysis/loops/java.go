package loops

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tierscope/analysis/java"
	"tierscope/analysis/trace"
)

// javaProgram is a Java program with counters in the classes that it loads.
type javaProgram struct {
	plan  Plan
	loops *java.Loops
}

// newJava finds the classes in a run of the largest size at which the program
// works.
func newJava(ctx context.Context, p Plan, dir string) (*javaProgram, error) {
	j := &javaProgram{plan: p}
	tries := p.tries
	for _, n := range slices.Backward(slices.Sorted(slices.Values(p.Sizes))) {
		tries = append(tries, size(n))
	}
	var failures []error
	for _, at := range tries {
		w, err := j.workload(at)
		if err != nil {
			return nil, err
		}
		if j.loops, err = (java.Target{Timeout: p.Timeout}).Loops(ctx, w, dir); err == nil {
			return j, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		failures = append(failures, fmt.Errorf("at %v: %w", at, err))
	}
	return nil, fmt.Errorf("loops: the program ran at no size: %w", errors.Join(failures...))
}

func (j *javaProgram) workload(at sizes) (trace.Workload, error) {
	w := trace.Workload{Program: j.plan.Program, Args: sized(j.plan.Args, at), Env: map[string]string{}}
	for _, e := range sized(j.plan.Env, at) {
		name, value, ok := strings.Cut(e, "=")
		if !ok {
			return w, fmt.Errorf("loops: environment %q: want NAME=VALUE", e)
		}
		w.Env[name] = value
	}
	return w, nil
}

func (j *javaProgram) count(ctx context.Context, at sizes) ([]count, error) {
	w, err := j.workload(at)
	if err != nil {
		return nil, err
	}
	counted, err := j.loops.Run(ctx, w)
	if err != nil {
		return nil, err
	}
	var out []count
	for _, c := range counted {
		out = append(out, count{loop: c.Loop, function: j.position(c.Loop).function, chain: c.Chain, entries: c.Entries, iterations: c.Iterations})
	}
	return out, nil
}

func (j *javaProgram) position(loop int) position {
	l := j.loops.List[loop]
	return position{l.Function, l.File, l.Line}
}

func (j *javaProgram) warnings() []string {
	var out []string
	for _, s := range j.loops.Skipped {
		out = append(out, "not counted: "+s)
	}
	return out
}
