package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"tierscope/core/quantity"
	"tierscope/simulation/timeline"
)

// writeTimeline writes a recording for ui.perfetto.dev: to a temporary name,
// synced, then renamed.
func writeTimeline(t *terminal, path string, r *timeline.Recording) error {
	if r == nil {
		return errors.New("--timeline: no replication was simulated")
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("--timeline: %w", err)
	}
	defer os.Remove(f.Name()) // there only if something failed
	if err := errors.Join(f.Chmod(0o644), r.WriteChrome(f), f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("--timeline: %w", err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return fmt.Errorf("--timeline: %w", err)
	}
	spans := 0
	for _, l := range r.Lanes {
		spans += len(l.Spans)
	}
	fmt.Fprintf(t.err, "%s: %d spans up to %s; open it at https://ui.perfetto.dev\n", path, spans, quantity.Format(r.Until.Seconds(), "s"))
	return nil
}
