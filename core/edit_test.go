package core_test

import (
	"strings"
	"testing"

	"tierscope/core"
)

func TestSplittingALockRaisesItsLimit(t *testing.T) {
	t.Parallel()
	m, err := webServer().Edited(core.Edit{Kind: core.SplitLock, Lock: "L3", N: 4})
	if err != nil {
		t.Fatal(err)
	}
	d := m.Demands()
	s, _ := d.Station("lock/L3")
	near(t, "limit of four stripes of .5 ms", s.Limit(), 4/.0005, 1e-9)
}

func TestAFasterLockShortensTheTaskToo(t *testing.T) {
	t.Parallel()
	m, err := webServer().Edited(core.Edit{Kind: core.FasterCS, Lock: "L3", Factor: 5})
	if err != nil {
		t.Fatal(err)
	}
	d := m.Demands()
	s, _ := d.Station("lock/L3")
	near(t, "hold time", s.Demand, .0001, 1e-12)
	near(t, "response time without contention", d.Response, .0076-.0004, 1e-12)
}

// With a share p of readers, only 1−p of the sections exclude others; the work
// per task does not change.
func TestAReadWriteLockKeepsTheWorkAndFreesTheReaders(t *testing.T) {
	t.Parallel()
	before := webServer()
	m, err := before.Edited(core.Edit{Kind: core.ReadWrite, Lock: "L3", Share: .9})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Validate(); err != nil {
		t.Fatalf("the edited model is not valid: %v", err)
	}
	if w := m.Warnings(); len(w) > 0 {
		t.Errorf("the edited model has odd parts: %v", w)
	}
	old, d := before.Demands(), m.Demands()
	for _, of := range []string{"cpu", "disk/sda", "pool/worker"} {
		a, _ := old.Station(of)
		b, _ := d.Station(of)
		near(t, "demand of "+of, b.Demand, a.Demand, 1e-12)
	}
	s, _ := d.Station("lock/L3")
	near(t, "exclusive hold time", s.Demand, .00005, 1e-12)
	if core.Hash(before) != core.Hash(webServer()) {
		t.Error("Edited changed its receiver")
	}
}

// A section with branches, two exits and a loop inside keeps its visit counts.
func TestSplittingABranchingSectionKeepsItsVisits(t *testing.T) {
	t.Parallel()
	m := webServer()
	g := &m.Graphs[1]
	g.Fragment("lookup").Next = []core.Edge{{To: "loop", Probability: .5}, {To: "exit", Probability: .5}}
	g.Fragments = append(g.Fragments,
		core.Fragment{ID: "loop", Class: core.LoopFragment, Loop: &core.Loop{Count: core.Const(10), Body: "body"}, Next: []core.Edge{{To: "exit2", Probability: 1}}},
		core.Fragment{ID: "body", Class: core.CPUFragment, Demand: core.Const(.001), Next: []core.Edge{{To: "loop", Probability: 1}}},
		core.Fragment{ID: "exit2", Class: core.SyncFragment, Sync: &core.Sync{Lock: "L3", Op: core.Exit}, Next: []core.Edge{{To: "enter", Probability: .2}, {To: "send", Probability: .8}}})
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	out, err := m.Edited(core.Edit{Kind: core.ReadWrite, Lock: "L3", Share: .3})
	if err != nil {
		t.Fatal(err)
	}
	if err := out.Validate(); err != nil {
		t.Fatal(err)
	}
	old, d := m.Demands(), out.Demands()
	a, _ := old.Station("cpu")
	b, _ := d.Station("cpu")
	near(t, "CPU per task", b.Demand, a.Demand, 1e-12)
	a, _ = old.Station("lock/L3")
	b, _ = d.Station("lock/L3")
	near(t, "exclusive hold time per task", b.Demand, .7*a.Demand, 1e-12)
}

// Of the transitions that one fragment has made, each of two copies makes some: neither
// the order nor which was the last holds for them.
func TestCopiesOfAFragmentForgetItsOrder(t *testing.T) {
	t.Parallel()
	before := webServer()
	marked := 0
	for _, g := range before.Graphs {
		for i := range g.Fragments {
			if f := &g.Fragments[i]; f.Sync != nil && f.Sync.Lock == "L3" && f.Sync.Op == core.Enter {
				f.Next[0].Last, f.Order = true, []core.Streak{{Value: 0, Times: 1}}
				marked++
			}
		}
	}
	m, err := before.Edited(core.Edit{Kind: core.ReadWrite, Lock: "L3", Share: .9})
	if err != nil {
		t.Fatal(err)
	}
	if marked == 0 {
		t.Fatal("no fragment enters the lock")
	}
	for _, g := range m.Graphs {
		for _, f := range g.Fragments {
			if f.Order != nil || len(f.Next) > 0 && f.Next[0].Last {
				t.Errorf("%s keeps the order of what another one does too", f.ID)
			}
		}
	}
}

func TestAnImpossibleEditSaysWhy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		edit core.Edit
		want string
	}{
		{core.Edit{Kind: core.SplitLock, Lock: "L4", N: 2}, `did you mean "L3"?`},
		{core.Edit{Kind: core.SplitLock, Lock: "L3"}, "at least 1"},
		{core.Edit{Kind: core.ReadWrite, Lock: "L3", Share: 2}, "in 0…1"},
		{core.Edit{Kind: core.FasterCS, Lock: "L3"}, "> 0"},
		{core.Edit{Kind: "merge", Lock: "L3"}, "unknown"},
	} {
		if _, err := webServer().Edited(c.edit); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v does not say %q", c.edit, err, c.want)
		}
	}
}
