package simulation

import (
	"slices"
	"testing"

	"tierscope/core"
	"tierscope/simulation/des"
)

// A thread that goes through a door or past a fork from one burst to the next at once does what one does that is observed, and
// therefore executes each of these fragments by itself, to the last bit: with locks of every fairness, seldom free and mostly
// free, bursts that are drawn and bursts that end together, and after a restart in the middle.
func TestWhoGoesOnwardAtOnceDoesWhatIsDoneStepByStep(t *testing.T) {
	t.Parallel()
	crowded := graphsOf(4, 10, 20)
	together := graphsOf(3, 5, 30)
	for g := range together.Graphs {
		for f := range together.Graphs[g].Fragments {
			if x := &together.Graphs[g].Fragments[f]; x.Class == core.CPUFragment {
				x.Demand = constant(50e-6)
			}
		}
	}
	for _, m := range []core.Model{callGraphs(), crowded, together} {
		for _, fairness := range []core.Fairness{core.Fair, core.Barging, core.GoMutex} {
			for _, policy := range []core.CPUPolicy{core.EEVDF, core.RoundRobin, core.GoScheduler} {
				m := m
				m.Locks = slices.Clone(m.Locks)
				m.CPU.Policy = policy
				if policy == core.RoundRobin {
					m.CPU.Quantum = constant(1e-3)
				}
				for l := range m.Locks {
					m.Locks[l].Fairness = fairness
				}
				p := mustCompile(t, m)
				outcomes := func(o Observer) (all []outcome) {
					r := p.replica(5, 0, 0, o)
					through, past := 0, 0
					for i := range r.steps {
						switch r.steps[i].onward {
						case throughDoor:
							through++
						case atFork:
							past++
						case elsewhere:
						}
					}
					if at := through > 0 && past > 0; at != (o == nil) {
						t.Fatalf("%d doors and %d forks are gone past at once, with the observer %v", through, past, o)
					}
					for _, until := range []des.Time{90 * des.Millisecond, 91 * des.Millisecond, des.Second} {
						r.advance(t.Context(), until)
						all = append(all, r.observe())
						r.restart()
					}
					return all
				}
				for i, want := range outcomes(indifferent{}) {
					got := outcomes(nil)[i]
					if got.Fingerprint != want.Fingerprint || got.Events != want.Events {
						t.Errorf("%s, %s: %d events %x, step by step %d events %x", fairness, policy, got.Events, got.Fingerprint, want.Events, want.Fingerprint)
					}
					for k, q := range p.measured {
						if got.Ratios[k] != want.Ratios[k] {
							t.Errorf("%s, %s: %s %s %s is %v, step by step %v", fairness, policy, q.Name, q.Of, q.Stat, got.Ratios[k], want.Ratios[k])
						}
					}
				}
			}
		}
	}
}
