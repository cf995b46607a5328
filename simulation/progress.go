package simulation

import (
	"math"
	"slices"
	"sync"
	"time"
)

// progressInterval is the least time between two reports: 30 a second; and
// progressShare bounds the share of the time that goes into making them.
const (
	progressInterval = time.Second / 30
	progressShare    = 0.05
)

// progress collects how far the replications are and reports it.
type progress struct {
	mu      sync.Mutex
	planned int // replications
	steps   int // slices of replications that are done
	done    map[int]outcome
	partial *Result   // of the last report
	next    time.Time // of a report, at the earliest
}

// plan says how many replications are expected in all.
func (p *progress) plan(n int) {
	p.mu.Lock()
	p.planned = n
	p.mu.Unlock()
}

// restart forgets what was simulated, which is done again in another length.
func (p *progress) restart() {
	p.mu.Lock()
	p.steps, p.done = 0, nil
	p.mu.Unlock()
}

// advanced counts one slice of a replication.
func (c *conductor) advanced() { c.report(func() { c.progress.steps++ }) }

// finished records a complete replication.
func (c *conductor) finished(index int, o outcome) {
	c.report(func() {
		if c.progress.done == nil {
			c.progress.done = map[int]outcome{}
		}
		c.progress.done[index] = o
	})
}

// report makes a change and tells the caller's Progress, if it is time.
func (c *conductor) report(change func()) {
	if c.options.Progress == nil {
		return
	}
	p := &c.progress
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
	now := time.Now()
	if now.Before(p.next) {
		return
	}
	c.options.Progress(c.state(now))
	cost := time.Since(now)
	p.next = now.Add(max(progressInterval, time.Duration(float64(cost)/progressShare)))
}

// state describes the progress; p.mu is held.
func (c *conductor) state(now time.Time) Progress {
	p := &c.progress
	s := Progress{
		Replications: len(p.done),
		Planned:      p.planned,
		Precision:    math.Inf(1),
		Elapsed:      now.Sub(c.began),
	}
	steps := max(p.steps, len(p.done)*slicesPerReplication)
	if c.options.BatchMeans {
		s.Done = float64(p.steps) / batches
	} else if p.planned > 0 {
		s.Done = min(float64(steps)/float64(p.planned*slicesPerReplication), 1)
	}
	if s.Done > 0 {
		s.Remaining = time.Duration(float64(s.Elapsed) * (1 - s.Done) / s.Done)
	}
	if len(p.done) > 0 {
		var done []outcome
		var indices []int
		for i := range p.done {
			indices = append(indices, i)
		}
		slices.Sort(indices)
		for _, i := range indices {
			done = append(done, p.done[i])
		}
		if p.partial = c.estimate(done, false); c.varies(p.partial) {
			p.partial.Warnings = append(p.partial.Warnings, withoutInputs)
		}
	}
	if s.Partial = p.partial; s.Partial != nil {
		s.Precision, s.WithoutInputs = c.precision(s.Partial), c.varies(s.Partial)
	}
	return s
}
