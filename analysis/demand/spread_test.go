package demand

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat"

	"tierscope/analysis/trace"
)

// The usual spread is that of the recordings of testdata/traces: the variances of the logarithms of
// their plain runs' costs, as those of Smyth 2004 (§6.2): with zᵢ = ln sᵢ², dᵢ degrees of
// freedom and eᵢ = zᵢ − ψ(dᵢ/2) + ln(dᵢ/2), ψ′(d₀/2) is the variance of e beyond the mean of
// ψ′(dᵢ/2), and ln s₀² the mean of e + ψ(d₀/2) − ln(d₀/2). More recordings move them: the
// constants may be off by a third of the spread and a half of its degrees of freedom. Runs of a program that
// works for a time cost what its clock lets them: nothing is fitted to those (Interference), and they tell nothing.
func TestTheUsualSpreadIsThatOfTheRecordings(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("one goroutine computes")
	}
	names, err := filepath.Glob("../../testdata/traces/*/analysis/trace*")
	if err != nil || len(names) == 0 {
		t.Fatalf("%d recordings: %v", len(names), err)
	}
	var e, own []float64
	for _, name := range names {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		tr, err := trace.ReadTrace(file, func(string) trace.Runtime { return trace.Runtime{} })
		file.Close()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if worksForATime(tr) {
			continue
		}
		for _, runs := range [][]float64{tr.Plain, tr.PlainAlone} {
			if len(runs) < 3 {
				continue
			}
			var logs []float64
			for _, x := range runs {
				logs = append(logs, math.Log(x))
			}
			d := float64(len(runs) - 1)
			e = append(e, math.Log(stat.Variance(logs, nil))-mathext.Digamma(d/2)+math.Log(d/2))
			own = append(own, trigamma(d/2))
		}
	}
	mean, variance := stat.MeanVariance(e, nil)
	low, high := 1e-3, 1e3 // ψ′ falls
	for range 100 {
		if mid := math.Sqrt(low * high); trigamma(mid) > variance-stat.Mean(own, nil) {
			low = mid
		} else {
			high = mid
		}
	}
	spread := math.Exp((mean + mathext.Digamma(low) - math.Log(low)) / 2)
	if freedom := 2 * low; math.Abs(math.Log(spread/usualSpread)) > math.Log(1.33) || math.Abs(math.Log(freedom/usualFreedom)) > math.Log(1.5) {
		t.Errorf("%d samples of runs have the usual spread %.4f with %.2f degrees of freedom, the constants are %v and %v", len(e), spread, freedom, usualSpread, usualFreedom)
	}
}

// worksForATime reports whether a thread sleeps for most of the run and then closes a channel.
func worksForATime(tr *trace.Trace) bool {
	for _, th := range tr.Threads {
		var slept int64
		for i, r := range th.Records {
			switch {
			case r.Op == trace.OpSleep && r.End && i > 0:
				slept = r.Time - th.Records[i-1].Time
			case r.Op == trace.OpClose && 2*slept > tr.End:
				return true
			case r.Op != trace.OpSleep:
				slept = 0
			}
		}
	}
	return false
}

// trigamma is ψ′, by its recurrence and asymptotic series (Abramowitz & Stegun 1964, 6.4.6 and 6.4.12).
func trigamma(x float64) (sum float64) {
	for ; x < 10; x++ {
		sum += 1 / (x * x)
	}
	f := 1 / (x * x)
	return sum + 1/x + f/2 + f/x*(1.0/6-f*(1.0/30-f/42))
}
