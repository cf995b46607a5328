package analysis

import (
	"fmt"
	"math"
)

// Code that is not compiled yet counts its calls and branches, for the compilers,
// in memory that its threads share: those that compute it at the same time on
// several cores make each other wait for these counters, and it is slower there than
// on one core. The program is recorded on one core as well; what slowness adds up to
// over the compilers' work, in both kinds of run, tells how much of it is due to
// company.

// leastCompany is how many other cores must compute for the program, on average,
// to show what they do.
const leastCompany = 0.1

// warmupMost are the parts of the compilers' work that count for a mean slowdown: the
// rest may be spread over all of a long run.
const warmupMost = 7 * warmupParts / 8

// Slowness is what a run's slow start adds up to.
type Slowness struct {
	Mean float64 // slowdown until the compilers had done nearly all
	Lost float64 // s of CPU time that the program's threads lost to it
}

// SlownessOf returns the slowness of a recorded run; ok is false if it shows none.
func SlownessOf(t *Trace) (s Slowness, ok bool) {
	b := &build{in: Input{Trace: t}, t: t}
	b.sequences()
	x := b.findSlowStart()
	if x == nil || !x.told {
		return s, false
	}
	var cost, work float64
	for i, v := range x.speed[:min(warmupMost, len(x.speed))] {
		cost += x.fit.all[i]
		work += x.fit.all[i] * v
	}
	return Slowness{cost/work - 1, 1e-9 * x.lost}, work > 0
}

// shareSlowness divides the slowdown of the stages: what code has alone, and what
// other cores that compute for the program add.
func (b *build) shareSlowness(x *slowStart) {
	alone := 1 / (1 + InterferenceOf(b.t.Slowness, b.t.SlownessAlone))
	others := x.company()
	if alone == 1 || others < leastCompany {
		return
	}
	for i := range b.stages {
		s := &b.stages[i]
		s.Company = s.Slowdown * (1 - alone) / others
		s.Slowdown *= alone
	}
	b.assume(fmt.Sprintf("code that is not compiled yet was slower on %d cores than on one, from runs on both: %.0f %% of its slowness is due to threads that compute at the same time", b.t.Cores, 100*(1-alone)))
}

// company is how many other cores computed for the program where it was slow, by
// what this cost. Where k are busy on average, ⌊k⌋ or ⌈k⌉ are.
func (x *slowStart) company() float64 {
	var sum, weight float64
	for i, v := range x.speed {
		length := float64(x.edges[i+1] - x.edges[i])
		if length <= 0 || x.fit.all[i] == 0 {
			continue
		}
		k := x.fit.all[i] / length
		least := math.Floor(k)
		lost := x.fit.all[i] * (1 - v)
		sum += lost * least * (2*k - least - 1) / k
		weight += lost
	}
	if weight == 0 {
		return 0
	}
	return sum / weight
}
