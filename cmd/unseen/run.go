//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"tierscope/analysis/stage"
	"tierscope/analysis/trust"
	"tierscope/core"
	"tierscope/measure/validate"
	"tierscope/project"
)

// outcome is what came of one program.
type outcome struct {
	program
	Model    *core.Model
	Trust    trust.Trust
	Failure  string    // of the analysis; "": it has a model
	Wrong    []string  // in which the model is not that of the program
	Errors   []float64 // of T, by configuration, signed
	Date     string    // of the measurement, YYYY-MM-DD
	Machine  string    // that it was made on
	Seconds  float64   // of the analysis, on the clock
	Megabyte float64   // that it had at most
}

// runner analyses and measures programs with one tierctl.
type runner struct {
	tierctl, work, folder, results string
	commit                         string // of tierctl
	kept                           bool
}

// cost is what an analysis cost, kept beside its project.
type cost struct {
	Seconds  float64 `json:"seconds"`
	Megabyte float64 `json:"megabyte"`
}

// home is the project of a program.
func (r *runner) home(p program) string {
	return filepath.Join(r.work, p.Language+"-"+p.Name+".tier")
}

// has reports whether the project and the measurements of a program are kept.
func (r *runner) has(p program) bool {
	for _, path := range []string{"model/model.json", "measured/measured.csv"} {
		if _, err := os.Stat(filepath.Join(r.home(p), path)); err != nil {
			return false
		}
	}
	return true
}

// one analyses a program, measures it, and holds both against what is known of it.
func (r *runner) one(ctx context.Context, p program) outcome {
	o := outcome{program: p}
	home := r.home(p)
	if err := r.analyse(ctx, p, home); err != nil {
		o.Failure = err.Error()
		return o
	}
	var c cost
	if text, err := os.ReadFile(home + ".cost"); err == nil && json.Unmarshal(text, &c) == nil {
		o.Seconds, o.Megabyte = c.Seconds, c.Megabyte
	}
	m, err := project.LoadModel(home)
	if err != nil {
		o.Failure = err.Error()
		return o
	}
	o.Model, o.Wrong = &m, p.differences(&m)
	if err := project.Load(filepath.Join(home, "analysis", "trust.json"), stage.TrustFormat, &o.Trust); err != nil {
		o.Failure = err.Error()
	}
	report, err := r.measure(ctx, p, home)
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", p.Name, err)
		return o
	}
	o.Machine, o.Date = report.Machine, report.Date[:min(len(report.Date), len(time.DateOnly))]
	for _, c := range report.Comparisons {
		if !math.IsNaN(c.Error) {
			o.Errors = append(o.Errors, c.Error)
		}
	}
	return o
}

// analyse makes the project of a program, unless it is there.
func (r *runner) analyse(ctx context.Context, p program, home string) error {
	if _, err := os.Stat(filepath.Join(home, "model", "model.json")); err == nil {
		return nil
	}
	_, c, err := r.run(ctx, slices.Concat([]string{"analyze", "-q", "--out", home}, r.command(p))...)
	if err != nil {
		return err
	}
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return project.WriteFile(home+".cost", text)
}

// command is what tierctl is told of a program, and of how it is run.
func (r *runner) command(p program) []string {
	switch p.Language {
	case "java":
		after := 0 // the options of the JVM
		for after < len(p.Args) && strings.HasPrefix(p.Args[after], "-") {
			after++
		}
		return slices.Concat([]string{"--target", "java", "java", "--", "-cp", r.compiled("java")}, p.Args[:after], []string{p.Name}, p.Args[after:])
	case "c":
		args := []string{"--target", "native"}
		for _, e := range p.Env {
			args = append(args, "--env", e)
		}
		return slices.Concat(args, []string{filepath.Join(r.compiled("c"), p.Name), "--"}, p.Args)
	default:
		return slices.Concat([]string{filepath.Join(r.folder, "go", p.Name), "--"}, p.Args)
	}
}

// measure measures a program over its grid, unless it was, and holds what is predicted against that.
func (r *runner) measure(ctx context.Context, p program, home string) (report validate.Report, err error) {
	args := []string{"measure", "-q", "--model", home, "--repeats", "2", "--priority", "high", "--grid", "cores=1,2"}
	for _, g := range p.Grid {
		args = append(args, "--grid", g)
	}
	if _, err := os.Stat(filepath.Join(home, "measured", "measured.csv")); err != nil {
		if _, _, err := r.run(ctx, args...); err != nil {
			return report, err
		}
	}
	text, _, err := r.run(ctx, "validate", "-q", "--metric", "T", "--format", "json", home)
	if err != nil {
		return report, err
	}
	if err := json.Unmarshal(text, &report); err != nil {
		return report, err
	}
	if err := r.record(ctx, p, home, text); err != nil {
		fmt.Fprintf(os.Stderr, "%s: no result file: %v\n", p.Name, err)
	}
	return report, nil
}

// record writes the result file of a program, if such are wanted, from what validate printed.
func (r *runner) record(ctx context.Context, p program, home string, text []byte) error {
	if r.results == "" {
		return nil
	}
	name := "unseen-" + p.Name
	if p.Language != "go" {
		name = "unseen-" + p.Language + "-" + strings.ToLower(p.Name)
	}
	record := exec.CommandContext(ctx, r.tierctl, "accuracy", "record", "-q", "--subject", name, "--title", p.Name, "--area", "unseen",
		"--project", home, "--load", "nothing else", "--commit", r.commit, r.results)
	record.Stdin, record.Stderr = bytes.NewReader(text), os.Stderr
	return record.Run()
}

// run executes tierctl and returns what it prints, and what it cost with all that it started.
func (r *runner) run(ctx context.Context, args ...string) ([]byte, cost, error) {
	const kilobytes = 1 << 10 // in a megabyte: getrusage(2) counts in the former
	begin := time.Now()
	var out, problems bytes.Buffer
	cmd := exec.CommandContext(ctx, r.tierctl, args...)
	cmd.Stdout, cmd.Stderr = &out, &problems
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	if err := cmd.Run(); err != nil {
		last := bytes.TrimSpace(problems.Bytes())
		return nil, cost{}, fmt.Errorf("tierctl %s: %w: %s", args[0], err, last[bytes.LastIndexByte(last, '\n')+1:])
	}
	c := cost{Seconds: time.Since(begin).Seconds()}
	if used, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		c.Megabyte = float64(used.Maxrss) / kilobytes
	}
	return out.Bytes(), c, nil
}
