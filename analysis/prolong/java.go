package prolong

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

// javaProgram is a Java program in whose classes probes are put when they are loaded.
type javaProgram struct {
	plan     Plan
	dir      string
	workload trace.Workload
	modules  *java.Modules // nil before the first run
}

func newJava(p Plan, dir string) (*javaProgram, error) {
	j := &javaProgram{plan: p, dir: dir, workload: trace.Workload{Program: p.Program, Args: p.Args, Env: map[string]string{}}}
	for _, e := range p.Env {
		name, value, ok := strings.Cut(e, "=")
		if !ok {
			return nil, fmt.Errorf("prolong: environment %q: want NAME=VALUE", e)
		}
		j.workload.Env[name] = value
	}
	return j, nil
}

// state is that of the files that the command names: jars, and folders of classes.
func (j *javaProgram) state() string {
	var paths []string
	for _, argument := range append([]string{j.plan.Program}, j.plan.Args...) {
		for _, path := range filepath.SplitList(argument) {
			if _, err := os.Stat(path); err == nil {
				paths = append(paths, path)
			}
		}
	}
	return journal.State(paths...)
}

func (j *javaProgram) probe(ctx context.Context, keep func(string) bool) (*structure, launcher, error) {
	if j.modules == nil {
		var err error
		if j.modules, err = (java.Target{Timeout: j.plan.Timeout}).Modules(ctx, j.workload, j.dir); err != nil {
			return nil, nil, err
		}
	}
	s := &structure{site: func(number int) string { return j.modules.Sites[number] }}
	index := map[string]int{}
	err := j.modules.Probe(func(m java.Method) (int, bool) {
		name := j.moduleOf(m)
		if m.Once() || !keep(name) {
			return 0, false
		}
		if _, ok := index[name]; !ok {
			index[name] = len(s.names)
			s.names = append(s.names, name)
		}
		return index[name], true
	})
	if err != nil {
		return nil, nil, err
	}
	module, direct := map[int]int{}, map[int]map[int]bool{}
	for i, m := range j.modules.List {
		if id, ok := index[j.moduleOf(m)]; ok && !m.Once() {
			module[i] = id
		}
		direct[i] = map[int]bool{}
		for _, to := range m.Calls {
			direct[i][to] = true
		}
	}
	link(s, module, direct)
	return s, func(ctx context.Context, file string) (ended, error) {
		wall, cpu, err := j.modules.Run(ctx, j.workload, file)
		return ended{wall: wall, cpu: cpu}, err
	}, nil
}

// moduleOf is the module of a method.
func (j *javaProgram) moduleOf(m java.Method) string {
	switch j.plan.Granularity {
	case File:
		return m.File
	case Package:
		return m.Package
	case Function:
	}
	return m.Name
}
