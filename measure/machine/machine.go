// Package machine measures how fast a machine does each kind of work that programs are made of, so that a model can be moved
// from the machine where the program was analysed to another one ("ensuring model portability across different hardware": Tarvo &
// Reiss, Using computer simulation to predict the performance of multithreaded programs, §VII.B).
//
// A kind is a loop of a few lines that is limited by one thing alone: a chain of integer operations, independent
// floating-point operations, branches that nobody can predict, loads from the cache or from memory that each wait for the
// one before, copying. The loops of all kinds take turns, so that a change of the clock frequency meets all of them.
package machine

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"tierscope/core"
	"tierscope/core/robust"
)

// Format is the file format of a Machine.
var Format = core.Format{Name: "tierscope-machine", Version: 1}

// Machine is what was measured of one.
type Machine struct {
	Name  string `json:"name,omitempty"`
	Cores int    `json:"cores"`
	Work  []Work `json:"work"` // in the order of Kinds
}

// Work is how long an operation of a kind takes.
type Work struct {
	Kind   string  `json:"kind"`
	Time   float64 `json:"time_s"`          // median over the turns
	Spread float64 `json:"spread"`          // half of what lies between the quartiles, relative to the median
	Turns  int     `json:"turns,omitempty"` // loops that were timed
}

// Kinds are the kinds of work, each with what limits it.
func Kinds() []string {
	var names []string
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return names
}

// turn is how long a loop is timed at a time: longer than a tick of the scheduler (4 ms at 250 Hz) by far, short
// enough for many.
const turn = 20 * time.Millisecond

// Measure measures this machine for about the given time, on one thread. It ends early with an error when ctx does.
func Measure(ctx context.Context, total time.Duration) (Machine, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	m := Machine{Cores: runtime.NumCPU()}
	loops, sizes := make([]func(n int) uint64, len(kinds)), make([]int, len(kinds))
	for i, k := range kinds {
		loops[i] = k.prepare()
		sizes[i] = enough(loops[i])
	}
	times := make([][]float64, len(kinds))
	const fewest = 5
	for end := time.Now().Add(total); time.Now().Before(end) || len(times[0]) < fewest; {
		for i, loop := range loops {
			if err := ctx.Err(); err != nil {
				return Machine{}, fmt.Errorf("the machine was not measured: %w", err)
			}
			began := time.Now()
			sink.Store(loop(sizes[i]))
			times[i] = append(times[i], time.Since(began).Seconds()/float64(sizes[i]))
		}
	}
	for i, k := range kinds {
		t := slices.Clone(times[i])
		slices.Sort(t)
		median := robust.Median(t)
		m.Work = append(m.Work, Work{Kind: k.name, Time: median, Spread: (t[len(t)*3/4] - t[len(t)/4]) / 2 / median, Turns: len(t)})
	}
	return m, nil
}

// sink keeps the compiler from leaving loops out whose results nobody uses.
var sink atomic.Uint64

// enough finds the number of operations that takes a turn.
func enough(loop func(n int) uint64) int {
	for n := 1000; ; n *= 2 {
		began := time.Now()
		sink.Store(loop(n))
		if took := time.Since(began); took >= turn/4 {
			return max(1, int(float64(n)*float64(turn)/float64(took)))
		}
	}
}

// Check reports what of a machine is wrong.
func (m *Machine) Check() error {
	if m.Cores < 1 {
		return fmt.Errorf("cores is %d; give 1 or more", m.Cores)
	}
	if len(m.Work) == 0 {
		return fmt.Errorf("work is empty; measure the machine with tierctl machine measure")
	}
	for _, w := range m.Work {
		if !(w.Time > 0) || math.IsInf(w.Time, 1) {
			return fmt.Errorf("work %q: time_s is %v; give a positive number", w.Kind, w.Time)
		}
	}
	return nil
}

// Factor is how many times as fast a machine does a kind of work as another.
type Factor struct {
	Kind  string  `json:"kind"`
	Here  float64 `json:"here_s"` // an operation
	There float64 `json:"there_s"`
	Speed float64 `json:"speed"` // Here/There
}

// Factors compares the kinds of work that were measured of both.
func Factors(here, there Machine) []Factor {
	var all []Factor
	for _, h := range here.Work {
		for _, t := range there.Work {
			if h.Kind == t.Kind {
				all = append(all, Factor{h.Kind, h.Time, t.Time, h.Time / t.Time})
			}
		}
	}
	return all
}

// Mix is how much of its CPU time here a program spends with each kind of work.
type Mix map[string]float64

// Speed is how many times as fast there a program is: its time there is the sum of those of its parts.
//
//	1/speed = Σ share/speed(kind)
//
// It is an error if the mix names a kind that was not measured on both machines, or is empty.
func Speed(factors []Factor, mix Mix) (float64, error) {
	sum, slower := 0.0, 0.0
	for kind, share := range mix {
		i := slices.IndexFunc(factors, func(f Factor) bool { return f.Kind == kind })
		if i < 0 {
			return 0, fmt.Errorf("work %q was not measured on both machines; there is %s", kind, strings.Join(kindsOf(factors), ", "))
		}
		if !(share >= 0) || math.IsInf(share, 1) {
			return 0, fmt.Errorf("the share of %q is %v; give a number that is not negative", kind, share)
		}
		sum += share
		slower += share / factors[i].Speed
	}
	if !(sum > 0) {
		return 0, fmt.Errorf("the mix of work is empty; give shares, such as integer=3,memory=1")
	}
	return sum / slower, nil
}

func kindsOf(factors []Factor) (names []string) {
	for _, f := range factors {
		names = append(names, f.Kind)
	}
	return names
}
