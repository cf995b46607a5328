package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"

	"tierscope/project"
)

// Where the results are, below the root of the module.
const (
	tablePlace = "testdata/sensitivity.json"
	pagePlace  = "docs/sensitivity.md"
)

const usage = "usage: sensitivity list | measure [CONSTANT…] | page   (in the root of the module)"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "sensitivity:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	switch {
	case len(args) == 1 && args[0] == "list":
		return list(root)
	case len(args) >= 1 && args[0] == "measure":
		return errors.Join(measure(ctx, root, args[1:]), page(root))
	case len(args) == 1 && args[0] == "page":
		return page(root)
	}
	return errors.New(usage)
}

func list(root string) error {
	all, err := Find(root, os.Environ(), rooms)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, c := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\n", c.Class, c.ID, c.Value)
	}
	return w.Flush()
}

// measure measures all thresholds, or those that are named, and writes the table.
func measure(ctx context.Context, root string, ids []string) error {
	all, err := Find(root, os.Environ(), rooms)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(c Constant) bool { return !c.Decides() })
	former, err := ReadTable(root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	home, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	l, err := newLaboratory(ctx, root, filepath.Join(home, "tierscope-sensitivity"))
	if err != nil {
		return err
	}
	commit, err := commitOf(ctx, root)
	if err != nil {
		return err
	}
	m := measurement{l, commit, os.Stderr, ids}
	t, err := m.table(ctx, all, former)
	errs := []error{err, project.Save(filepath.Join(root, tablePlace), TableFormat, &t)}
	if err == nil {
		errs = append(errs, l.clean())
	}
	return errors.Join(errs...)
}

// commitOf is the commit of the source, with a + if Go files are others.
func commitOf(ctx context.Context, root string) (string, error) {
	head, err := exec.CommandContext(ctx, "git", "-C", root, "rev-parse", "--short", "HEAD").Output()
	if err != nil {
		return "", fmt.Errorf("git rev-parse: %w", err)
	}
	changed, err := exec.CommandContext(ctx, "git", "-C", root, "diff", "--name-only", "HEAD", "--", "*.go").Output()
	if err != nil {
		return "", fmt.Errorf("git diff: %w", err)
	}
	commit := strings.TrimSpace(string(head))
	if len(changed) > 0 {
		commit += "+"
	}
	return commit, nil
}

// ReadTable reads the table of a module.
func ReadTable(root string) (Table, error) {
	var t Table
	err := project.Load(filepath.Join(root, tablePlace), TableFormat, &t)
	return t, err
}
