package simulation

import (
	"testing"

	"tierscope/core"
	"tierscope/simulation/des"
)

// moments notes when fragments began and ended last.
type moments struct{ began, ended map[string]des.Time }

func (m *moments) ThreadStarted(des.Time, int32, string, int32) {}
func (m *moments) ThreadEnded(des.Time, int32)                  {}
func (m *moments) FragmentStarted(at des.Time, _ int32, f FragmentRun) {
	m.began[f.Fragment] = at
}
func (m *moments) FragmentEnded(at des.Time, _ int32, f FragmentRun) { m.ended[f.Fragment] = at }

// On one P a goroutine holds a mutex for 30 ms, computes for 5 ms, and takes it again before the waiter that it woke has run. That one
// finds itself starved when its turn comes, at the end of a slice. "In starvation mode ownership of the mutex is directly handed off
// from the unlocking goroutine to the waiter" (sync.Mutex), and semrelease yields to it: it is inside when the holder unlocks, not 5 ms later.
func TestAStarvedWaiterRunsInThePlaceOfWhoUnlocks(t *testing.T) {
	t.Parallel()
	enter := &core.Sync{Lock: "mu", Op: core.Enter}
	exit := &core.Sync{Lock: "mu", Op: core.Exit}
	m := core.Model{
		Name: "starved", CPU: core.CPU{Cores: 1, Policy: core.GoScheduler},
		Locks: []core.Lock{{ID: "mu", Kind: core.Mutex, Fairness: core.GoMutex}},
		Pools: []core.Pool{{ID: "holder", Graph: "holder", Size: 1}, {ID: "waiter", Graph: "waiter", Size: 1}},
		Graphs: []core.Graph{
			{ID: "holder", Entry: "lock", Fragments: []core.Fragment{
				{ID: "lock", Class: core.SyncFragment, Sync: enter, Next: to("hold")},
				{ID: "hold", Class: core.CPUFragment, Demand: constant(.030), Next: to("unlock")},
				{ID: "unlock", Class: core.SyncFragment, Sync: exit, Next: to("rest")},
				{ID: "rest", Class: core.CPUFragment, Demand: constant(.005), Next: to("lock")},
			}},
			{ID: "waiter", Entry: "before", Fragments: []core.Fragment{
				{ID: "before", Class: core.CPUFragment, Demand: constant(.025), Next: to("wait")},
				{ID: "wait", Class: core.SyncFragment, Sync: enter, Next: to("inside")},
				{ID: "inside", Class: core.CPUFragment, Demand: constant(.001), Next: to("leave")},
				{ID: "leave", Class: core.SyncFragment, Sync: exit},
			}},
		},
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	seen := &moments{map[string]des.Time{}, map[string]des.Time{}}
	p, err := compile(&m, &m)
	if err != nil {
		t.Fatal(err)
	}
	r := p.replica(1, 0, 0, seen)
	for seen.began["inside"] == 0 && r.Now() < des.Second {
		r.advanceSome(des.Never, 1)
	}
	if at := seen.began["inside"]; at == 0 || at != seen.ended["unlock"] || at-seen.began["wait"] < des.Millisecond {
		t.Errorf("the waiter asks at %v and is inside at %v; the mutex was unlocked at %v", seen.began["wait"], at, seen.ended["unlock"])
	}
	r.advanceSome(des.Never, 100)
	if ready := r.processor.Usage().Waiting; r.finished || ready < 0 {
		t.Errorf("after that %v ns of waiting are counted", ready)
	}
}
