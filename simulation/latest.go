package simulation

import (
	"context"
	"sync"
	"time"

	units "tierscope/core/quantity"
)

// grace is how long a cancelled run may take to put together what it has. A
// large model may need longer to be compiled, to start a replication, or to be
// summed up than the 200 ms that are promised; then nobody waits for it.
const grace = 100 * time.Millisecond

// latest passes the reports of a run on and remembers the result of the last
// one, until the run is abandoned.
type latest struct {
	mu        sync.Mutex
	report    func(Progress)
	partial   *Result
	nothing   *Result // the result of a run that was interrupted before it had any
	abandoned bool
}

// await runs simulate and returns its answer. When ctx ends and grace has
// passed it returns the latest result instead; simulate then goes on until it
// next looks at ctx, without being heard of any more.
func (l *latest) await(ctx context.Context, simulate func() (*Result, error)) (*Result, error) {
	type answer struct {
		result *Result
		err    error
	}
	done := make(chan answer, 1)
	go func() {
		r, err := simulate()
		done <- answer{r, err}
	}()
	select {
	case a := <-done:
		return a.result, a.err
	case <-ctx.Done():
	}
	select {
	case a := <-done:
		return a.result, a.err
	case <-time.After(grace):
		return l.abandon(), nil
	}
}

func (l *latest) progress(p Progress) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.abandoned {
		l.partial = p.Partial
		l.report(p)
	}
}

func (l *latest) abandon() *Result {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.abandoned = true
	if l.partial == nil {
		return l.nothing
	}
	r := *l.partial
	r.Interrupted = true
	r.Warnings = append(r.Warnings[:len(r.Warnings):len(r.Warnings)], "interrupted after "+units.Plural(r.Replications, "replication"))
	return &r
}
