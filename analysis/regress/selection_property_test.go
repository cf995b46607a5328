package regress

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"
)

// drawRuns returns runs with two variables and any positive behaviour, each with a number
// of its own.
func drawRuns(t *rapid.T, least int) []Sample {
	samples := make([]Sample, rapid.IntRange(least, 60).Draw(t, "runs"))
	kinds := rapid.IntRange(1, 40).Draw(t, "distinct values")
	offset := rapid.SampledFrom([]float64{0, 1, 1e6, 1e9}).Draw(t, "offset")
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	for i := range samples {
		samples[i] = Sample{Threads: float64(1 + r.IntN(8)), Y: offset + 1 + float64(r.IntN(1000)),
			Variables: map[string]float64{"a": float64(1 + r.IntN(kinds)), "b": float64(1 + r.IntN(kinds)), "run": float64(i + 1)}}
	}
	return samples
}

// Each run is held out once, by a model that has seen all runs of the other folds; folds
// differ in size by one run at most (Geisser 1975).
func TestCrossValidationPartitionsTheRuns(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		samples := drawRuns(t, 2)
		folds := rapid.IntRange(2, 10).Draw(t, "folds")
		held := make([]int, len(samples))
		var sizes []int
		accuracy := crossValidated(samples, folds, func(train []Sample) *Model {
			seen := map[float64]bool{}
			for _, s := range train {
				seen[s.Variables["run"]] = true
			}
			if len(seen) != len(train) {
				t.Fatalf("%d different runs of %d to learn from", len(seen), len(train))
			}
			for i := range samples {
				if !seen[samples[i].Variables["run"]] {
					held[i]++
				}
			}
			sizes = append(sizes, len(samples)-len(train))
			return &Model{Form: Linear, Coefficients: []float64{1}}
		})
		for i, n := range held {
			if n != 1 {
				t.Fatalf("run %d is held out %d times", i, n)
			}
		}
		if slices.Max(sizes)-slices.Min(sizes) > 1 {
			t.Fatalf("folds of %v runs", sizes)
		}
		// Every fold has the same model, so that the score is that of all runs at once.
		agree(t, "accuracy", accuracy, Accuracy(samples, Model{Form: Linear, Coefficients: []float64{1}}), 1)
	})
}

// Splits for the evaluation hold a quarter out, each run at most once, and an accuracy is a share.
func TestEvaluationHoldsAQuarterOut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		samples := drawRuns(t, 16)
		const splits = 2
		e, err := Evaluate(samples, Options{MaxTerms: 1, Ladder: []float64{.5}}, splits, rapid.Uint64().Draw(t, "seed"))
		if err != nil {
			t.Fatal(err)
		}
		held := map[[2]int]int{}
		for _, p := range e.Predictions {
			held[[2]int{p.Split, p.Sample}]++
			if p.Measured != samples[p.Sample].Y {
				t.Fatalf("run %d was measured as %v, not %v", p.Sample, samples[p.Sample].Y, p.Measured)
			}
		}
		if want := splits * (len(samples) / 4); len(held) != want || len(e.Predictions) != want {
			t.Fatalf("%d predictions of %d runs, want %d", len(e.Predictions), len(held), want)
		}
		for _, a := range append(e.Splits, e.HeldOut) {
			if a < 0 || a > 1 {
				t.Fatalf("an accuracy of %v", a)
			}
		}
		agree(t, "the mean over the splits", e.HeldOut, floats.Sum(e.Splits)/splits, 1)
	})
}

// A leaf is a mean of what it was grown from, so that a tree predicts nothing that was not
// between measurements, for any input (Breiman et al. 1984, §8.3).
func TestATreePredictsWithinWhatItHasSeen(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		samples := drawRuns(t, 8)
		o := Options{Absolute: rapid.Bool().Draw(t, "absolute")}.normal(len(samples))
		m := fitTree(samples, []string{"a", "b"}, o)
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, s := range samples {
			lo, hi = min(lo, s.Y), max(hi, s.Y)
		}
		input := rapid.Float64Range(-1e3, 1e3)
		got := m.Predict(map[string]float64{"a": input.Draw(t, "a"), "b": input.Draw(t, "b")}, rapid.Float64Range(1, 64).Draw(t, "threads"))
		if got < lo*(1-1e-12) || got > hi*(1+1e-12) {
			t.Fatalf("%v is predicted from measurements within %v…%v", got, lo, hi)
		}
		if m.Tree.levels() > maxLevels {
			t.Fatalf("%d levels", m.Tree.levels())
		}
	})
}

// The first question is the best of all that can be asked, by the definition of CART: each term,
// each threshold between two of its values, the squared deviations of both halves from their own
// means.
func TestTheFirstQuestionIsTheBestOfAll(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		samples := drawRuns(t, 2)
		pool := []Term{{A: "a"}, {A: "b"}, {A: "a", PerThread: true}}
		deviations := func(of []Sample) (sum float64) {
			mean := 0.0
			for _, s := range of {
				mean += s.Y / float64(len(of))
			}
			for _, s := range of {
				sum += (s.Y - mean) * (s.Y - mean)
			}
			return sum
		}
		halves := func(term Term, threshold float64) (low, high []Sample) {
			for _, s := range samples {
				if term.Value(s.Variables, s.Threads) <= threshold {
					low = append(low, s)
				} else {
					high = append(high, s)
				}
			}
			return low, high
		}
		all, best := deviations(samples), 0.0
		for _, term := range pool {
			for _, s := range samples {
				if low, high := halves(term, term.Value(s.Variables, s.Threads)); len(high) > 0 {
					best = max(best, all-deviations(low)-deviations(high))
				}
			}
		}
		term, threshold, gain := grower{terms: pool}.split(samples)
		agree(t, "what the first question explains", gain, best, all+1e-9)
		if gain > 0 {
			low, high := halves(term, threshold)
			agree(t, "what its halves say", all-deviations(low)-deviations(high), gain, all)
		}
	})
}

// Longest first on equal platforms ends within 4/3 − 1/(3m) of the best schedule (Graham 1969),
// found by trying all.
func TestScheduleIsWithinGrahamsBoundOfTheBest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.IntRange(1, 3).Draw(t, "platforms")
		times := rapid.SliceOfN(rapid.Float64Range(.1, 10), 1, 7).Draw(t, "times")
		predicted := make([][]float64, len(times))
		for k, s := range times {
			predicted[k] = slices.Repeat([]float64{s}, m)
		}
		finish := make([]float64, m)
		for k, p := range Schedule(predicted) {
			finish[p] += times[k]
		}
		best := math.Inf(1)
		busy := make([]float64, m)
		var try func(k int)
		try = func(k int) {
			if k == len(times) {
				best = min(best, slices.Max(busy))
				return
			}
			for p := range busy {
				busy[p] += times[k]
				try(k + 1)
				busy[p] -= times[k]
			}
		}
		try(0)
		if bound := 4./3 - 1/(3*float64(m)); slices.Max(finish) > bound*best*(1+1e-9) {
			t.Fatalf("the schedule ends at %v, the best at %v: more than %v times later", slices.Max(finish), best, bound)
		}
		if u := Utilization(predicted, Schedule(predicted)); u <= 0 || u > 1+1e-12 {
			t.Fatalf("utilization %v", u)
		}
	})
}
