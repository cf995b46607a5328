package java

import (
	"testing"

	"tierscope/analysis/trace"
)

// Between two readings the CPU time grows evenly: of what compilers and all
// threads had used, 30 and 60 ns at 200, 50 and 80 at 300, they had 40 and 70 half
// way. Before the first reading nothing is known, after the last nothing is added.
func TestTheAccountOfAMomentIsBetweenThoseOfTwoReadings(t *testing.T) {
	t.Parallel()
	a := &account{reads: []reading{{time: 100, all: 10, compiler: 7}, {time: 200, all: 60, compiler: 30, garbage: 4}, {time: 300, all: 80, compiler: 50, garbage: 8}}}
	for _, c := range []struct {
		moment                 int64
		all, compiler, garbage int64
	}{{50, 0, 0, 0}, {100, 10, 7, 0}, {250, 70, 40, 6}, {300, 80, 50, 8}, {400, 80, 50, 8}} {
		if got := a.at(c.moment); got.all != c.all || got.compiler != c.compiler || got.garbage != c.garbage {
			t.Errorf("at %d: %+v, want %d, %d and %d ns", c.moment, got, c.all, c.compiler, c.garbage)
		}
	}
}

// What compilers did for the agent is not the program's: of 20 ns that were used evenly from 100 to 200 and of 30 from there
// to 300, 40 are left if the agent was ready at 150: 10 and 30. The recording began at 120.
func TestWorkForTheAgentIsNotTheProgramS(t *testing.T) {
	t.Parallel()
	a := &account{
		used:  map[int]usage{1: {name: "C2 CompilerThread0", cpu: 50}},
		reads: []reading{{time: 100}, {time: 200, compiler: 20}, {time: 300, compiler: 50}},
		final: []compiling{{time: 100}, {time: 200, cpu: 20}, {time: 300, cpu: 50}},
	}
	var tr trace.Trace
	a.ownWork(&tr, false, 150, 120)
	for kind, got := range map[string][2]trace.Collection{
		"the compilers": {{Start: tr.Compiler[0].Start, CPU: tr.Compiler[0].CPU}, {Start: tr.Compiler[1].Start, CPU: tr.Compiler[1].CPU}},
		"the rest":      {tr.GC[0], tr.GC[1]},
	} {
		if got[0].Start != 30 || got[0].CPU != 10 || got[1].Start != 80 || got[1].CPU != 30 {
			t.Errorf("%s used %d ns from %d on and %d from %d on, want 10 from 30 and 30 from 80", kind, got[0].CPU, got[0].Start, got[1].CPU, got[1].Start)
		}
	}
}
