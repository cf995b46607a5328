package inputs

import (
	"testing"

	"tierscope/core"
)

// How many threads a pool has is a number of the model where that decides how many are started; of threads that are started one by one it
// is how many there were at once. How long something waits at most is one too.
func TestNumbersAreThoseThatDecide(t *testing.T) {
	t.Parallel()
	spawn := func(id, pool string, n core.Distribution) core.Fragment {
		return core.Fragment{ID: id, Class: core.SpawnFragment, Spawn: &core.Spawn{Pool: pool, Count: n}}
	}
	wait := core.Fragment{ID: "wait", Class: core.SyncFragment, Sync: &core.Sync{Lock: "stop", Op: core.Receive, Timeout: core.Const(2e-3)}}
	m := &core.Model{
		Pools: []core.Pool{{ID: "main", Size: 1}, {ID: "all", Kind: core.SpawnPool, Size: 4}, {ID: "each", Kind: core.SpawnPool, Size: 3}},
		Graphs: []core.Graph{
			{ID: "main", Entry: "all", Fragments: []core.Fragment{spawn("all", "all", core.Distribution{}), spawn("each", "each", core.Const(1))}},
			{ID: "all", Entry: "wait", Fragments: []core.Fragment{wait}},
		},
	}
	got := map[string]float64{}
	for _, n := range numbers(m) {
		got[n.path] = n.value
	}
	for path, want := range map[string]float64{"pools/main/size": 1, "pools/all/size": 4, "pools/each/size": 0, "graphs/all/fragments/wait/timeout_s": 2e-3} {
		if got[path] != want {
			t.Errorf("%s is %v, want %v", path, got[path], want)
		}
	}
}
