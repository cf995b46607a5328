package accuracy

import (
	"fmt"
	"math"
	"testing"
)

// Programs whose predictions are off by up to twice what their checks are off by: the half-width
// that contains 95 % of them is just below that, for a program that is not among them as well.
func TestIntervalsAreAsWideAsChecksSayOfOthers(t *testing.T) {
	t.Parallel()
	var programs []Program
	for i := 1; i <= 20; i++ {
		off := .01 * float64(i)
		p := Program{Name: fmt.Sprint(i), Checks: []float64{off, -off}}
		for k := -20; k <= 20; k++ {
			p.Others = append(p.Others, 2*off*float64(k)/20)
		}
		programs = append(programs, p)
	}
	for _, without := range []string{"", "7"} {
		l := Learn(programs, without, false)
		p := Program{Checks: []float64{.3, -.3}}
		if got := l.Half(p); got < 1.85*.3 || got > 2*.3 {
			t.Errorf("without %q the half-width is %.3f where checks are off by 0.3; want 95 %% of 0.6 or a little more", without, got)
		}
	}
	// Where nobody looks at the checks, it is 95 % of all.
	if l := Learn(programs, "", true); l.PerCheck != 0 || l.Half(programs[0]) != l.Half(programs[19]) || l.Half(programs[0]) < .2 || l.Half(programs[0]) > .4 {
		t.Errorf("without checks the half-width is %.3f for all", l.Half(programs[0]))
	}
}

// Recorded with 5 workers, the program is checked with 2; with GOMAXPROCS and cores nothing is
// said of threads.
func TestChecksHaveHalfAsManyThreads(t *testing.T) {
	t.Parallel()
	e := .1
	row := func(configuration string) Row {
		return Row{Quantity: "T", Configuration: configuration, Error: &e, EqualCPU: &e}
	}
	r := Result{Subject: "shop", Analysed: "cores 2, workers 5", Rows: []Row{row("cores 1, workers 2"), row("cores 2, workers 2"), row("cores 2, workers 5"), row("cores 2, workers 9")}}
	if p := r.program(); len(p.Checks) != 2 || len(p.Others) != 2 || math.Abs(p.off()-math.Log(1.1)) > 1e-12 {
		t.Errorf("%d checks that are off by %.3f, and %d others; want two of ln 1.1 and two", len(p.Checks), p.off(), len(p.Others))
	}
	r = Result{Analysed: "GOMAXPROCS 2", Rows: []Row{row("GOMAXPROCS 1"), row("GOMAXPROCS 2")}}
	if p := r.program(); len(p.Checks) != 0 {
		t.Error("a program without a number of threads has checks of it")
	}
}
