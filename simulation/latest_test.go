package simulation

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// "Run(ctx, …) cancels within 200 ms … and returns what it has", however long
// the model keeps the simulator from looking at the context: here for an hour.
func TestACancelledRunDoesNotWaitForALargeModel(t *testing.T) {
	t.Parallel()
	m := shop()
	for _, c := range []struct {
		name    string
		partial *Result
		says    string
	}{
		{"before any result", nil, noResults},
		{"after some", &Result{Replications: 7, Warnings: []string{"first"}}, "interrupted after 7 replications"},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			heard := 0
			l := latest{report: func(Progress) { heard++ }, nothing: nothing(&m, nil, Options{})}
			began := time.Now()
			r, err := l.await(ctx, func() (*Result, error) {
				l.progress(Progress{Partial: c.partial})
				cancel()
				time.Sleep(time.Hour)
				l.progress(Progress{Partial: &Result{}})
				return nil, nil
			})
			if took := time.Since(began); took > 200*time.Millisecond {
				t.Errorf("%s: returns %v after it was cancelled", c.name, took)
			}
			if err != nil || !r.Interrupted || !strings.Contains(strings.Join(r.Warnings, "\n"), c.says) {
				t.Errorf("%s: %+v with error %v, want an interrupted result that says %q", c.name, r, err, c.says)
			}
			time.Sleep(2 * time.Hour)
			if heard != 1 {
				t.Errorf("%s: %d reports, want none after Run has returned", c.name, heard)
			}
			if c.partial != nil && len(c.partial.Warnings) != 1 {
				t.Errorf("%s: a partial result that was reported has changed: %q", c.name, c.partial.Warnings)
			}
		})
	}
}
