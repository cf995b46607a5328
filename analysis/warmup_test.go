package analysis

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tierscope/analysis/demand"
	"tierscope/analysis/runtimes"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// compiles adds n threads that compute pieces of about 1 ms on two cores, and a
// compiler that shares these evenly with them while it has work: of 0.4 s, after
// the first half of which the program goes from a quarter of its speed to a half,
// and to full speed after the rest.
func (s *script) compiles(n, pieces int, speeds ...float64) (recorded, slow float64) {
	return s.compilesOn(2, 0, n, pieces, speeds...)
}

// compilesOn is compiles on one or two cores; what is not compiled is slower by
// company where both compute for the program.
func (s *script) compilesOn(cores, company float64, n, pieces int, speeds ...float64) (recorded, slow float64) {
	const work, tick = 0.4e9, 1e4 // ns
	random := rand.New(rand.NewPCG(1, 2))
	speed := func(done float64) float64 {
		if i := int(done / work * float64(len(speeds))); i < len(speeds) {
			return speeds[i]
		}
		return 1
	}
	main := s.thread("main", nil, 0)
	var ws []*actor
	left, spent := make([]float64, n), make([]float64, n)
	todo := make([]int, n)
	for i := range n {
		ws = append(ws, s.thread("worker", main, 0))
		left[i], todo[i] = 1e6*(0.5+random.Float64()), pieces
	}
	done, reported, now := 0.0, 0.0, 0.0
	for next := 10e6; ; {
		alive := 0
		for i := range n {
			if todo[i] > 0 {
				alive++
			}
		}
		if alive == 0 {
			break
		}
		share, v := min(1, cores/float64(alive)), speed(done)
		if done < work {
			share = min(1, cores/float64(alive+1))
			done = min(work, done+share*tick)
		}
		if own := share * float64(alive); v < 1 && own > 1 { // two cores compute for own−1 of the time, else one
			v = 1 / (1/v + company*2*(own-1)/own)
		}
		now += tick
		for i := range n {
			if todo[i] == 0 {
				continue
			}
			left[i] -= share * tick * v
			spent[i] += share * tick
			slow += share * tick * (1 - v)
			if left[i] <= 0 {
				ws[i].cpu += int64(spent[i])
				ws[i].now = int64(now)
				recorded += spent[i]
				ws[i].does(trace.OpFileRead, "piece", 0, 1, 0)
				left[i], spent[i] = 1e6*(0.5+random.Float64()), 0
				todo[i]--
			}
		}
		if now >= next {
			c := trace.Compiling{Start: int64(next - 10e6), End: int64(next), CPU: int64(done - reported)}
			if done < work {
				c.Ready = 10e6 - c.CPU
			}
			s.trace.Compiler = append(s.trace.Compiler, c)
			reported = done
			next += 10e6
		}
	}
	for _, w := range ws {
		w.ends()
		main.now = max(main.now, w.now)
	}
	main.ends()
	s.trace.Runtime, s.trace.Compilers = runtimes.Java(), 1
	return recorded * 1e-9, slow * 1e-9
}

// compilerOf is the compiler of a model, nil if it has none.
func compilerOf(m *core.Model) *core.Background {
	i := slices.IndexFunc(m.Background, func(b core.Background) bool { return b.Trigger == core.WarmingUp })
	if i < 0 {
		return nil
	}
	return &m.Background[i]
}

// piece is what the model's workers compute for one piece, in s.
func piece(m *core.Model) float64 {
	sum, n := 0.0, 0.0
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if g.ID == "worker" && f.Class == core.CPUFragment {
				sum += f.Demand.Expectation() * float64(f.Demand.Samples)
				n += float64(f.Demand.Samples)
			}
		}
	}
	return sum / n
}

