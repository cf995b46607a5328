package factor_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tierscope/analysis/factor"
)

// shop is a prolongation of six modules as it would be measured: times of 1 ms
// with 3 % noise, a run-wide factor for load from outside (a delay lasts as long as it is said
// to all the same), and two pairs that
// act on each other by 0.8 and 0.6 ms per ms: a with b, which share a lock, and
// c with d, which share nothing known.
func shop(seed uint64) *factor.Experiment {
	random := rand.New(rand.NewPCG(seed, 1))
	e := &factor.Experiment{Modules: strings.Split("a b c d e f", " "), Adjust: true,
		Carriers: [][]string{{"lock m"}, {"lock m", "lock x"}, nil, nil, {"lock y"}, nil}}
	effect := map[[2]int]float64{{0, 1}: .8, {1, 0}: .8, {2, 3}: .6, {3, 2}: .6}
	run := func(module int, delay float64) {
		r := factor.Run{Module: module, Delay: delay}
		load := math.Exp(0.3 * random.NormFloat64())
		for j := range e.Modules {
			t := 1e-3 * load
			if module >= 0 {
				t += effect[[2]int{module, j}] * delay
				if module == j {
					t += delay
				}
			}
			r.Times = append(r.Times, t*math.Exp(0.03*random.NormFloat64()))
		}
		e.Runs = append(e.Runs, r)
	}
	for range 8 {
		run(-1, 0)
	}
	for i := range e.Modules {
		for _, level := range []float64{.5, 1, 1.5} {
			run(i, level*1e-3)
			run(i, level*1e-3)
		}
	}
	return e
}

