package simulation

import (
	"math"
	"testing"

	"tierscope/core"
)

// asking is a thread that computes 1 ms, asks a device that serves any number of requests in 2 ms for some, and computes 1 ms.
func asking(requests ...core.RequestType) core.Model {
	m := threads(1, 1, cpu("before", .001, "ask"),
		fragmentTo(core.Fragment{ID: "ask", Class: core.IOFragment, IO: &core.IO{Disk: "disk", Requests: requests}}, []string{"after"}), cpu("after", .001))
	m.Disks = []core.Disk{{ID: "disk", Depth: 64, Service: []core.ServiceLaw{{Given: core.InFlight, Rows: []core.ServiceRow{{X: 1, Time: constant(.002)}}}}}}
	return m
}

func makespan(t *testing.T, m core.Model) float64 {
	t.Helper()
	return find(t, run(t, m, nil, Options{}), "T program mean").Mean
}

// Three requests at once take 2 ms, one after the other 6.
func TestRequestsInTurnWaitForEachOther(t *testing.T) {
	t.Parallel()
	for inTurn, want := range map[bool]float64{false: .004, true: .008} {
		if got := makespan(t, asking(core.RequestType{Type: "read", Count: constant(3), InTurn: inTurn})); math.Abs(got-want) > 1e-6 {
			t.Errorf("in turn %v: %v s, want %v", inTurn, got, want)
		}
	}
}

// A thread asks for the next request itself. Here another one computes whenever it has left the core, for 10 ms: it begins at 10 ms, waits for its
// request until 13, and for the core until 21; then until 23 and 31, and it ends at 32. A goroutine asks from within the kernel and keeps its P: it
// waits from 11 to 15, and ends at 16.
func TestAThreadNeedsACoreToAskForMore(t *testing.T) {
	t.Parallel()
	for policy, want := range map[core.CPUPolicy]float64{core.RoundRobin: .032, core.GoScheduler: .016} {
		m := asking(core.RequestType{Type: "write", Count: constant(1)}, core.RequestType{Type: "flush", Count: constant(1)})
		m.CPU.Policy, m.CPU.Quantum = policy, constant(.01)
		m.Pools = append(m.Pools, core.Pool{ID: "other", Graph: "other", Size: 1})
		m.Graphs = append(m.Graphs, core.Graph{ID: "other", Entry: "compute", Fragments: []core.Fragment{cpu("compute", 1)}})
		if got := makespan(t, m); math.Abs(got-want) > 1e-6 {
			t.Errorf("%s: %v s, want %v", policy, got, want)
		}
	}
}

// The device interrupts the core from which it was asked, which is awake before the request is complete. Whoever is woken by
// another thread waits for the core to wake up.
func TestADeviceWakesTheCoreBeforeTheThread(t *testing.T) {
	t.Parallel()
	m := asking(core.RequestType{Type: "read", Count: constant(1)})
	m.CPU.WakeIdleCore, m.CPU.WakeSameCore = constant(50e-6), constant(5e-6)
	if got, want := makespan(t, m), 50e-6+.004+5e-6; math.Abs(got-want) > 1e-7 { // the program's start is a wake-up by nobody
		t.Errorf("%v s, want %v", got, want)
	}
}
