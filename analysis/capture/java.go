package capture

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"tierscope/analysis/java"
	"tierscope/analysis/journal"
	"tierscope/analysis/trace"
)

// javaProgram is a Java program with probes in the classes that it loads.
type javaProgram struct {
	plan    Plan
	threads *java.Threads
}

// newJava runs the program once, with its first input, to see which classes it loads.
func newJava(ctx context.Context, p Plan, dir string) (*subject, error) {
	if p.Simulate {
		return nil, fmt.Errorf("capture: a JVM is not simulated: leave --simulate out for Java programs")
	}
	j := javaProgram{plan: p}
	w, err := j.workload(p.Inputs[0])
	if err != nil {
		return nil, err
	}
	if err := w.GetReady(ctx); err != nil {
		return nil, err
	}
	if j.threads, err = (java.Target{Timeout: p.Timeout}).Threads(ctx, w, dir); err != nil {
		return nil, err
	}
	return &subject{name: nameOf(p.Inputs[0].Args), state: stateOf(p), sites: j.threads.Variables, threads: j.threads.Kinds,
		clocks: j.runner("clocks", false), beside: []runner{j.runner("steps", true)}}, nil
}

// nameOf is the main class of a java command, or its jar.
func nameOf(args []string) string {
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "-cp" || a == "-classpath" || a == "--class-path":
			i++
		case a == "-jar" && i+1 < len(args):
			return strings.TrimSuffix(filepath.Base(args[i+1]), ".jar")
		case !strings.HasPrefix(a, "-"):
			return a
		}
	}
	return "java"
}

// stateOf is that of the files that the command names.
func stateOf(p Plan) string {
	var paths []string
	for _, argument := range append([]string{p.Program}, p.Inputs[0].Args...) {
		for _, path := range filepath.SplitList(argument) {
			if _, err := os.Stat(path); err == nil {
				paths = append(paths, path)
			}
		}
	}
	return journal.State(paths...)
}

func (j javaProgram) workload(in Input) (trace.Workload, error) {
	w := trace.Workload{Program: j.plan.Program, Args: in.Args, Stdin: in.Stdin, Env: map[string]string{}, ExitStatus: j.plan.Exit}
	for _, e := range append(append([]string{}, j.plan.Env...), in.Env...) {
		name, value, ok := strings.Cut(e, "=")
		if !ok {
			return w, fmt.Errorf("capture: environment %q: want NAME=VALUE", e)
		}
		w.Env[name] = value
	}
	return w, nil
}

func (j javaProgram) runner(name string, count bool) runner {
	return runner{name, func(ctx context.Context, in Input) (string, error) {
		w, err := j.workload(in)
		if err != nil {
			return "", err
		}
		return j.threads.Run(ctx, w, count)
	}}
}
