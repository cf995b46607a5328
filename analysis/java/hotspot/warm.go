package hotspot

import (
	"context"
	"fmt"
	"time"

	"tierscope/analysis/trace"
)

// When a server is warm: its compilers took less than a share of its CPU time
// in some windows in a row, in which it was saturated: under a load that needs a fifth of
// that, the same work of theirs is five times the share.
const (
	window    = 2.0 // s
	warmShare = 0.02
	inARow    = 2
	users     = 8
)

// Patience is how long a server may take to become warm.
const Patience = time.Minute

// Warmth is what a server needed to become warm.
type Warmth struct {
	Time  time.Duration // of load
	CPU   time.Duration // that the server used in it
	Share float64       // of its CPU time that the compilers took in the last window
	Warm  bool          // false: they were still busy when patience ended
}

// WarmUp is Warm for the server that runs as a process; its compilers have all CPUs meanwhile.
func WarmUp(ctx context.Context, l trace.Load, pid int, drive func(context.Context, trace.Load) error) (Warmth, error) {
	defer spread(pid)()
	return Warm(ctx, l, drive, func() []Thread { return Threads(pid) })
}

// Warm puts a closed load with the requests of l on a server until its
// compilers have little left to do, or for a minute. drive puts a load on it, threads
// lists what its threads have used. The zero Warmth: it has no compilers.
func Warm(ctx context.Context, l trace.Load, drive func(context.Context, trace.Load) error, threads func() []Thread) (Warmth, error) {
	compiling, all := sum(threads())
	if compiling == 0 {
		return Warmth{}, nil
	}
	l.Warmup, l.Duration = 0, window
	if l.Hears(trace.WordConnections) {
		l.Rate, l.Think, l.Connections = 0, 0, users
	}
	var w Warmth
	for quiet, began := 0, 0.0; began < Patience.Seconds(); began += window {
		l.Seed++ // what the work phase asks for must not have been asked for before: caches would have it
		if err := drive(ctx, l); err != nil {
			return w, fmt.Errorf("while the server warms up: %w", err)
		}
		c, a := sum(threads())
		// A compiler with nothing to do ends, and what it used is not listed any more.
		w.Time += time.Duration(window * float64(time.Second))
		w.CPU += max(0, a-all)
		w.Share = max(0, (c-compiling).Seconds()) / max((a-all).Seconds(), 1e-9)
		compiling, all = c, a
		if quiet++; w.Share > warmShare {
			quiet = 0
		}
		if quiet == inARow {
			w.Warm = true
			return w, nil
		}
	}
	return w, nil
}

// sum is the CPU time of the compilers and of all threads.
func sum(ts []Thread) (compiling, all time.Duration) {
	for _, t := range ts {
		all += t.CPU
		if Compiles(t.Name) {
			compiling += t.CPU
		}
	}
	return compiling, all
}
