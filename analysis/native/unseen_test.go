package native

import (
	"slices"
	"testing"

	"tierscope/analysis"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// The programs of testdata/unseen/c, written as their users would write them: a pool with a list of jobs, pipelines of rings in
// C and C11, a sort with std::async, a cache under a read-write lock, pipes. Threads and queues are as their authors know them; that
// a queue has a bound shows only where somebody waited for room.
func TestProgramsInCThatNobodyPreparedHaveTheirStructure(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		compiler, source string
		args             []string
		pools            []int // threads, those of one left out
		capacities       []int // of queues, in order
		rounds           float64
	}{
		"a pool with a list of jobs": {"cc", "mandel.c", []string{"-t", "3", "-s", "400"}, []int{3}, []int{core.Unbounded}, 0},
		"three stages":               {"cc", "video.c", []string{"--frames", "200", "--filters", "2", "--depth", "5"}, []int{2}, []int{5, 5}, 0},
		"two rings of one kind":      {"cc", "kiln.c", []string{"-p", "3", "-n", "600", "-w", "100000"}, []int{3}, []int{8, 8}, 0},
		"C11 threads":                {"cc", "spell.c", []string{"--checkers", "3", "--queue", "4", "--blocks", "200"}, []int{3}, []int{4}, 0},
		"group commit by turns":      {"cc", "commit.c", []string{"-c", "3", "-n", "900", "-e", "100"}, []int{3}, []int{core.Unbounded}, 0},
		"a tree of futures":          {"c++", "msort.cc", []string{"2000000", "2"}, []int{3}, nil, 0},
		"a shared cache":             {"c++", "dns.cc", []string{"-r", "3", "-n", "30000"}, []int{3}, nil, 0},
		"a vector that grows":        {"c++", "blockpack.cc", []string{"--compressors", "3", "--blocks", "150", "--effort", "4"}, []int{3}, []int{8, 8, 8}, 0},
		"rounds of a pool":           {"cc", "pyramid.c", []string{"-j", "3", "-l", "4", "-s", "300"}, []int{3}, []int{core.Unbounded}, 0},
		"jobs through pipes":         {"cc", "pipejobs.c", []string{"3", "900"}, []int{3}, []int{core.Unbounded, core.Unbounded}, 0},
		"a thread that is told":      {"cc", "router.c", []string{"-t", "3", "-n", "6000"}, []int{3}, []int{64}, 0},
		"closures without a name":    {"rustc", "rank.rs", []string{"3", "300", "20"}, []int{3, 3}, nil, 0},
		"a team in each step":        {"gcc", "cells.c", []string{"60", "6000"}, []int{3}, []int{core.Unbounded}, 60},
		"a team for all steps":       {"gcc", "refine.c", []string{"30", "300"}, []int{3}, []int{core.Unbounded, core.Unbounded}, 30},
		"tasks that depend":          {"gcc", "align.c", []string{"-t", "3", "-n", "2000", "-b", "100"}, []int{3}, []int{core.Unbounded}, 0},
		"a tree of tasks":            {"g++", "sorter.cc", []string{"3", "400000"}, []int{3}, []int{core.Unbounded}, 0},
		"futures from a pool":        {"c++", "options.cc", []string{"--threads=3", "--paths=1000"}, []int{3}, []int{core.Unbounded}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			options := []string{"-O2", "-s", "-pthread", "-lm"}
			switch c.compiler {
			case "rustc":
				options = []string{"-O"}
			case "gcc", "g++":
				options = append(options, "-fopenmp")
			}
			exe := compiled(t, c.compiler, "../../unseen/c/"+c.source, options...)
			_, tr, err := recordedRun(t, exe, c.args, "OMP_NUM_THREADS=3")
			if err != nil {
				t.Fatal(err)
			}
			tr.Cores = 2
			m, _, err := analysis.Build(trail.Input{Workload: workload(exe, c.args...), Trace: tr}, trail.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var pools []int
			for _, p := range m.Pools {
				if p.Size > 1 {
					pools = append(pools, p.Size)
				}
			}
			slices.Sort(pools)
			if !slices.Equal(pools, c.pools) || len(m.Queues) != len(c.capacities) {
				t.Errorf("pools of %v, queues %v, want %v and %v", pools, m.Queues, c.pools, c.capacities)
			}
			if c.rounds > 0 && !slices.ContainsFunc(m.Graphs[1].Fragments, func(f core.Fragment) bool { return f.Loop != nil && f.Loop.Count.Expectation() == c.rounds }) {
				t.Errorf("no loop of graph %q has %v rounds", m.Graphs[1].ID, c.rounds)
			}
			for _, q := range m.Queues {
				if q.Capacity != core.Unbounded && !slices.Contains(c.capacities, q.Capacity) {
					t.Errorf("queue %s has room for %d, want one of %v", q.ID, q.Capacity, c.capacities)
				}
			}
		})
	}
}
