package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"tierscope/core"
	"tierscope/measure/accuracy"
	"tierscope/project"
)

// format is that of testdata/threads.json.
var format = core.Format{Name: "tierscope-threads", Version: 1}

const measured, results = "testdata/threads.json", "testdata/accuracy"

func main() {
	again := flag.Bool("measure", false, "measure anew")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := all(ctx, *again); err != nil {
		fmt.Fprintln(os.Stderr, "scheduling:", err)
		os.Exit(1)
	}
}

func all(ctx context.Context, again bool) error {
	if again {
		m, err := measure(ctx)
		if err != nil {
			return err
		}
		if err := project.Save(measured, format, m); err != nil {
			return err
		}
	}
	m, err := read(measured)
	if err != nil {
		return err
	}
	found, err := compare(ctx, m)
	if err != nil {
		return err
	}
	for _, r := range found {
		if err := project.Save(filepath.Join(results, r.Subject+".json"), accuracy.Format, r); err != nil {
			return err
		}
	}
	return nil
}
