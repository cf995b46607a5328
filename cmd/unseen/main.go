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
	flag.StringVar(&r.results, "results", "", "`folder` for a result file of each program, for the pages of docs; empty: none")
	flag.StringVar(&r.commit, "commit", "", "`hash` of the commit that tierctl was built of")
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
	results := filepath.Join(r.folder, "results.jsonl")
	rows, err := load(results)
	if err != nil {
		return err
	}
	asked := r.asked(programs, rows, flag.Args())
	if !r.kept {
		if err := r.compile(ctx, asked); err != nil {
			return err
		}
	}
	for _, p := range asked {
		o := r.one(ctx, p)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		fmt.Printf("%s: %s, grade %s\n", p.title(), o.structure(), dash(o.Trust.Grade))
		rows = with(rows, o.keep(r.commit), programs)
		if err := save(results, rows); err != nil {
			return err
		}
	}
	fmt.Println(summary(rows))
	if err := project.WriteFile(filepath.Join(r.folder, "RESULTS.md"), []byte(page(rows, programs))); err != nil {
		return err
	}
	if float64(right(rows)) < enough*float64(len(rows)) {
		return fmt.Errorf("the structure is right for %d of %d programs only", right(rows), len(rows))
	}
	return nil
}

// asked are the programs that are analysed and measured: those that are named, otherwise those of which nothing is kept of this commit.
func (r *runner) asked(all []program, rows []row, names []string) (out []program) {
	for _, p := range all {
		switch {
		case r.kept && !r.has(p):
		case len(names) > 0 && !slices.Contains(names, p.Name):
		case len(names) == 0 && !r.kept && r.commit != "" && slices.ContainsFunc(rows, func(x row) bool {
			return x.Program == p.title() && x.Commit == r.commit && x.Errors != nil
		}):
		default:
			out = append(out, p)
		}
	}
	return out
}
