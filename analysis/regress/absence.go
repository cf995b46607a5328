package regress

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Absence says where a behaviour is 0: a thread that is alone waits for nobody, and what fits into a cache misses nothing.
// No sum or product of inputs is 0 on one side of a limit and right on the other.
type Absence struct {
	Name  string  `json:"name"`            // of a variable, or n, the number of threads
	Limit float64 `json:"limit"`           // it is 0 up to here,
	Above bool    `json:"above,omitempty"` // or from here on
}

// Rows without a behaviour that tell where it is absent, and of how many of these, or of the others, one may be on the wrong side.
// Five rows of thirty are the first five by one of twenty variables, by chance, once in 7000 tables.
const (
	leastAbsent = 5
	mostStray   = 10
)

// absence returns where the behaviour of the samples is 0, nil if that follows from no single variable.
func absence(samples []Sample, variables []string) *Absence {
	all := zeros(samples)
	if all < leastAbsent || len(samples)-all < leastRows {
		return nil
	}
	var best *Absence
	fewest := min(all, len(samples)-all)/mostStray + 1
	for _, name := range append([]string{Threads}, variables...) {
		value := valueOf(name)
		sorted := slices.Clone(samples)
		slices.SortStableFunc(sorted, func(a, b Sample) int { return cmp.Compare(value(a), value(b)) })
		below := 0 // zeros so far
		for i := range len(sorted) - 1 {
			if sorted[i].Y == 0 {
				below++
			}
			lo, hi := value(sorted[i]), value(sorted[i+1])
			if lo == hi {
				continue
			}
			n := i + 1
			if stray := (n - below) + (all - below); stray < fewest && below >= leastAbsent {
				best, fewest = &Absence{Name: name, Limit: lo}, stray
			}
			if stray := below + (len(samples) - n - (all - below)); stray < fewest && all-below >= leastAbsent {
				best, fewest = &Absence{Name: name, Limit: hi, Above: true}, stray
			}
		}
	}
	return best
}

// holds reports whether the behaviour is absent from a run.
func (a *Absence) holds(variables map[string]float64, threads float64) bool {
	if a == nil {
		return false
	}
	v := threads
	if a.Name != Threads {
		v = variables[a.Name]
	}
	return v <= a.Limit && !a.Above || v >= a.Limit && a.Above
}

// rest are the samples that are left to explain.
func (a *Absence) rest(samples []Sample) []Sample {
	if a == nil {
		return samples
	}
	return slices.DeleteFunc(slices.Clone(samples), func(s Sample) bool { return a.holds(s.Variables, s.Threads) })
}

// String is the condition.
func (a *Absence) String() string {
	return fmt.Sprintf("%s %s %.6g", a.Name, map[bool]string{false: "≤", true: "≥"}[a.Above], a.Limit)
}

// source is the condition in Go.
func (a *Absence) source() string {
	name := "n"
	if a.Name != Threads {
		name = "v[" + strconv.Quote(a.Name) + "]"
	}
	return name + map[bool]string{false: " <= ", true: " >= "}[a.Above] + number(a.Limit)
}

// explain makes a model of the samples that are left one of all of them: where the behaviour is absent it says 0.
func (a *Absence) explain(m *Model, samples []Sample) {
	if a == nil {
		return
	}
	m.Absent = a
	rest := float64(len(a.rest(samples)))
	right := 0.0
	for _, s := range samples {
		if s.Y == 0 && a.holds(s.Variables, s.Threads) {
			right++
		}
	}
	m.CrossValidated = (math.Max(0, m.CrossValidated)*rest + right) / float64(len(samples))
	m.Training = Accuracy(samples, *m)
}
