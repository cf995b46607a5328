package analysis

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
	"tierscope/analysis/ownership"
	"tierscope/analysis/pcg"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// randomScript is a thread that computes between operations on two locks and
// at a few other places.
func randomScript(t *rapid.T) *script {
	s := newScript()
	a := s.thread("main", nil, 0)
	for range rapid.IntRange(1, 80).Draw(t, "steps") {
		a.compute(rapid.Int64Range(0, 5000).Draw(t, "cpu"))
		place := rapid.IntRange(0, 3).Draw(t, "place")
		switch rapid.IntRange(0, 2).Draw(t, "what") {
		case 0:
			l := uint64(place%2 + 1)
			a.does(trace.OpLock, fmt.Sprintf("lock %d", place), l, 0, 1)
			a.compute(rapid.Int64Range(0, 3000).Draw(t, "inside"))
			a.does(trace.OpUnlock, fmt.Sprintf("unlock %d", place), l, 0, 1)
		case 1:
			a.does(trace.OpStat, fmt.Sprintf("stat %d", place), 0, 0, 10)
		case 2:
			a.does(trace.OpYield, fmt.Sprintf("yield %d", place), 0, 0, 0)
		}
	}
	a.compute(100).ends()
	return s
}

// sequencesWithLocks returns the sequences of a script with their resources.
func sequencesWithLocks(s *script) []*trail.Sequence {
	qs, _ := sequencesOf(s.trace, nil)
	ownership.FindResources(s.trace, []*trail.Pool{{Name: "main", Sequences: qs}})
	return qs
}

func cpuBy(qs []*trail.Sequence) (total int64, under map[string]int64) {
	under = map[string]int64{}
	for _, q := range qs {
		q.Held(func(i int, locks []*trail.Resource) {
			total += q.Steps[i].Gap + q.Steps[i].CPU
			key := ""
			for _, l := range locks {
				key += l.ID + ";"
			}
			under[key] += q.Steps[i].Gap
		})
	}
	return total, under
}

func executions(qs []*trail.Sequence) map[string]int {
	n := map[string]int{}
	for _, q := range qs {
		for i := range q.Steps {
			n[q.Steps[i].Node.Key]++
		}
	}
	return n
}

// Folding insignificant computations loses neither time nor executions: the
// CPU time of the thread, that under every lock, and the number of executions
// of every operation stay the same, whatever t.
func TestFoldingComputationsConservesTimeAndProbabilityMass(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		qs := sequencesWithLocks(randomScript(t))
		total, under := cpuBy(qs)
		visits := executions(qs)
		pcg.FoldComputations(qs, rapid.Float64Range(0, 0.6).Draw(t, "t"))
		gotTotal, gotUnder := cpuBy(qs)
		if gotTotal != total || fmt.Sprint(gotUnder) != fmt.Sprint(under) {
			t.Fatalf("CPU time %d ns, under locks %v; before folding %d ns, %v", gotTotal, gotUnder, total, under)
		}
		if got := executions(qs); fmt.Sprint(got) != fmt.Sprint(visits) {
			t.Fatalf("executions %v, before folding %v", got, visits)
		}
	})
}

// Taking operations out redirects control flow: all CPU time stays, and every
// operation that is left is executed as often as before, so that its visits
// per task are the same. In the graph as many transitions enter a fragment as
// leave it.
func TestTakingOperationsOutConservesTimeAndVisits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		qs := sequencesWithLocks(randomScript(t))
		total, _ := cpuBy(qs)
		visits := executions(qs)
		gone := map[string]bool{}
		for k := range visits {
			if k != "virtual\x00begin" && k != "virtual\x00end" && rapid.Bool().Draw(t, "out") {
				gone[k] = true
			}
		}
		for _, q := range qs {
			q.Rewrite(func(_ int, s trail.Step) []trail.Step {
				if gone[s.Node.Key] {
					return nil
				}
				return []trail.Step{s}
			})
		}
		if got, _ := cpuBy(qs); got != total {
			t.Fatalf("CPU time %d ns, before %d ns", got, total)
		}
		for k, n := range executions(qs) {
			if n != visits[k] {
				t.Fatalf("%q is executed %d times, before %d times", k, n, visits[k])
			}
		}
		g := trail.NewPCG()
		g.Add(qs[0].Steps)
		in := map[*trail.Vertex]int64{}
		for _, v := range g.Vertices {
			for w, n := range v.Next {
				in[w] += n
			}
		}
		for i, v := range g.Vertices {
			entered := in[v]
			if i == 0 {
				entered++ // the thread begins there
			}
			if entered != v.Count {
				t.Fatalf("fragment %d is entered %d times and executed %d times", i, entered, v.Count)
			}
		}
	})
}

