package simulation

import (
	"fmt"
	"strings"
	"testing"

	"tierscope/core"
	"tierscope/simulation/des"
)

// diary writes down what it is told.
type diary struct{ strings.Builder }

func (d *diary) ThreadStarted(at des.Time, thread int32, pool string, parent int32) {
	fmt.Fprintf(d, "%v thread %d of %s started by %d\n", at, thread, pool, parent)
}

func (d *diary) ThreadEnded(at des.Time, thread int32) {
	fmt.Fprintf(d, "%v thread %d ended\n", at, thread)
}

func (d *diary) FragmentStarted(at des.Time, thread int32, f FragmentRun) {
	fmt.Fprintf(d, "%v thread %d > %s\n", at, thread, f.Fragment)
}

func (d *diary) FragmentEnded(at des.Time, thread int32, f FragmentRun) {
	fmt.Fprintf(d, "%v thread %d < %s", at, thread, f.Fragment)
	if f.Object != "" {
		fmt.Fprintf(d, " %s", f.Object)
	}
	if f.CPU > 0 {
		fmt.Fprintf(d, " cpu=%v", f.CPU)
	}
	d.WriteString("\n")
}

// An observer sees what the probes of a real program would: two threads that
// want one lock on two cores, 2 ms of work inside.
func TestAnObserverSeesEveryFragmentOfEveryThread(t *testing.T) {
	t.Parallel()
	m := core.Model{
		Name: "critical section", CPU: core.CPU{Cores: 2},
		Pools: []core.Pool{{ID: "p", Graph: "g", Size: 2}},
		Locks: []core.Lock{{ID: "L", Kind: core.Mutex}},
		Graphs: []core.Graph{{ID: "g", Entry: "enter", Fragments: []core.Fragment{
			{ID: "enter", Class: core.SyncFragment, Sync: &core.Sync{Lock: "L", Op: core.Enter}, Next: to("work")},
			{ID: "work", Class: core.CPUFragment, Demand: constant(.002), Next: to("exit")},
			{ID: "exit", Class: core.SyncFragment, Sync: &core.Sync{Lock: "L", Op: core.Exit}},
		}}},
	}
	var d diary
	if _, err := Observe(t.Context(), m, 1, 1, &d); err != nil {
		t.Fatal(err)
	}
	const want = `0s thread 0 of p started by -1
0s thread 1 of p started by -1
0s thread 0 > enter
0s thread 0 < enter L
0s thread 0 > work
0s thread 1 > enter
2ms thread 0 < work cpu=2ms
2ms thread 0 > exit
2ms thread 0 < exit L
2ms thread 0 ended
2ms thread 1 < enter L
2ms thread 1 > work
4ms thread 1 < work cpu=2ms
4ms thread 1 > exit
4ms thread 1 < exit L
4ms thread 1 ended
`
	if got := d.String(); got != want {
		t.Errorf("observed:\n%s\nwant:\n%s", got, want)
	}
}
