package simulation

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tierscope/core"
)

// Two threads compute 10 and 30 ms of what they divide. One computes 40; of four the last has 18.1 (17.5, if what a row takes grows
// evenly), and not 15 as a half of what the second did; of eight the last has 9.6 (9.4). What each thread does for itself stays 5 ms.
func TestThreadsDivideWhatTheyCompute(t *testing.T) {
	t.Parallel()
	s := divides([]int64{10}, []int64{30})
	for n, want := range map[float64]float64{1: 45, 2: 35, 4: 23.1, 8: 14.6} {
		if took := s.takes(t, map[string]float64{"threads": n}); math.Abs(took-want) > 0.1 {
			t.Errorf("%v threads take %v ms, want %v", n, took, want)
		}
	}
}

// Threads that compute twice, of which one computes three times, divide nothing that is known.
func TestThreadsThatDivideDifferentThingsStayWhatTheyAre(t *testing.T) {
	t.Parallel()
	s := divides([]int64{10, 10}, []int64{10, 10, 10})
	for n, want := range map[float64]float64{2: 35, 4: 20} {
		if took := s.takes(t, map[string]float64{"threads": n}); math.Abs(took-want) > 1e-6 {
			t.Errorf("%v threads take %v ms, want %v", n, took, want)
		}
	}
}

// divides is a program of two threads that compute for so many ms each time, 1/threads of it all, and 5 ms for themselves.
func divides(first, second []int64) *scripted {
	mean := 0.0
	for _, d := range slices.Concat(first, second) {
		mean += float64(d) / float64(len(first)+len(second))
	}
	s := &scripted{model: core.Model{
		Name: "divides", CPU: core.CPU{Cores: 8, Policy: core.RoundRobin},
		Parameters: []core.Parameter{{Name: "threads", Default: 2, Min: 1, Max: 64, Integer: true, Targets: []core.Target{
			{Path: "pools/worker/size"}, {Path: "graphs/worker/fragments/work/scale", Factor: 2, Power: -1}}}},
	}}
	s.pool("main", []core.Fragment{spawnFragment("spawn", "worker", to("join")...), {ID: "join", Class: core.JoinFragment, Join: &core.Join{Pool: "worker"}}},
		core.Move{Fragment: 0, Object: -1, Amount: 2}, visit(1))
	times := func(demands []int64) (moves []core.Move) {
		for _, d := range demands {
			moves = append(moves, compute(0, d*ms))
		}
		return append(moves, compute(1, 5*ms))
	}
	again, rest := int64(len(first)+len(second)-2), 2.0
	if again > 0 {
		rest += float64(again)
	}
	next := []core.Edge{{To: "work", Probability: float64(again) / rest, Count: again}, {To: "own", Probability: 2 / rest, Count: 2, Last: true}}
	if again == 0 {
		next = to("own")
	}
	s.team("worker", []core.Fragment{cpuFragment("work", mean, next...), cpuFragment("own", 5)}, times(first), times(second))
	return s
}

// Parts that are cut anew have the same mean; if there is a whole number of new ones in each, they are as much as it; the same
// number of parts are the same ones.
func TestPartsAreCutAnew(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.Int64Range(0, 1e12), 1, 20).Draw(t, "parts")
		m, n := len(parts), rapid.IntRange(1, 60).Draw(t, "n")
		cut := recut(parts, n)
		sum := func(of []int64) (s float64) {
			for _, x := range of {
				if x < 0 {
					t.Fatalf("%d of %v: a part is negative: %v", n, parts, of)
				}
				s += float64(x)
			}
			return s
		}
		if a, b := sum(cut)/float64(n), sum(parts)/float64(m); math.Abs(a-b) > 1+1e-9*b {
			t.Fatalf("%d of %v: %v: mean %v, want %v", n, parts, cut, a, b)
		}
		if n == m {
			for k := range parts {
				if d := cut[k] - parts[k]; d > 1 || d < -1 {
					t.Fatalf("%v became %v", parts, cut)
				}
			}
		}
		if n%m == 0 {
			for k, p := range parts {
				each := n / m
				if a, b := sum(cut[k*each:(k+1)*each]), float64(p)*float64(each); math.Abs(a-b) > 2+1e-9*b {
					t.Fatalf("%d of %v: part %d became %v, want %v", n, parts, k, a, b)
				}
			}
		}
	})
}
