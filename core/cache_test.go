package core

import (
	"math"
	"strings"
	"testing"
)

// Objects that are all asked for alike are in the cache with the same probability: the hit ratio is Size/Items (exactly so by
// Che's approximation, too). With a cache of one object the last lookup decides: Σ pᵢ².
func TestTheHitRatioFollowsFromTheSize(t *testing.T) {
	t.Parallel()
	for _, c := range []Cache{{Size: 1, Items: 4}, {Size: 30, Items: 50}, {Size: 1000, Items: 100_000}} {
		if got, want := c.HitRatio(), float64(c.Size)/float64(c.Items); math.Abs(got-want) > 1e-9 {
			t.Errorf("%d of %d objects that are asked for alike: %v, want %v", c.Size, c.Items, got, want)
		}
	}
	if got := (&Cache{Size: 10, Items: 10, Skew: 1}).HitRatio(); got != 1 {
		t.Errorf("a cache that holds everything has a hit ratio of %v", got)
	}
	before := 0.0
	for size := 10; size <= 10_000; size *= 10 {
		h := (&Cache{Size: size, Items: 20_000, Skew: .9}).HitRatio()
		if h <= before || h >= 1 {
			t.Errorf("a cache of %d objects has a hit ratio of %v, a tenth of it %v", size, h, before)
		}
		before = h
	}
}

// What a task demands follows from the size of the cache: 1 ms after a hit, 9 ms after a miss.
func TestDemandsFollowFromTheSizeOfACache(t *testing.T) {
	t.Parallel()
	m := cached()
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	for size, want := range map[float64]float64{10: 0.9*.009 + 0.1*.001, 50: .005, 100: .001} {
		configured, err := m.With(map[string]float64{"caches/pages/size": size})
		if err != nil {
			t.Fatal(err)
		}
		d := configured.Demands()
		cpu, _ := d.Station("cpu")
		if math.Abs(cpu.Demand-want) > 1e-9 {
			t.Errorf("with room for %v of 100 objects a task needs %v s of CPU, want %v", size, cpu.Demand, want)
		}
	}
}

// cached is a server that looks something up in a cache.
func cached() Model {
	to := func(id string) []Edge { return []Edge{{To: id, Probability: 1}} }
	return Model{
		Name:    "cached",
		Sources: []Source{{ID: "clients", Kind: Poisson, To: "q", Rate: 10}},
		Queues:  []Queue{{ID: "q", Capacity: Unbounded}},
		Sinks:   []Sink{{ID: "done"}},
		CPU:     CPU{Cores: 1},
		Caches:  []Cache{{ID: "pages", Size: 50, Items: 100}},
		Pools:   []Pool{{ID: "server", Graph: "server", Size: 1}},
		Graphs: []Graph{{ID: "server", Entry: "in", Fragments: []Fragment{
			{ID: "in", Class: InFragment, In: &In{Queue: "q"}, Next: to("fetch")},
			{ID: "fetch", Class: FetchFragment, Next: to("look")},
			{ID: "look", Class: DispatchFragment, Lookup: &Lookup{Cache: "pages", Hit: "found"}, Next: []Edge{{To: "load", Probability: .5}, {To: "found", Probability: .5}}},
			{ID: "found", Class: CPUFragment, Demand: Const(.001), Next: to("out")},
			{ID: "load", Class: CPUFragment, Demand: Const(.009), Next: to("out")},
			{ID: "out", Class: OutFragment, Out: &Out{To: "done"}, Next: to("in")},
		}}},
	}
}

// A lookup names a cache and where it goes on; a cache has a size.
func TestDefectsOfCachesAreReported(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*Model){
		`cache "disk" is not defined`: func(m *Model) { m.Graphs[0].Fragments[2].Lookup.Cache = "disk" },
		`the hit "out" is not one of`: func(m *Model) { m.Graphs[0].Fragments[2].Lookup.Hit = "out" },
		`size is 0`:                   func(m *Model) { m.Caches[0].Size = 0 },
		`items is 2000000`:            func(m *Model) { m.Caches[0].Items = 2_000_000 },
		`skew`:                        func(m *Model) { m.Caches[0].Skew = -1 },
		`defined twice`:               func(m *Model) { m.Caches = append(m.Caches, m.Caches[0]) },
		`fragment "found": lookup is`: func(m *Model) { m.Graphs[0].Fragments[3].Lookup = &Lookup{Cache: "pages", Hit: "out"} },
	} {
		m := cached()
		spoil(&m)
		if err := m.Validate(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("expected %q, got %v", name, err)
		}
	}
}
