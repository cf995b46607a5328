package analysis

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"tierscope/core"
	"tierscope/simulation"
)

// On one core code is four times as slow before it is compiled, and on two, where
// threads that compute it at the same time hinder each other, twice as slow as that. A recording on
// two cores cannot tell, but what plain runs take on one and on two does. The
// recording is of a host that was slower by a tenth than the plain runs'.
func TestPlainRunsOnOneCoreShowWhatCodeLosesInCompany(t *testing.T) {
	t.Parallel()
	const compiler, host = .4, 1.1
	var s *script
	var took [2]float64
	for i := range 2 {
		s = newScript()
		took[i], _ = s.compilesOn(float64(1+i), 4, 4, 600, .25)
	}
	s.trace.RecordedSystem, s.trace.Recorded, s.trace.ProcessCPU = compiler, took[1]+compiler, int64(1e9*(took[1]+compiler))
	for _, noise := range []float64{.99, 1, 1.01} {
		s.trace.Plain = append(s.trace.Plain, (noise*took[1]+compiler)/host)
		s.trace.PlainSystem = append(s.trace.PlainSystem, compiler/host)
		s.trace.PlainAlone = append(s.trace.PlainAlone, noise*took[0]/host)
	}
	m, r := s.build(t, Options{Threshold: -1, CPU: programCPU})
	c := compilerOf(m)
	if c == nil {
		t.Fatal("the model has no compiler")
	}
	for i, want := range took {
		with := *m
		with.CPU.Cores = 1 + i
		if got, err := programCPU(with); err != nil || math.Abs(got*host/want-1) > .02 {
			t.Errorf("on %d cores the model takes %.3f s (error %v), plain runs %.3f s", 1+i, got, err, want/host)
		}
	}
	done := 0.0
	for _, s := range c.Stages {
		if done += s.Demand; done < .2 {
			continue
		}
		if math.Abs(s.Slowdown/3-1) > .15 || math.Abs(s.Company/4-1) > .15 {
			t.Errorf("when half is compiled, the slowdown is %.2f alone and %.2f for another core, want 3 and 4: %+v", s.Slowdown, s.Company, c.Stages)
		}
		break
	}
	if text := strings.Join(r.Trust.Assumptions, "; "); !strings.Contains(text, "threads that compute at the same time") {
		t.Errorf("the trust report does not tell of it: %s", text)
	}
}

// What is too different is not for one factor, and fewer runs show nothing.
func TestAModelThatIsTooFarFromPlainRunsIsLeftAsRecorded(t *testing.T) {
	t.Parallel()
	for name, plain := range map[string][]float64{"twice as much": {2, 2, 2}, "two runs": {1.1, 1.1}} {
		s := newScript()
		recorded, _ := s.compiles(4, 600, .25)
		for _, factor := range plain {
			s.trace.Plain, s.trace.PlainSystem = append(s.trace.Plain, factor*recorded), append(s.trace.PlainSystem, 0)
			s.trace.PlainAlone = append(s.trace.PlainAlone, factor*recorded)
		}
		asked := 0
		m, _ := s.build(t, Options{Threshold: -1, CPU: func(m core.Model) (float64, error) {
			asked++
			return programCPU(m)
		}})
		if got := piece(m); math.Abs(got/1e-3-1) > .03 {
			t.Errorf("%s: a piece is %.3f ms of compiled code, want 1 ms as in the recorded run", name, 1e3*got)
		}
		if (asked == 0) != (len(plain) < leastPlain) {
			t.Errorf("%s: simulated %d times", name, asked)
		}
	}
}

// programCPU simulates the model of a program whose main thread waits for its workers, on cores
// that are shared evenly.
func programCPU(m core.Model) (float64, error) {
	m.CPU.Policy = core.ProcessorSharing
	m.Pools = slices.Clone(m.Pools)
	for i := range m.Pools {
		m.Pools[i].Main = false
	}
	r, err := simulation.Run(context.Background(), m, nil, simulation.Options{Replications: 3})
	if err != nil {
		return 0, err
	}
	took, cores := 0.0, 0.0
	for _, x := range r.Metrics {
		switch mean := x.Estimate.Mean; {
		case x.Name == "T" && x.Stat == "mean":
			took = mean
		case x.Name == "U" && x.Of == "cpu":
			cores += mean * float64(m.CPU.Cores)
		case x.Name == "N" && strings.HasPrefix(x.Of, "background/"):
			cores -= mean
		}
	}
	return took * cores, nil
}
