package accuracy

import (
	"math"
	"math/rand/v2"
	"testing"

	"tierscope/core"
)

// Programs whose predictions are all off alike have as much in common as a law of the grid can have, and those
// whose errors have nothing to do with each other as little in common, and no reach.
func TestTheLawOfErrorsIsFound(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	draw := func(alike bool) *Learning {
		var programs []Program
		for range 30 {
			p, all := Program{}, random.NormFloat64()
			for _, n := range []float64{1, 2, 4, 8, 16} {
				e := random.NormFloat64()
				if alike {
					e = all + .01*e
				}
				p.Others = append(p.Others, core.Checked{At: map[string]float64{"n": n}, Off: .05 * e, Runs: 1})
			}
			programs = append(programs, p)
		}
		return Learn(programs)
	}
	if law := draw(true).Law(-1); law.Common != .6 || law.Reach != 8 || law.Noise != .1 {
		t.Errorf("of errors that are alike the law is %+v", law)
	}
	l := draw(false)
	if law := l.Law(-1); law.Common != .05 || law.Reach != 1 || law.Own != .2 {
		t.Errorf("of errors that have nothing to do with each other the law is %+v", law)
	}
}

// Recorded with 5 workers, the program is checked with 2 and as it was recorded; with GOMAXPROCS and cores nothing is
// said of threads.
func TestChecksAreAsRecordedAndHaveHalfAsManyThreads(t *testing.T) {
	t.Parallel()
	e := .1
	row := func(configuration string) Row {
		return Row{Quantity: "T", Configuration: configuration, Error: &e, EqualCPU: &e}
	}
	r := Result{Subject: "shop", Analysed: "cores 2, workers 5", Rows: []Row{row("cores 1, workers 2"), row("cores 2, workers 2"), row("cores 2, workers 5"), row("cores 2, workers 9")}}
	if p := r.program(); len(p.Checks) != 3 || len(p.Others) != 1 || math.Abs(p.Checks[0].Off+math.Log(1.1)) > 1e-12 || p.Checks[0].At[core.CoresPath] != 1 {
		t.Errorf("checks %+v, others %+v; want three of −ln 1.1 and one", p.Checks, p.Others)
	}
	r = Result{Analysed: "GOMAXPROCS 2", Rows: []Row{row("GOMAXPROCS 1"), row("GOMAXPROCS 2")}}
	if p := r.program(); len(p.Checks) != 0 {
		t.Error("a program without a number of threads has checks of it")
	}
}
