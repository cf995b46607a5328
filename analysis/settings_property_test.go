package analysis

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tierscope/analysis/runtimes"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// someSettings draws what a scan might say of a program: settings with and without a
// known number, given or not, that decide the same few places by various formulas.
func someSettings(t *rapid.T, places []trace.Frame) (inputs []trace.Setting, w trace.Workload) {
	small := rapid.SampledFrom([]float64{0, 0, 1, 2, 3, 3, 4, 4, 5, 8, 12, 16})
	kinds := rapid.SampledFrom([]trace.UseKind{trace.UseSpawn, trace.UseSpawn, trace.UseCapacity, trace.UseCapacity, trace.UseLoop, trace.UseLoop,
		trace.UseLimit, trace.UseDivisor, trace.UseStride, trace.UseCores, trace.UseRate})
	names := []string{"-a", "-b", "-cores", "D", "runtime.NumCPU()", "runtime.GOMAXPROCS(0)"}
	for _, name := range names {
		s := trace.Setting{Name: name, Env: name == "D", Machine: map[string]trace.Machine{names[4]: trace.MachineCPUs, names[5]: trace.MachineCores}[name]}
		if s.Machine == "" {
			s.Initial = small.Draw(t, "initial")
			if given := rapid.SampledFrom([]string{"", "", "1", "2", "3", "4", "8", "12", "2.5", "many"}).Draw(t, "given"); given != "" {
				if s.Env {
					w.Env = map[string]string{name: given}
				} else {
					w.Args = append(w.Args, name+"="+given)
				}
			}
		}
		for range rapid.IntRange(0, 6).Draw(t, "uses") {
			u := trace.SettingUse{Kind: kinds.Draw(t, "kind"), Frame: rapid.SampledFrom(places).Draw(t, "place"), Loose: rapid.IntRange(0, 5).Draw(t, "loose") == 0}
			if rapid.Bool().Draw(t, "formula") {
				u.Value = core.Linear{Factor: rapid.SampledFrom([]float64{0, 0.5, 2, -1}).Draw(t, "factor"), Offset: rapid.SampledFrom([]float64{0, 1, -1, 4}).Draw(t, "offset"),
					Min: rapid.SampledFrom([]float64{0, 1, 2}).Draw(t, "min"), Max: rapid.SampledFrom([]float64{0, 4, 12}).Draw(t, "max")}
			}
			if s.Machine != "" && rapid.Bool().Draw(t, "default") {
				u.Default = "-a"
			}
			s.Uses = append(s.Uses, u)
		}
		inputs = append(inputs, s)
	}
	for _, word := range []string{"3", "threads=2", "4"} {
		if rapid.IntRange(0, 3).Draw(t, "word") == 0 {
			w.Args = append(w.Args, word)
		}
	}
	return inputs, w
}

// turned returns the paths whose numbers differ.
func turned(a, b *core.Model) (paths []string) {
	is := b.Knobs()
	for i, k := range a.Knobs() {
		if math.Abs(k.Value-is[i].Value) > 1e-9*math.Abs(k.Value) {
			paths = append(paths, k.Path)
		}
	}
	return paths
}

// Whatever the scan says of a program: no path has two drivers, the model is valid, at
// its defaults every driven number is that of the run, and turning a parameter changes
// its own paths and those of its followers alone.
func TestEveryPathHasOneDriver(t *testing.T) {
	t.Parallel()
	programs := map[string]func(a, b int) *script{
		"map and reduce": func(a, b int) *script { return mapreduce(a, b) },
		"workers":        func(a, _ int) *script { return workers(a) },
		"relaxation":     func(int, int) *script { return relaxation() },
		"producer":       func(a, b int) *script { return producer(a * b) },
		"semaphore":      func(int, int) *script { return semaphore() },
	}
	rapid.Check(t, func(t *rapid.T) {
		program := rapid.SampledFrom([]string{"map and reduce", "map and reduce", "workers", "relaxation", "producer", "semaphore"}).Draw(t, "program")
		s := programs[program](rapid.IntRange(1, 4).Draw(t, "a"), rapid.IntRange(1, 4).Draw(t, "b"))
		s.trace.Runtime = rapid.SampledFrom([]trace.Runtime{{}, runtimes.Go(), runtimes.Java()}).Draw(t, "run-time system")
		s.trace.Calibration.Cores = rapid.IntRange(1, 4).Draw(t, "CPUs")
		places := []trace.Frame{{}}
		for _, site := range s.trace.Sites {
			places = append(places, site.Frames[0])
		}
		for _, name := range []string{"make", "go worker", "go mapper", "go reducer"} { // of which most numbers are
			if i, has := s.sites["main.main "+name]; has {
				places = slices.Concat(places, slices.Repeat([]trace.Frame{s.trace.Sites[i].Frames[0]}, 4))
			}
		}
		inputs, work := someSettings(t, places)
		in := trail.Input{Trace: s.trace, Facts: &trace.Facts{Inputs: inputs}, Workload: work}
		m, _, err := Build(in, trail.Options{Scaling: rapid.SampledFrom([]trail.Scaling{"", trail.ScalingWeak, trail.ScalingStrong}).Draw(t, "scaling")})
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		drivers(t, m)
		for _, w := range m.Warnings() {
			if strings.HasPrefix(w, "parameter") { // a number at the defaults that is not that of the run
				t.Error(w)
			}
		}
		for _, p := range m.Parameters {
			turns := map[string]bool{}
			moved := map[string]bool{p.Name: true}
			for range m.Parameters { // followers of followers
				for _, q := range m.Parameters {
					moved[q.Name] = moved[q.Name] || q.Follows != nil && moved[q.Follows.Parameter]
					for _, target := range q.Targets {
						turns[target.Path] = turns[target.Path] || moved[q.Name]
					}
				}
			}
			for _, v := range []float64{p.Min, p.Default, min(p.Max, p.Default+1), min(p.Max, 3*p.Default)} {
				with, err := m.With(map[string]float64{p.Name: v})
				if err != nil {
					t.Fatal(err)
				}
				changed := turned(m, &with)
				if i := slices.IndexFunc(changed, func(path string) bool { return !turns[path] }); i >= 0 {
					t.Errorf("%s = %g changes %s, which neither it nor a follower drives", p.Name, v, changed[i])
				}
				if v == p.Default && len(changed) > 0 {
					t.Errorf("%s at its default changes %v", p.Name, changed)
				}
			}
		}
	})
}