// Modules that were made to depend on each other are found, with size, the lock
// that carries it, and no others, although load from outside moves all times by
// 30 %. A correct program fails for about 1 of 30 other seeds.
func TestDependenciesAreRecoveredUnderLoadFromOutside(t *testing.T) {
	t.Parallel()
	a, err := factor.Analyse(shop(1), factor.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var pairs []string
	for _, d := range a.Latent() {
		pairs = append(pairs, d.A+d.B)
	}
	slices.Sort(pairs)
	if !slices.Equal(pairs, []string{"ab", "cd"}) {
		t.Errorf("latent dependencies %v, made with ab and cd", pairs)
	}
	if s := a.Sensitivities[0][1]; s.Lo > 0.8 || s.Hi < 0.8 {
		t.Errorf("b takes %.2f [%.2f, %.2f] longer per second put into a, made with 0.8", s.Slope, s.Lo, s.Hi)
	}
	for _, d := range a.Latent() {
		text := d.Sentence()
		if d.A == "a" && !strings.Contains(text, "they share lock m") || d.A == "c" && !strings.Contains(text, "no lock is common") {
			t.Errorf("the sentence is %q", text)
		}
	}
	if agree, n := factor.Agreement(a, a); math.Abs(agree-1) > 1e-9 || n != 30 {
		t.Errorf("an analysis agrees with itself by %g over %d pairs", agree, n)
	}
}

// Two experiments with the same dependencies may differ in the number of factors that
// parallel analysis finds, but not in the modules that move together once as many are
// extracted from both.
func TestExperimentsAreComparedWithTheSameNumberOfFactors(t *testing.T) {
	t.Parallel()
	a, err := factor.Analyse(shop(1), factor.Options{})
	if err != nil {
		t.Fatal(err)
	}
	own := len(a.Groups())
	same, err := a.WithFactors(own)
	if err != nil || !slices.EqualFunc(same.Groups(), a.Groups(), slices.Equal) {
		t.Errorf("with its own %d factors the groups are %v (%v), before %v", own, same.Groups(), err, a.Groups())
	}
	b, err := factor.Analyse(shop(2), factor.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b, err = b.WithFactors(own + 1)
	if err != nil || len(b.Groups()) != own+1 || len(a.Groups()) != own {
		t.Fatalf("%d factors instead of %d (%v), and the first analysis has %d of %d", len(b.Groups()), own+1, err, len(a.Groups()), own)
	}
	if b, err = b.WithFactors(own); err != nil {
		t.Fatal(err)
	}
	sets := func(groups [][]string) (keys []string) {
		for _, g := range groups {
			g = slices.Sorted(slices.Values(g))
			keys = append(keys, strings.Join(g, ""))
		}
		slices.Sort(keys)
		return keys
	}
	if x, y := sets(a.Groups()), sets(b.Groups()); !slices.Equal(x, y) {
		t.Errorf("modules that move together: %v and %v", x, y)
	}
}

func TestACallIsNoLatentDependency(t *testing.T) {
	t.Parallel()
	e := shop(1)
	e.Calls = make([][]bool, 6)
	for i := range e.Calls {
		e.Calls[i] = make([]bool, 6)
	}
	e.Calls[2][3] = true
	a, err := factor.Analyse(e, factor.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range a.Dependencies {
		if d.Latent != (d.A == "a") {
			t.Errorf("%s–%s: latent is %v; c calls d", d.A, d.B, d.Latent)
		}
	}
}

// The slope and its interval against the textbook line: x = 0, 0, 1, 1 and y = 1,
// 2, 4, 5: b = 3, s² = 1/2, b ± t₀.₉₇₅,₂·√(s²/Sxx) = 3 ± 4.3027·√0.5.
func TestASensitivityIsTheSlopeOfTheTextbook(t *testing.T) {
	t.Parallel()
	e := &factor.Experiment{Modules: []string{"a", "b"}}
	for _, r := range [][3]float64{{-1, 0, 1}, {-1, 0, 2}, {0, 1, 4}, {0, 1, 5}} {
		e.Runs = append(e.Runs, factor.Run{Module: int(r[0]), Delay: r[1], Times: []float64{1 + r[1], r[2]}})
	}
	s := e.Sensitivities()[0][1]
	half := 4.302653 * math.Sqrt(0.5)
	if math.Abs(s.Slope-3) > 1e-9 || math.Abs(s.Hi-3-half) > 1e-5 || math.Abs(3-half-s.Lo) > 1e-5 {
		t.Errorf("slope %g [%g, %g], want 3 ± %g", s.Slope, s.Lo, s.Hi, half)
	}
}

func TestRunsThatCannotBeUsedAreRefused(t *testing.T) {
	t.Parallel()
	for want, e := range map[string]*factor.Experiment{
		"at least 2":      {Modules: []string{"a"}},
		"want 2":          {Modules: []string{"a", "b"}, Runs: []factor.Run{{Times: []float64{1}}}},
		`"b" is 0: it mu`: {Modules: []string{"a", "b"}, Runs: []factor.Run{{Times: []float64{1, 0}}}},
	} {
		if _, err := factor.Analyse(e, factor.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one about %q", err, want)
		}
	}
}

// y = 1 + 0.2·delay, and 0.5·delay more where the delay touched memory, without noise: the
// sensitivity to touching is 0.5, and 0 for a module that only competes for cores.
func TestWhatTouchingMemoryAddsIsToldFromWhatComputingDoes(t *testing.T) {
	t.Parallel()
	e := factor.Experiment{Modules: []string{"a", "b", "c"}}
	add := func(module int, delay float64, control bool) {
		b, c := 1+0.2*delay, 1+0.3*delay
		if !control {
			b += 0.5 * delay
		}
		e.Runs = append(e.Runs, factor.Run{Module: module, Delay: delay, Times: []float64{1 + delay, b, c}, Control: control})
	}
	for range 4 {
		add(factor.Nothing, 0, false)
	}
	for _, d := range []float64{0.1, 0.2, 0.3} {
		add(0, d, false)
		add(0, d, true)
	}
	touching := e.Touching()
	if s := touching[0][1]; math.Abs(s.Slope-0.5) > 1e-9 || !s.Significant {
		t.Errorf("touching memory in a slows b by %+v, want 0.5 s per s", s)
	}
	if s := touching[0][2]; math.Abs(s.Slope) > 1e-9 {
		t.Errorf("touching memory in a slows c by %+v, want nothing: computing slows it as much", s)
	}
	if s := e.Sensitivities()[0][1]; math.Abs(s.Slope-0.7) > 1e-9 {
		t.Errorf("a delay of a slows b by %+v, want 0.7 in all", s)
	}
	if plain := (&factor.Experiment{Modules: e.Modules, Runs: e.Runs[:4]}).Touching(); plain != nil {
		t.Errorf("without runs to compare with the answer is %v, want none", plain)
	}
}
