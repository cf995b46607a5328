package simulation

import (
	"slices"
	"testing"

	"tierscope/core"
	"tierscope/simulation/des"
)

// nobody watches, but wants to be told: tasks are then followed one by one.
type indifferent struct{ Observer }

func (indifferent) ThreadStarted(des.Time, int32, string, int32) {}
func (indifferent) ThreadEnded(des.Time, int32)                  {}
func (indifferent) FragmentStarted(des.Time, int32, FragmentRun) {}
func (indifferent) FragmentEnded(des.Time, int32, FragmentRun)   {}

// A desk keeps nothing of a task but when it came; what it says of its tasks is what following them one by one does, to the
// last bit: with one core and more, a quantum and competitors for the cores, times that are drawn and times that are always the
// same, so that events meet, and after a restart in the middle.
func TestADeskSaysOfItsTasksWhatTheyWouldSay(t *testing.T) {
	t.Parallel()
	two := station(.5, 1, core.Unbounded, exponential(.8)) // two stations that share a core
	other := station(.3, 1, core.Unbounded, exponential(1.1))
	two.Sources = append(two.Sources, core.Source{ID: "others", Kind: core.Poisson, To: "r", Rate: .3})
	two.Queues = append(two.Queues, core.Queue{ID: "r", Capacity: core.Unbounded})
	other.Graphs[0].ID, other.Graphs[0].Fragments[0].In = "other", &core.In{Queue: "r"}
	two.Graphs = append(two.Graphs, other.Graphs[0])
	two.Pools = append(two.Pools, core.Pool{ID: "other", Graph: "other", Size: 3})
	two.CPU.Policy, two.CPU.Quantum = core.RoundRobin, constant(.3)
	regular := station(.75, 2, core.Unbounded, constant(1))
	regular.Sources[0].Kind = core.Deterministic
	idle := station(.1, 3, core.Unbounded, exponential(1))
	alternate := station(.5, 1, core.Unbounded, core.Distribution{Kind: core.Discrete, Values: []float64{0, 1, 3}, Weights: []float64{.25, .5, .25}})
	alternate.Sources[0].Kind = core.Deterministic // ends meet arrivals, and some tasks take no time
	overloaded := station(1.2, 1, core.Unbounded, exponential(1))
	overloaded.CPU.Cores, overloaded.CPU.Policy = 3, core.RoundRobin
	for name, m := range map[string]core.Model{
		"M/M/1": station(.8, 1, core.Unbounded, exponential(1)), "M/M/3": station(2.4, 3, core.Unbounded, exponential(1)),
		"shared core": two, "D/D/2": regular, "mostly idle": idle,
		"D/G/1": alternate, "overloaded": overloaded, "seldom": station(.01, 1, core.Unbounded, exponential(1)),
	} {
		p := mustCompile(t, m)
		outcomes := func(o Observer) (all []outcome) {
			r := p.replica(5, 0, 0, o)
			if solo := r.solo != nil; solo != (o == nil && len(m.Pools) == 1 && m.Pools[0].Size == 1) {
				t.Fatalf("%s: the model is nothing but a desk with one server: %t", name, solo)
			}
			if desks := slices.IndexFunc(r.sources, func(s sourceState) bool { return s.desk == nil }) < 0; desks != (o == nil) {
				t.Fatalf("%s: all sources have desks: %t, with the observer %v", name, desks, o)
			}
			for _, until := range []des.Time{900 * des.Second, 5000 * des.Second, 5001 * des.Second, 20_000 * des.Second} {
				r.advance(t.Context(), until)
				all = append(all, r.observe())
				r.restart()
			}
			return all
		}
		for i, got := range outcomes(nil) {
			want := outcomes(indifferent{})[i]
			if got.Fingerprint != want.Fingerprint || got.Events != want.Events || got.Completions != want.Completions || got.Arrivals != want.Arrivals {
				t.Errorf("%s: the desk has %d events %x, %d tasks of %d; one by one %d events %x, %d of %d", name,
					got.Events, got.Fingerprint, got.Completions, got.Arrivals, want.Events, want.Fingerprint, want.Completions, want.Arrivals)
			}
			for k, q := range p.measured {
				if got.Ratios[k] != want.Ratios[k] {
					t.Errorf("%s: %s %s %s is %v, one by one %v", name, q.Name, q.Of, q.Stat, got.Ratios[k], want.Ratios[k])
				}
			}
		}
	}
}

// What others send to a queue, take from it, or close, is no desk's; nor is what may leave it, or has no room.
func TestADeskIsForTasksThatNobodyElseSees(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*core.Model){
		"a queue that may be full": func(m *core.Model) { m.Queues[0].Capacity = 5 },
		"last come, first served":  func(m *core.Model) { m.Queues[0].Discipline = core.LIFO },
		"impatient tasks":          func(m *core.Model) { m.Queues[0].Patience = exponential(1) },
		"a second source": func(m *core.Model) {
			m.Sources = append(m.Sources, core.Source{ID: "more", Kind: core.Poisson, To: "q", Rate: .1})
		},
		"a second pool": func(m *core.Model) { m.Pools = append(m.Pools, core.Pool{ID: "more", Graph: "server", Size: 1}) },
		"users who wait": func(m *core.Model) {
			m.Sources[0] = core.Source{ID: "users", Kind: core.Closed, To: "q", Population: 3, Think: exponential(1)}
		},
		"a source that ends": func(m *core.Model) { m.Sources[0].Count = 10 },
		"servers that do more": func(m *core.Model) {
			m.Graphs[0] = server("server", core.Fragment{Class: core.CPUFragment, Demand: exponential(1)}, core.Fragment{Class: core.DelayFragment, Delay: constant(1)})
		},
	} {
		m := station(.5, 1, core.Unbounded, exponential(1))
		change(&m)
		r := mustCompile(t, m).replica(1, 0, 0, nil)
		for i := range r.sources {
			if r.sources[i].desk != nil {
				t.Errorf("%s: there is a desk", name)
			}
		}
	}
}