// "These are c_cpu CFs whose summary CPU times amounts to less than t % of the
// overall CPU time for the thread" (§4.3.1): with t = 3 %, a computation with
// 2 % goes and one with 4 % stays.
func TestComputationsBelowTheThresholdAreInsignificant(t *testing.T) {
	t.Parallel()
	s := newScript()
	a := s.thread("main", nil, 0)
	a.compute(940).does(trace.OpStat, "a", 0, 0, 0)
	a.compute(20).does(trace.OpStat, "b", 0, 0, 0)
	a.compute(40).does(trace.OpStat, "c", 0, 0, 0)
	a.ends()
	qs, _ := sequencesOf(s.trace, nil)
	pcg.FoldComputations(qs, 0.03)
	// The 20 ns between a and b go to the next computation, between b and c.
	var got []int64
	for _, x := range qs[0].Steps[1:4] {
		got = append(got, x.Gap)
	}
	if fmt.Sprint(got) != "[940 0 60]" {
		t.Errorf("computations before a, b, c: %v ns, want [940 0 60]", got)
	}
}

// "Every synchronization region is represented as a pair of CFs, even if it is
// very short and never becomes contended in practice" (§4.3.1): such pairs go,
// and their time stays with the thread. A region that another thread had to
// wait for stays.
func TestRegionsThatNeverContendAreInsignificant(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		inside    int64 // ns of CPU under the lock, of 1000 outside
		contended bool
		stays     bool
	}{
		{"short, alone", 10, false, false},
		{"long, alone: with two cores it would be in use for more than 3 % of the time", 200, false, true},
		{"short, but waited for", 10, true, true},
	} {
		s := newScript()
		main := s.thread("main", nil, 0)
		other := s.thread("other", main, 0)
		main.compute(1000).does(trace.OpLock, "lock", 1, 0, 0)
		if c.contended {
			other.compute(1).now = main.now
			other.does(trace.OpLock, "lock", 1, 0, c.inside+100_000)
			main.now += 100_000
		}
		main.compute(c.inside).does(trace.OpUnlock, "unlock", 1, 0, 0)
		main.compute(1000).ends()
		if c.contended {
			other.now = max(other.now, main.now)
			other.does(trace.OpUnlock, "unlock", 1, 0, 0)
		}
		other.compute(1000).ends()
		m, _ := s.build(t, trail.Options{})
		if got := len(m.Locks) == 1; got != c.stays {
			t.Errorf("%s: the model has the lock: %v, want %v", c.name, got, c.stays)
		}
	}
}

// Removal keeps the time: the model of a program whose regions all go has the
// CPU time of the program.
func TestTheReducedModelHasTheTimeOfTheProgram(t *testing.T) {
	t.Parallel()
	s := newScript()
	a := s.thread("main", nil, 0)
	for range 50 {
		a.compute(1000).does(trace.OpLock, "lock", 1, 0, 0)
		a.compute(7).does(trace.OpUnlock, "unlock", 1, 0, 0)
		a.compute(13).does(trace.OpStat, "stat", 0, 0, 0)
	}
	a.ends()
	m, r := s.build(t, trail.Options{})
	sum := 0.0
	for _, f := range m.Graphs[0].Fragments {
		if f.Class == core.CPUFragment {
			sum += float64(f.Observed.Count) * f.Demand.Expectation()
		}
	}
	if want := 50 * (1000 + 7 + 13) * 1e-9; sum < 0.9999*want || sum > 1.0001*want {
		t.Errorf("the model has %.6g s of CPU, the program %.6g s", sum, want)
	}
	if g := r.Groups[0]; g.Nodes >= g.NaiveNodes {
		t.Errorf("the reduced graph has %d nodes, the naive one %d", g.Nodes, g.NaiveNodes)
	}
}
