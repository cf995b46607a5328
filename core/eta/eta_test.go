package eta_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"tierscope/core/eta"
)

// worst is the largest relative error of what is left, from a share of the work on until only
// a twentieth is left, where a single run decides.
func worst(configurations [][]float64, took []float64, from int) float64 {
	e := eta.New(configurations)
	total := 0.0
	for _, t := range took {
		total += t
	}
	left, most := total, 0.0
	for i, t := range took {
		e.Took(i, t)
		left -= t
		if i+1 < from || left < total/20 {
			continue
		}
		says, ok := e.Left()
		if !ok {
			return math.Inf(1)
		}
		most = max(most, math.Abs(says/left-1))
	}
	return most
}

// What is left is known within a fifth from a tenth on: of a night's campaign, with ten repetitions of 5 × 4
// settings in a random order within each, of programs that scale by Amdahl's law with a serial tenth, where a tenth has
// shown every configuration; of servers, which are measured equally long, with three; and of sweeps, whose simulations take as
// long as there are events, in the order of their grid of 100 × 4. Of a program with three repetitions, from a third on. Times vary by 5 %.
func TestFromATenthOnTheRestIsKnownWithinAFifth(t *testing.T) {
	t.Parallel()
	amdahl := func(workers, cores float64) float64 { return 10 * (0.1 + 0.9/min(workers, cores)) }
	for _, x := range []struct {
		name          string
		time          func(a, b float64) float64
		repeats, from int // runs of each configuration; runs from which on it must be right
		shuffle       bool
	}{
		{"a night of a program that scales", amdahl, 10, 20, true},
		{"a night of a program with more work", func(a, b float64) float64 { return a * amdahl(b, b) }, 10, 20, true},
		{"a program that scales", amdahl, 3, 20, true},
		{"a server", func(float64, float64) float64 { return 12 }, 3, 6, true},
		{"a sweep over rates", func(workers, rate float64) float64 { return 0.01 + 0.02*rate }, 20, 40, false},
	} {
		for seed := range uint64(4) {
			random := rand.New(rand.NewPCG(seed, 1))
			var configurations [][]float64
			var took []float64
			for repeat := range x.repeats {
				var block [][]float64
				for _, a := range []float64{1, 2, 4, 8, 16} {
					for _, b := range []float64{1, 2, 4, 8} {
						if x.shuffle {
							block = append(block, []float64{a, b})
						} else { // no repetitions: more values
							block = append(block, []float64{a + 20*float64(repeat), b})
						}
					}
				}
				if x.shuffle {
					random.Shuffle(len(block), func(i, j int) { block[i], block[j] = block[j], block[i] })
				}
				configurations = append(configurations, block...)
			}
			for _, c := range configurations {
				took = append(took, x.time(c[0], c[1])*math.Exp(0.05*random.NormFloat64()))
			}
			if off := worst(configurations, took, x.from); off > 0.2 {
				t.Errorf("%s, order %d: the estimate is off by %.0f %%", x.name, seed, 100*off)
			}
		}
	}
}

// Nothing is known before something was done, nothing is left in the end, and what was done in an
// earlier session is not left.
func TestWhatIsDoneIsNotLeft(t *testing.T) {
	t.Parallel()
	e := eta.New([][]float64{{1}, {2}, {3}, {3}})
	if s, ok := e.Left(); ok {
		t.Errorf("before anything was done %v s are left", s)
	}
	e.Done(0)
	e.Took(2, 6)
	if s, ok := e.Left(); !ok || s < 6 || s > 18 {
		t.Errorf("%v s are left (%v), want the 6 s of the equal one and about as many for the other", s, ok)
	}
	e.Took(1, 6)
	e.Took(3, 6)
	if s, _ := e.Left(); s != 0 {
		t.Errorf("in the end %v s are left", s)
	}
}
