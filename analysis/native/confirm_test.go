package native

import (
	"debug/elf"
	"maps"
	"slices"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/core"
)

// pigz(1) uses 2·p + 3 buffers for p threads that compress, and one thread that writes whatever p is. All are started by one wrapper.
func TestWhatGrowsWithANumberFollowsIt(t *testing.T) {
	t.Parallel()
	launch, stock := trace.Frame{Function: "launch", Line: 1}, trace.Frame{Function: "stock", Line: 2}
	compressors := spotOf([]trace.Frame{launch, {Function: "parallel_compress", Line: 3}})
	writer := spotOf([]trace.Frame{launch, {Function: "parallel_compress", Line: 4}})
	of := func(p int) counts {
		return counts{trace.UseSpawn: {compressors: p, writer: 1}, trace.UseLimit: {{at: stock}: 2*p + 3}}
	}
	uses := of(2).follow(of(3), 2)
	want := []trace.SettingUse{
		{Kind: trace.UseSpawn, Frame: launch, Value: core.Linear{Factor: 1}},
		{Kind: trace.UseLimit, Frame: stock, Value: core.Linear{Factor: 2, Offset: 3}},
	}
	if len(uses) != len(want) || uses[0] != want[0] || uses[1] != want[1] {
		t.Errorf("what follows p is %+v, want %+v", uses, want)
	}
}

// A vector of threads starts the second and the third where it moves, and the fourth where it has room. There is one more of
// them in all.
func TestThreadsOfOneKindAreCountedTogether(t *testing.T) {
	t.Parallel()
	moves, room := spot{at: trace.Frame{Function: "main", Line: 1}, kind: "work main"}, spot{at: trace.Frame{Function: "main", Line: 2}, kind: "work main"}
	uses := counts{trace.UseSpawn: {moves: 3}}.follow(counts{trace.UseSpawn: {moves: 3, room: 1}}, 3)
	if want := (trace.SettingUse{Kind: trace.UseSpawn, Frame: moves.at, Value: core.Linear{Factor: 1}}); len(uses) != 1 || uses[0] != want {
		t.Errorf("what follows the number is %+v, want %+v", uses, want)
	}
}

// Amdahl (1967): of a fixed amount of work each of n threads does 1/n, and if who starts them does a part, too, 1/(n+1).
// Gustafson (1988): or the work grows with the threads.
func TestThreadsShareTheirWorkOrBringTheirOwn(t *testing.T) {
	t.Parallel()
	at := spot{at: trace.Frame{Function: "main", Line: 1}, kind: "work main"}
	share := func(ns float64) map[string]float64 { return map[string]float64{"work main": ns} }
	for _, c := range []struct {
		name               string
		value, threads     int
		computes, computed float64
		want               trace.UseKind
		sure               bool
	}{
		{"two share, then three", 2, 2, 600, 400, trace.UseDivisor, true},
		{"and not evenly", 2, 2, 600, 440, trace.UseDivisor, true},
		{"eight share, then nine", 8, 8, 900, 800, trace.UseDivisor, true},
		{"who starts two shares, then who starts three", 3, 2, 400, 300, trace.UseDivisor, true},
		{"two bring their own, then three", 2, 2, 600, 600, trace.UseOwn, true},
		{"and are slower side by side", 2, 2, 600, 660, trace.UseOwn, true},
		{"three on two cores have cold caches", 2, 2, 600, 500, trace.UseOwn, false},
		{"as often", 2, 2, 600, 480, trace.UseDivisor, false},
	} {
		base, next := counts{trace.UseSpawn: {at: c.threads}}, counts{trace.UseSpawn: {at: c.threads + 1}}
		how, sure := base.divided(next, base.follow(next, c.value), c.value, share(c.computes), share(c.computed))
		if len(how) != 1 || how[0].Kind != c.want || how[0].Frame != at.at || sure != c.sure {
			t.Errorf("%s: %+v, sure %v, want %s, %v", c.name, how, sure, c.want, c.sure)
		}
	}
	other := spot{at: at.at, calls: " reader", kind: "read main"} // started at the same place, always one
	base, next := counts{trace.UseSpawn: {at: 2, other: 1}}, counts{trace.UseSpawn: {at: 3, other: 1}}
	how, _ := base.divided(next, base.follow(next, 2), 2, map[string]float64{"work main": 600, "read main": 10}, map[string]float64{"work main": 400, "read main": 10})
	if len(how) != 1 || how[0].Kind != trace.UseDivisor {
		t.Errorf("what another thread does says %+v", how)
	}
	if got := least(map[string]float64{"a": 3, "b": 4, "c": 5}, map[string]float64{"a": 2, "b": 6}); !maps.Equal(got, map[string]float64{"a": 2, "b": 4, "c": 5}) {
		t.Errorf("the least is %v", got)
	}
}

// testdata/programs/c/blocks.c takes the numbers of blocks, of threads and of buffers. Runs with one thread more and one buffer more
// tell which is which.
func TestNumbersAreTriedInRunsOfTheProgram(t *testing.T) {
	t.Parallel()
	exe := compiled(t, "cc", "blocks.c", "-O2", "-s", "-pthread", "-lm")
	facts, err := front().Scan(t.Context(), workload(exe, "300", "2", "5"), nil, t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	uses := map[string]map[trace.UseKind]core.Linear{}
	for _, s := range facts.Inputs {
		uses[s.Name] = map[trace.UseKind]core.Linear{}
		for _, u := range s.Uses {
			uses[s.Name][u.Kind] = u.Value
		}
	}
	if got, ok := uses["argument 2"][trace.UseSpawn]; !ok || got.At(4) != 4 {
		t.Errorf("argument 2 decides %+v, want the threads", uses["argument 2"])
	}
	if got, ok := uses["argument 3"][trace.UseLimit]; !ok || got.At(7) != 7 {
		t.Errorf("argument 3 decides %+v, want the buffers", uses["argument 3"])
	}
	if _, tried := uses["argument 1"]; tried {
		t.Error("the number of blocks was tried, of which there are no threads or buffers")
	}
}

// OpenMP 5.0, §6.2: the variable says how many threads a team has, as many as there are cores where it does not stand. So it is a setting of programs
// with teams, given or not, and of no others.
func TestTheThreadsOfTeamsAreASettingThatNobodyGave(t *testing.T) {
	for _, c := range []struct {
		source   string
		env      map[string]string
		inherits string
		want     []int
	}{
		{"exam-openmp.c", nil, "", []int{4}},
		{"exam-openmp.c", map[string]string{"LANG": "C"}, "7", []int{7}},
		{"exam-openmp.c", map[string]string{teamThreads: "3"}, "7", nil},
		{"exam.c", nil, "7", nil},
	} {
		t.Setenv(teamThreads, c.inherits)
		f, err := elf.Open(compiled(t, "gcc", c.source, "-O2", "-fopenmp", "-pthread", "-lm"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		w := trace.Workload{Env: c.env, Cores: 4}
		var got []int
		for _, n := range unsaid(f, w) {
			got = append(got, n.Value)
			if changed := n.In(w, 9).Env; changed[teamThreads] != "9" || changed["LANG"] != c.env["LANG"] || c.env[teamThreads] != "" {
				t.Errorf("%s: with another number the environment is %v", c.source, changed)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s with %v and %q: %v, want %v", c.source, c.env, c.inherits, got, c.want)
		}
	}
}
