package core_test

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"tierscope/core"
)

// perCore is the web server of a program that starts two workers for every
// core but the first, eight at most, and keeps a disk speed of its own.
func perCore() core.Model {
	m := webServer()
	m.CPU.Cores = 3
	m.Parameters = []core.Parameter{
		{Name: "cores", Default: 3, Min: 1, Max: 64, Integer: true, Targets: []core.Target{{Path: "cpu/cores"}}},
		{Name: "workers", Default: 4, Min: 1, Max: 64, Integer: true, Targets: []core.Target{{Path: "pools/worker/size"}},
			Follows: &core.Follow{Parameter: "cores", Linear: core.Linear{Factor: 2, Offset: -2, Min: 1, Max: 8}}},
		{Name: "speed", Default: 1, Min: 0.1, Max: 10, Targets: []core.Target{{Path: "disks/sda/speed"}},
			Follows: &core.Follow{Parameter: "workers", Linear: core.Linear{Factor: 0.25}}},
	}
	m.Pools[0].Size = 4
	return m
}

// A program that starts as many workers as it has cores has more of them on a
// larger machine, unless somebody says how many.
func TestAParameterFollowsAnotherUnlessItIsSet(t *testing.T) {
	t.Parallel()
	m := perCore()
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		set            map[string]float64
		workers, speed float64
	}{
		{nil, 4, 1},
		{map[string]float64{"cores": 4}, 6, 1.5},
		{map[string]float64{"cores": 1}, 1, 0.25}, // at least one
		{map[string]float64{"cores": 16}, 8, 2},   // at most eight
		{map[string]float64{"cores": 16, "workers": 3}, 3, 0.75},
		{map[string]float64{"cores": 16, "pools/worker/size": 5}, 5, 1},
		{map[string]float64{"cores": 16, "speed": 2}, 8, 2},
		{map[string]float64{"cpu/cores": 16}, 4, 1}, // the resource alone
	} {
		out, err := m.With(c.set)
		if err != nil {
			t.Errorf("%v: %v", c.set, err)
			continue
		}
		for path, want := range map[string]float64{"pools/worker/size": c.workers, "disks/sda/speed": c.speed} {
			if k, err := out.Lookup(path); err != nil || k.Value != want {
				t.Errorf("with %v %s is %v (%v), want %v", c.set, path, k.Value, err, want)
			}
		}
	}
}

// "a file … unknown keys are errors": what a parameter follows survives the
// file, and changes the hash that results are kept under.
func TestWhatAParameterFollowsIsPartOfTheDocument(t *testing.T) {
	t.Parallel()
	m := perCore()
	var b bytes.Buffer
	if err := core.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	back, err := core.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	if core.Hash(back) != core.Hash(m) || *back.Parameters[1].Follows != *m.Parameters[1].Follows {
		t.Errorf("read back: follows %v, want %v", back.Parameters[1].Follows, m.Parameters[1].Follows)
	}
	back.Parameters[1].Follows = nil
	if core.Hash(back) == core.Hash(m) {
		t.Error("the hash does not tell whether a parameter follows another")
	}
}

func TestDefectsOfWhatParametersFollowAreReported(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(ps []core.Parameter){
		`follows "core", which is no parameter; did you mean "cores"?`: func(ps []core.Parameter) { ps[1].Follows.Parameter = "core" },
		`follows itself`: func(ps []core.Parameter) { ps[1].Follows.Parameter = "speed" },
		`above max 8`:    func(ps []core.Parameter) { ps[1].Follows.Min = 9 },
	} {
		m := perCore()
		m.Parameters = slices.Clone(m.Parameters)
		change(m.Parameters)
		if err := m.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error that says %q", err, want)
		}
	}
	m := perCore()
	m.Parameters[1].Follows.Offset = -1
	if w := m.Warnings(); !slices.ContainsFunc(w, func(s string) bool { return strings.Contains(s, "follows 2·cores − 1") }) {
		t.Errorf("warnings %q, want one about a default that is not what it follows", w)
	}
}

// Any two of the parameters may be swept together: what is set stays as it is.
func TestResolvedKeepsWhatIsSet(t *testing.T) {
	t.Parallel()
	m := perCore()
	all := m.Defaults()
	if got := m.Resolved(all); !maps.Equal(got, all) {
		t.Errorf("resolved %v to %v", all, got)
	}
	if got := m.Beside(map[string]float64{"cores": 4}); len(got) != 0 {
		t.Errorf("with cores = 4 %v keep their defaults, want none: workers follow cores, speed follows workers", got)
	}
	if got, want := m.Beside(map[string]float64{"cores": 3}), map[string]float64{"workers": 4, "speed": 1}; !maps.Equal(got, want) {
		t.Errorf("with cores as in the run %v keep their defaults, want %v", got, want)
	}
}
