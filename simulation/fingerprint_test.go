package simulation

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tierscope/core"
	"tierscope/simulation/des"
)

// "Fingerprints: equal for equal (model, configuration, seed, version),
// unchanged by renaming or reordering elements of the model" (issue 2,
// acceptance 5).
func TestFingerprintsDoNotDependOnNamesOrOrder(t *testing.T) {
	t.Parallel()
	models := []core.Model{closedNetwork(), callGraphs(), twoClasses(4, 1), forkJoin(3), threeStations(5)}
	want := make([]uint64, len(models))
	for i, m := range models {
		want[i] = fingerprintOf(t, m)
	}
	rapid.Check(t, func(t *rapid.T) {
		i := rapid.IntRange(0, len(models)-1).Draw(t, "model")
		disguised := disguise(t, models[i])
		if got := fingerprintOf(t, disguised); got != want[i] {
			t.Fatalf("model %q has fingerprint %016x, its disguise %016x", models[i].Name, want[i], got)
		}
	})
}

// Another seed, another parameter, another trajectory.
func TestFingerprintsTellModelsApart(t *testing.T) {
	t.Parallel()
	m := threeStations(5)
	base := fingerprintOf(t, m)
	m.Disks[0].Speed = 1.001
	if fingerprintOf(t, m) == base {
		t.Error("a faster disk does not change the fingerprint")
	}
}

// A configuration keeps the random numbers of the model: after a change of
// what a station does last, the arrivals are the same.
func TestConfigurationsShareRandomNumbers(t *testing.T) {
	t.Parallel()
	m := station(.7, 1, core.Unbounded, exponential(1))
	faster, err := m.With(map[string]float64{"cpu/cores": 2})
	if err != nil {
		t.Fatal(err)
	}
	arrivals := func(configured core.Model) float64 {
		p, err := compile(&m, &configured)
		if err != nil {
			t.Fatal(err)
		}
		r := p.replica(1, 0, 0, nil)
		r.advance(t.Context(), 10_000*des.Second)
		return float64(r.observe().Arrivals)
	}
	if a, b := arrivals(m), arrivals(faster); a != b {
		t.Errorf("%v tasks arrive on one core, %v on two", a, b)
	}
}

func fingerprintOf(t interface {
	Fatal(args ...any)
	Helper()
}, m core.Model) uint64 {
	t.Helper()
	p, err := compile(&m, &m)
	if err != nil {
		t.Fatal(err)
	}
	r := p.replica(7, 0, 0, nil)
	r.advanceSome(des.Never, 5000)
	return r.Fingerprint()
}

// disguise renames all elements of a model and shuffles their order.
func disguise(t *rapid.T, m core.Model) core.Model {
	names := map[string]string{}
	rename := func(kind string, id *string) {
		if *id == "" {
			return
		}
		key := kind + "/" + *id
		if names[key] == "" {
			names[key] = fmt.Sprintf("%s%d", rapid.StringMatching("[a-z]{3}").Draw(t, "name"), len(names))
		}
		*id = names[key]
	}
	m.Classes, m.Sources, m.Queues, m.Pools = slices.Clone(m.Classes), slices.Clone(m.Sources), slices.Clone(m.Queues), slices.Clone(m.Pools)
	m.Sinks, m.Disks, m.Locks, m.Graphs = slices.Clone(m.Sinks), slices.Clone(m.Disks), slices.Clone(m.Locks), slices.Clone(m.Graphs)
	for i := range m.Classes {
		rename("class", &m.Classes[i].ID)
	}
	for i := range m.Sources {
		s := &m.Sources[i]
		rename("source", &s.ID)
		rename("class", &s.Class)
		rename("object", &s.To)
	}
	for i := range m.Queues {
		rename("object", &m.Queues[i].ID)
	}
	for i := range m.Sinks {
		rename("object", &m.Sinks[i].ID)
	}
	for i := range m.Locks {
		rename("object", &m.Locks[i].ID)
	}
	for i := range m.Disks {
		rename("disk", &m.Disks[i].ID)
	}
	for i := range m.Pools {
		p := &m.Pools[i]
		rename("pool", &p.ID)
		rename("graph", &p.Graph)
		rename("object", &p.From)
	}
	for i := range m.Graphs {
		g := &m.Graphs[i]
		kind := "fragment of " + g.ID
		rename("graph", &g.ID)
		rename(kind, &g.Entry)
		g.Fragments = slices.Clone(g.Fragments)
		for j := range g.Fragments {
			f := &g.Fragments[j]
			renamed := *f
			f = &renamed
			rename(kind, &f.ID)
			f.Next = slices.Clone(f.Next)
			for k := range f.Next {
				rename(kind, &f.Next[k].To)
			}
			if f.IO != nil {
				x := *f.IO
				rename("disk", &x.Disk)
				f.IO = &x
			}
			if f.Sync != nil {
				x := *f.Sync
				rename("object", &x.Lock)
				f.Sync = &x
			}
			if f.In != nil {
				x := *f.In
				rename("object", &x.Queue)
				f.In = &x
			}
			if f.Out != nil {
				x := *f.Out
				rename("object", &x.To)
				f.Out = &x
			}
			if f.Spawn != nil {
				x := *f.Spawn
				rename("pool", &x.Pool)
				f.Spawn = &x
			}
			if f.Join != nil {
				x := *f.Join
				rename("pool", &x.Pool)
				f.Join = &x
			}
			g.Fragments[j] = *f
			if len(f.Next) > 1 && rapid.Bool().Draw(t, "swap edges") {
				slices.Reverse(f.Next)
			}
		}
		g.Fragments = shuffled(t, g.Fragments)
	}
	m.Classes, m.Sources, m.Queues, m.Pools = shuffled(t, m.Classes), shuffled(t, m.Sources), shuffled(t, m.Queues), shuffled(t, m.Pools)
	m.Sinks, m.Disks, m.Locks, m.Graphs = shuffled(t, m.Sinks), shuffled(t, m.Disks), shuffled(t, m.Locks), shuffled(t, m.Graphs)
	return m
}

func shuffled[T any](t *rapid.T, elements []T) []T {
	if len(elements) < 2 {
		return elements
	}
	return rapid.Permutation(elements).Draw(t, "order")
}
