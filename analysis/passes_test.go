package analysis_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tierscope/analysis"
	"tierscope/analysis/corpus"
	"tierscope/analysis/pcg"
	"tierscope/analysis/trail"
)

// Every pass keeps its word on every recording: it changes nothing but what it makes, and leaves a
// trail behind in which everything fits together.
func TestPassesChangeOnlyWhatTheyMake(t *testing.T) {
	t.Parallel()
	for _, name := range recordings(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr := trail.New(load(t, name), trail.Options{Threshold: pcg.DefaultThreshold, CheckPasses: true}, nil)
			for _, p := range analysis.Passes() {
				if err := analysis.Apply(tr, p); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// What a pass needs has been made: by a pass before it, unless it is one of the records'.
func TestPassesNeedWhatWasMade(t *testing.T) {
	made := []trail.Facet{trail.Threads, trail.Regions, trail.Conditions, trail.Counters, trail.Messages, trail.Sleeps}
	names := map[string]bool{}
	for _, p := range analysis.Passes() {
		if names[p.Name] {
			t.Errorf("two passes are called %q", p.Name)
		}
		names[p.Name] = true
		for _, f := range p.Needs {
			if !slices.Contains(made, f) {
				t.Errorf("pass %q needs %q, which no pass before it makes", p.Name, f)
			}
		}
		made = append(made, p.Makes...)
	}
}

// recordings are those of the corpus, in a short test every sixth of them.
func recordings(t *testing.T) (names []string) {
	t.Helper()
	all, err := corpus.Names()
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range all {
		if i%6 == 0 || !testing.Short() {
			names = append(names, name)
		}
	}
	return names
}

func load(t *testing.T, name string) trail.Input {
	t.Helper()
	in, err := corpus.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// What needs and makes do not forbid may be swapped: the models are the same. Each recording is built in an
// order of its own, drawn from all that the contracts allow.
func TestPassesMayStandInAnyOrderThatTheirContractsAllow(t *testing.T) {
	t.Parallel()
	for i, name := range recordings(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := load(t, name)
			order := shuffled(rand.New(rand.NewPCG(uint64(i), 1)), analysis.Passes())
			usual, other := builtBy(t, analysis.Passes(), in), builtBy(t, order, in)
			if d := other.Difference(usual); other.Hashes() != usual.Hashes() {
				t.Errorf("in the order %v the model is another one: %s", namesOf(order), d)
			}
		})
	}
}

// shuffled returns passes in an order drawn at random, in which none that may not be swapped are.
func shuffled(r *rand.Rand, ps []analysis.Pass) (out []analysis.Pass) {
	left := slices.Clone(ps)
	for len(left) > 0 {
		var free []int // those before which nothing has to stand
		for i := range left {
			if !slices.ContainsFunc(left[:i], func(p analysis.Pass) bool { return !analysis.MayBeSwapped(p, left[i]) }) {
				free = append(free, i)
			}
		}
		i := free[r.IntN(len(free))]
		out = append(out, left[i])
		left = slices.Delete(left, i, i+1)
	}
	return out
}

// builtBy is the fingerprint of what passes make of a recording, whatever the order of the sentences in its report.
func builtBy(t *testing.T, passes []analysis.Pass, in trail.Input) corpus.Fingerprint {
	t.Helper()
	m, r, err := analysis.BuildBy(passes, in, trail.Options{Threshold: pcg.DefaultThreshold}, nil)
	if err != nil || m.Validate() != nil {
		return corpus.Fingerprint{}
	}
	for _, said := range [][]string{r.Trust.Assumptions, r.Trust.Warnings, m.Provenance.Warnings} {
		slices.Sort(said)
	}
	f, err := corpus.Of(*m, r.Trust)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func namesOf(ps []analysis.Pass) (names []string) {
	for _, p := range ps {
		names = append(names, p.Name)
	}
	return names
}
