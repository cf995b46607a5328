package calibrate

import (
	"math"
	"strings"
	"testing"

	"tierscope/core"
)

// What the process takes on one core, by a run-time system that is set up for one, is repeated there, with what its
// compilers do; on two cores, and on one where it is told of two, nothing changes.
func TestASystemSetUpForOneCoreCostsWhatItsRunsDo(t *testing.T) {
	t.Parallel()
	tr, _ := compiles(2, 4)
	m, e := built(t, tr)
	told, background, err := costs(t.Context(), onOneCore(m), nil)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(background/compiler-1) > .05 {
		t.Fatalf("background work takes %.3f s of CPU time, want %.3f s", background, float64(compiler))
	}
	for _, share := range []float64{.7, 1.2} {
		e.SingleCPU = []float64{share * told.CPU, .9 * share * told.CPU, 1.1 * share * told.CPU}
		got, says := Single(t.Context(), m, e)
		one := got
		one.CPU.Cores = 1
		if c, _, err := costs(t.Context(), one, nil); err != nil || math.Abs(c.CPU/told.CPU/share-1) > .02 {
			t.Errorf("on one core the model takes %.3f s (error %v), runs %.3f s", c.CPU, err, share*told.CPU)
		}
		if !strings.Contains(says, "sets itself up otherwise") {
			t.Errorf("it is not said: %s", says)
		}
		if again, _ := Single(t.Context(), got, e); math.Abs(again.CPU.Single/got.CPU.Single-1) > 1e-9 {
			t.Errorf("the speed is %v, and then %v", got.CPU.Single, again.CPU.Single)
		}
		got.CPU.Single = 0
		if content(t, got) != content(t, m) {
			t.Error("more has changed than the speed of a core that is the only one")
		}
	}
	e.SingleCPU = e.SingleCPU[:leastPlain-1]
	if got, says := Single(t.Context(), m, e); says != "" || got.CPU.Single != 0 {
		t.Errorf("of %d runs a speed of %v is made: %q", leastPlain-1, got.CPU.Single, says)
	}
	if got, _ := Single(t.Context(), core.Model{CPU: core.CPU{Cores: 1}}, e); got.CPU.Single != 0 {
		t.Errorf("a model of one core has a speed of %v for one core", got.CPU.Single)
	}
}
