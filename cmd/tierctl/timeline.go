package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"tierscope/core/quantity"
	"tierscope/project"
	"tierscope/simulation/timeline"
)

// writeTimeline writes a recording for ui.perfetto.dev.
func writeTimeline(t *terminal, path string, r *timeline.Recording) error {
	if r == nil {
		return errors.New("--timeline: no replication was simulated")
	}
	if _, err := os.Stat(filepath.Dir(path)); err != nil { // a folder that is misspelt is not made
		return fmt.Errorf("--timeline: %w", err)
	}
	if err := project.WriteTo(path, func(w io.Writer) error { return r.Write(w, path) }); err != nil {
		return fmt.Errorf("--timeline: %w", err)
	}
	spans := 0
	for _, l := range r.Lanes {
		spans += len(l.Spans)
	}
	fmt.Fprintf(t.err, "%s: %d spans up to %s; open it at https://ui.perfetto.dev\n", path, spans, quantity.Format(r.Until.Seconds(), "s"))
	return nil
}
