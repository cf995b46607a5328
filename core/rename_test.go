package core

import (
	"reflect"
	"testing"
)

// Renaming a pool renames its graph, who starts and awaits it, and the paths of parameters; renaming a lock or
// queue renames it where fragments and parameters name it. The model stays valid, and says nothing of the old names.
func TestRenamedModelsAreTheSameModels(t *testing.T) {
	t.Parallel()
	edge := func(to string) []Edge { return []Edge{{To: to, Probability: 1}} }
	model := func(pool, queue, lock string) Model {
		return Model{
			Name: "m", Classes: []Class{{ID: "task"}, {ID: "in " + queue}}, CPU: CPU{Cores: 2},
			Pools:  []Pool{{ID: "main", Graph: "main", Kind: FixedPool, Size: 1, Main: true}, {ID: pool, Graph: pool, Kind: SpawnPool, Size: 2}},
			Queues: []Queue{{ID: queue, Capacity: 3}},
			Locks:  []Lock{{ID: lock, Kind: Mutex}},
			Sinks:  []Sink{{ID: "done"}},
			Graphs: []Graph{
				{ID: "main", Entry: "begin", Fragments: []Fragment{
					{ID: "begin", Class: DispatchFragment, Next: edge("spawn " + pool)},
					{ID: "spawn " + pool, Class: SpawnFragment, Spawn: &Spawn{Pool: pool}, Next: edge("send")},
					{ID: "send", Class: OutFragment, Out: &Out{To: queue, New: true, Class: "in " + queue}, Next: edge("close")},
					{ID: "close", Class: SyncFragment, Sync: &Sync{Lock: queue, Op: Close}, Next: edge("join " + pool)},
					{ID: "join " + pool, Class: JoinFragment, Join: &Join{Pool: pool}},
				}},
				{ID: pool, Entry: "take", Fragments: []Fragment{
					{ID: "take", Class: InFragment, In: &In{Queue: queue}, Next: []Edge{{To: "got", Probability: 1}, {To: "none", Probability: 1}}},
					{ID: "got", Class: FetchFragment, Next: edge("lock")},
					{ID: "lock", Class: SyncFragment, Sync: &Sync{Lock: lock, Op: Enter}, Next: edge("unlock")},
					{ID: "unlock", Class: SyncFragment, Sync: &Sync{Lock: lock, Op: Exit}, Next: edge("out")},
					{ID: "out", Class: OutFragment, Out: &Out{To: "done"}, Next: edge("take")},
					{ID: "none", Class: NoFetchFragment},
				}},
			},
			Parameters: []Parameter{
				{Name: "workers", Default: 2, Min: 1, Max: 9, Targets: []Target{{Path: "pools/" + pool + "/size"}}},
				{Name: "queue", Default: 3, Min: 1, Max: 9, Targets: []Target{{Path: "queues/" + queue + "/capacity"}}},
			},
		}
	}
	got, want := model("main.func1", "channel main:9", "mutex get:3"), model("workers", "jobs", "lru.mu")
	if err := want.Validate(); err != nil {
		t.Fatal(err)
	}
	n := Names{Pools: map[string]string{"main.func1": "workers"}, Objects: map[string]string{"channel main:9": "jobs", "mutex get:3": "lru.mu"},
		Classes: map[string]string{"in channel main:9": "in jobs"}}
	fragments := got.Rename(n)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the renamed model is\n%+v\nwant\n%+v", got, want)
	}
	if f := fragments["main"]["spawn main.func1"]; f != "spawn workers" {
		t.Errorf("the fragment that starts the pool is called %q, want %q", f, "spawn workers")
	}
	if p := n.path("graphs/main/fragments/spawn main.func1/scale", fragments); p != "graphs/main/fragments/spawn workers/scale" {
		t.Errorf("the path of that fragment is %q", p)
	}
}