// From one run with four threads the demands of compiled code come back, how much
// slower it was before, and the compilers' work until then.
func TestOneRunShowsHowSlowCodeIsBeforeItIsCompiled(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.compiles(4, 600, .25, .5)
	m, r := s.build(t, trail.Options{Threshold: -1})
	c := compilerOf(m)
	if c == nil {
		t.Fatalf("the model has no compiler; %q", r.Trust.Assumptions)
	}
	if got := piece(m); math.Abs(got/1e-3-1) > .03 {
		t.Errorf("a piece is %.3f ms of compiled code, want 1 ms", 1e3*got)
	}
	for _, want := range []struct{ work, slowdown float64 }{{.1, 3}, {.3, 1}} {
		done, at := 0.0, 0.0
		for _, s := range c.Stages {
			if done += s.Demand; done >= want.work {
				at = s.Slowdown
				break
			}
		}
		if math.Abs(at/want.slowdown-1) > .1 {
			t.Errorf("when %.1f s are compiled the slowdown is %.2f, want %.0f: %+v", want.work, at, want.slowdown, c.Stages)
		}
	}
	if got := demand.WorkUntilFull(c.Stages); math.Abs(got-.4) > .02 {
		t.Errorf("the program is slow until %.3f s are compiled, want 0.4 s", got)
	}
	// When the compiler had done 0.2 of its 0.4 s, the four threads had computed 0.8 s at a quarter of full speed: what made
	// them faster then had been begun in the second half of that.
	for i, s := range c.Stages[1:] {
		if before := c.Stages[i]; before.Slowdown > 2.5 && s.Slowdown < 1.5 && !(before.After > .1 && before.After < .2) {
			t.Errorf("what makes code fast was there after %.3f s of the program's work, want 0.1 to 0.2 s: %+v", before.After, c.Stages)
		}
	}
	if text := strings.Join(r.Trust.Assumptions, "; "); !strings.Contains(text, "s of work, code took") {
		t.Errorf("the trust report does not tell of it: %s", text)
	}
}

// Probes are compiled as well. If the compilers of plain runs have half as much to
// do, the program is slow for half as long: what it needs of CPU time at full speed and
// half of what slowness cost make what plain runs take.
func TestLessToCompileMeansSlowForAShorterTime(t *testing.T) {
	t.Parallel()
	s := newScript()
	recorded, slow := s.compiles(4, 600, .25)
	s.trace.RecordedSystem, s.trace.PlainSystem = .4, []float64{.2, .2, .2}
	s.trace.Recorded = recorded + .4
	s.trace.ProcessCPU = int64(1e9 * s.trace.Recorded)
	plain := recorded - slow/2 + .2
	s.trace.Plain = []float64{plain, plain, plain}
	m, _ := s.build(t, trail.Options{Threshold: -1})
	c := compilerOf(m)
	if c == nil {
		t.Fatal("the model has no compiler")
	}
	if got := c.Work(); math.Abs(got/.2-1) > .03 {
		t.Errorf("the compiler works for %.3f s, want 0.2 s", got)
	}
	if got := piece(m); math.Abs(got/1e-3-1) > .03 {
		t.Errorf("a piece is %.3f ms of compiled code, want 1 ms", 1e3*got)
	}
}

// Pieces that differ by themselves are no sign of a slow start, and the compilers'
// work is a load like the collector's, all of it.
func TestWithoutASlowStartCompilingIsALoad(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.compiles(4, 600, 1)
	m, _ := s.build(t, trail.Options{Threshold: -1})
	if c := compilerOf(m); c != nil {
		t.Fatalf("the model has a compiler: %+v", c.Stages)
	}
	if len(m.Background) != 1 {
		t.Fatalf("%d kinds of background work, want the compiler's", len(m.Background))
	}
	work := 4 * 600 * piece(m)
	if got := work / m.Background[0].Interval.Expectation() * m.Background[0].Demand.Expectation(); math.Abs(got/.4-1) > .02 {
		t.Errorf("background work is %.3f s, want 0.4 s", got)
	}
}

// A program that does nothing twice does not show how slow it was.
func TestWhatIsDoneOnceDoesNotShowASlowStart(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.compiles(2, 3, .25)
	m, r := s.build(t, trail.Options{Threshold: -1})
	if c := compilerOf(m); c != nil {
		t.Errorf("the model has a compiler: %+v", c.Stages)
	}
	if text := strings.Join(r.Trust.Assumptions, "; "); !strings.Contains(text, "how slow code is before it is compiled is not known") {
		t.Errorf("the trust report does not say so: %s", text)
	}
}

// 1 3 2 4 becomes 1 2½ 2½ 4; if the 2 counts three times, 1 2¼ 2¼ 4.
func TestValuesThatFallArePooled(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ weights, want []float64 }{
		{[]float64{1, 1, 1, 1}, []float64{1, 2.5, 2.5, 4}},
		{[]float64{1, 1, 3, 1}, []float64{1, 2.25, 2.25, 4}},
	} {
		values := []float64{1, 3, 2, 4}
		if demand.Isotonic(values, c.weights); !slices.Equal(values, c.want) {
			t.Errorf("weights %v: %v, want %v", c.weights, values, c.want)
		}
	}
}
