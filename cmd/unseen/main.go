//go:build unix

package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"

	"tierscope/project"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := all(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "unseen:", err)
		os.Exit(1)
	}
}

// enough is the share of the programs whose structure has to be right. Convention: nine of ten.
const enough = 0.9

func all(ctx context.Context) error {
	var r runner
	flag.StringVar(&r.work, "work", ".cache/unseen", "`folder` of the projects")
	flag.StringVar(&r.tierctl, "tierctl", "bin/tierctl", "the program under test")
	flag.StringVar(&r.folder, "programs", "testdata/unseen", "`folder` of the programs, of what is known of them, and of the page")
	flag.StringVar(&r.results, "results", "", "`folder` for a result file of each program; empty: none")
	flag.StringVar(&r.commit, "commit", "", "`hash` of the commit that tierctl was built of, for the result files")
	flag.BoolVar(&r.kept, "kept", false, "run no program: those whose projects and measurements are kept count")
	flag.Parse()
	for _, path := range []*string{&r.work, &r.tierctl, &r.folder} {
		var err error
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	text, err := os.ReadFile(filepath.Join(r.folder, "programs.txt"))
	if err != nil {
		return err
	}
	programs, err := parse(string(text))
	if err != nil {
		return fmt.Errorf("programs.txt: %w", err)
	}
	if names := flag.Args(); len(names) > 0 {
		programs = slices.DeleteFunc(programs, func(p program) bool { return !slices.Contains(names, p.Name) })
	}
	if r.kept {
		programs = slices.DeleteFunc(programs, func(p program) bool { return !r.has(p) })
	} else if err := r.compile(ctx, programs); err != nil {
		return err
	}
	var of []outcome
	for _, p := range programs {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		o := r.one(ctx, p)
		fmt.Printf("%s %s: %s, grade %s\n", p.Language, p.Name, o.structure(), dash(o.Trust.Grade))
		of = append(of, o)
	}
	fmt.Println(summary(of))
	if flag.NArg() == 0 {
		if err := project.WriteFile(filepath.Join(r.folder, "RESULTS.md"), []byte(page(of))); err != nil {
			return err
		}
	}
	if float64(right(of)) < enough*float64(len(of)) {
		return fmt.Errorf("the structure is right for %d of %d programs only", right(of), len(of))
	}
	return nil
}
