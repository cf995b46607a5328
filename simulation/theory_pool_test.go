package simulation

import (
	"fmt"
	"math"
	"testing"

	"tierscope/core"
	"tierscope/simulation/des"
)

var policies = []core.CPUPolicy{core.EEVDF, core.ProcessorSharing, core.RoundRobin, core.GoScheduler}

// poolLaws are pools of N threads on C cores for all N, C ≤ 8 under every
// scheduler. Threads sleep exp(1) s and compute exp(0.5) s: whoever computes,
// the number that do is one birth–death process for every policy that leaves
// no core idle while a thread is ready. Processor sharing has more to show: its
// throughput does not depend on the law of the demands, which are constant here
// (Baskett et al. 1975). Without all, the sizes are thinned out for all policies
// but the default.
func poolLaws(all bool) []law {
	sizes := []int{1, 2, 3, 4, 5, 6, 7, 8}
	var out []law
	for _, policy := range policies {
		demand, source := exponential(.5), "birth–death process"
		if policy == core.ProcessorSharing {
			demand, source = constant(.5), "birth–death process, by insensitivity"
		}
		if policy != core.EEVDF && !all {
			sizes = []int{1, 3, 5, 8}
		}
		for _, n := range sizes {
			for _, c := range sizes {
				m := pool(n, c, demand)
				m.CPU.Policy = policy
				out = append(out, law{fmt.Sprintf("%d threads on %d cores, %s", n, c, policy), m, "X fragment/worker/compute mean", repairmanRate(n, c, 1, .5), source})
			}
		}
	}
	return out
}

// pool is n threads that sleep exp(1) s and compute on c cores.
func pool(n, c int, demand core.Distribution) core.Model {
	return core.Model{
		Name: "pool", CPU: core.CPU{Cores: c},
		Pools: []core.Pool{{ID: "worker", Graph: "worker", Size: n}},
		Graphs: []core.Graph{{ID: "worker", Entry: "sleep", Fragments: []core.Fragment{
			{ID: "sleep", Class: core.DelayFragment, Delay: exponential(1), Next: to("compute")},
			{ID: "compute", Class: core.CPUFragment, Demand: demand, Next: to("sleep")},
		}}},
	}
}

// N threads that only compute keep min(N, C) cores busy, whatever the policy and
// the demands, and none of them starves: in a long run each gets at least half
// of its share C/N. Per-core run queues make the shares unequal where N is no
// multiple of C, as they are on Linux (3 hogs on 2 CPUs: 0.75, 0.58, 0.53).
func TestComputingThreadsKeepAllCoresBusyAndNobodyStarves(t *testing.T) {
	t.Parallel()
	const seconds, demand = 20, .010
	for _, policy := range policies {
		for _, law := range []core.Distribution{constant(demand), {Kind: core.Lognormal, Mean: demand, CV: 1.5}} {
			for n := 1; n <= 8; n++ {
				for c := 1; c <= 8; c++ {
					if law.Kind != core.Constant && (n+c)%3 > 0 {
						continue // a third of the sizes will do
					}
					m := threads(1, c, core.Fragment{ID: "w", Class: core.CPUFragment, Demand: law, Next: to("w")})
					m.CPU.Policy = policy
					graph := m.Graphs[0]
					m.Pools, m.Graphs = nil, nil
					for i := range n {
						graph.ID = fmt.Sprint("g", i)
						m.Graphs = append(m.Graphs, graph)
						m.Pools = append(m.Pools, core.Pool{ID: fmt.Sprint("p", i), Graph: graph.ID, Size: 1})
					}
					p := mustCompile(t, m)
					r := p.replica(1, 0, 0, nil)
					r.advance(t.Context(), seconds*des.Second)
					o := r.observe()
					all, share := float64(min(n, c)), math.Min(1, float64(c)/float64(n))
					if busy := ratioOf(t, p, o, "U cpu mean") * float64(c); math.Abs(busy-all) > 1e-6 {
						t.Errorf("%s, %s demands, %d threads on %d cores: %.6f cores are busy, want %g", policy, law.Kind, n, c, busy, all)
					}
					for i := range n {
						got := ratioOf(t, p, o, fmt.Sprintf("X fragment/g%d/w mean", i)) * demand
						if got < share/2 || got > 1.1*math.Min(1, 2*share) {
							t.Errorf("%s, %s demands, %d threads on %d cores: thread %d gets %.3f of a core, its share is %.3f", policy, law.Kind, n, c, i, got, share)
						}
					}
				}
			}
		}
	}
}
