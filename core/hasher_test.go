package core_test

import (
	"testing"

	"tierscope/core"
)

// A model of which any number was set, elements were added, or removed, has the hash that Hash gives it.
func TestAHasherHashesAsHashDoes(t *testing.T) {
	t.Parallel()
	m := largeModel(60)
	h := core.NewHasher(m)
	same := func(what string, changed core.Model) {
		t.Helper()
		if got, want := h.Hash(changed), core.Hash(changed); got != want {
			t.Errorf("%s: the hash is %s, want %s", what, got, want)
		}
	}
	same("the model itself", m)
	for _, k := range m.Knobs() {
		changed, err := m.With(map[string]float64{k.Path: max(1, k.Value+1)})
		if err != nil {
			t.Fatal(err)
		}
		same(k.Path, changed)
	}
	for what, edit := range map[string]func(*core.Model){
		"another name": func(m *core.Model) { m.Name = "another <name>" },
		"a lock more": func(m *core.Model) {
			m.Locks = append(m.Locks[:len(m.Locks):len(m.Locks)], core.Lock{ID: "one more", Kind: core.Mutex})
		},
		"no locks":                func(m *core.Model) { m.Locks = nil },
		"one pool":                func(m *core.Model) { m.Pools = m.Pools[:1] },
		"what base does not have": func(m *core.Model) { m.Walks = make([]byte, 1000) },
		"short graphs":            func(m *core.Model) { m.Graphs = []core.Graph{{ID: "g", Entry: "e"}, {ID: "h", Entry: "e"}} },
		"nothing":                 func(m *core.Model) { *m = core.Model{} },
	} {
		changed := m
		edit(&changed)
		same(what, changed)
	}
}

// A configuration that changes one pool costs what that pool costs, not what the model does: of the objects that Hash
// makes of a model of 1,000 fragments, under 1 %.
func TestAHasherLaysOutOnlyWhatDiffers(t *testing.T) {
	m := largeModel(1000)
	h := core.NewHasher(m)
	changed, err := m.With(map[string]float64{"workers": 8})
	if err != nil {
		t.Fatal(err)
	}
	whole := testing.AllocsPerRun(2, func() { core.Hash(changed) })
	if part := testing.AllocsPerRun(2, func() { h.Hash(changed) }); part > whole/100 {
		t.Errorf("a hasher makes %.0f objects, where Hash makes %.0f", part, whole)
	}
}
