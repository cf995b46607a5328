package main

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"tierscope/simulation"
	"tierscope/simulation/experiment"
)

// step is how far a command is, as --json-progress prints it.
type step struct {
	Unit      string  `json:"unit"` // what is counted: "replications" or "runs"
	Done      int     `json:"done"`
	Planned   int     `json:"planned"`
	Precision float64 `json:"precision,omitempty"` // relative half-width reached so far
	Elapsed   float64 `json:"elapsed_s"`
	Remaining float64 `json:"remaining_s,omitempty"` // estimate
}

func (s step) String() string {
	text := fmt.Sprintf("%d of %d %s", s.Done, s.Planned, s.Unit)
	if s.Precision > 0 {
		text += fmt.Sprintf(", ± %.2g %%", 100*s.Precision)
	}
	if s.Remaining > 0 {
		text += ", about " + experiment.Roughly(seconds(s.Remaining)) + " to go"
	}
	return text
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// Intervals between two lines where lines cannot be rewritten.
const (
	lineInterval = time.Minute
	jsonInterval = 500 * time.Millisecond
)

// progress returns what reports steps to standard error: a line that is
// rewritten on a terminal, one a minute elsewhere, and with --json-progress one
// JSON object at most twice a second.
func (t *terminal) progress() func(step) {
	tty := isTerminal(t.err)
	var last time.Duration
	return func(s step) {
		elapsed := seconds(s.Elapsed)
		switch {
		case t.jsonProgress:
			if ended := s.Done == s.Planned; ended || last == 0 || elapsed-last >= jsonInterval {
				last = max(elapsed, 1)
				line, _ := json.Marshal(s) // finite numbers
				fmt.Fprintf(t.err, "%s\n", line)
			}
		case tty && s.Done == s.Planned:
			t.clearLine()
		case tty:
			fmt.Fprint(t.err, rewrite, s)
		case elapsed-last >= lineInterval:
			last = elapsed
			fmt.Fprintln(t.err, s)
		}
	}
}

// clearLine removes the line of progress from a terminal.
func (t *terminal) clearLine() {
	if isTerminal(t.err) && !t.jsonProgress {
		fmt.Fprint(t.err, rewrite)
	}
}

// runProgress reports the replications of one configuration.
func runProgress(t *terminal) func(simulation.Progress) {
	report := t.progress()
	return func(p simulation.Progress) {
		s := step{Unit: "replications", Done: p.Replications, Planned: p.Planned, Elapsed: p.Elapsed.Seconds(), Remaining: p.Remaining.Seconds()}
		if !math.IsInf(p.Precision, 0) && !math.IsNaN(p.Precision) {
			s.Precision = p.Precision
		}
		report(s)
	}
}

// sweepProgress reports the configurations of an experiment.
func sweepProgress(t *terminal) func(experiment.Progress) {
	report := t.progress()
	return func(p experiment.Progress) {
		report(step{Unit: "runs", Done: p.Done, Planned: p.Points, Elapsed: p.Elapsed.Seconds(), Remaining: p.Remaining.Seconds()})
	}
}
