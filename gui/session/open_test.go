package session

import (
	"path/filepath"
	"slices"
	"testing"

	"tierscope/gui/background"
	"tierscope/project"
)

// Two windows, or a window and a person with an editor, work on one folder: a window removes
// only the scenarios that its user removed, not those that it does not know.
func TestAWindowKeepsTheScenariosOfAnother(t *testing.T) {
	t.Parallel()
	m, err := project.LoadModel("../../testdata/models/version-1-web-server.json")
	if err != nil {
		t.Fatal(err)
	}
	p, err := project.Create(filepath.Join(t.TempDir(), "shop.tier"), project.Manifest{}, m)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.SaveScenario(project.Scenario{Name: "old", Settings: map[string]float64{"workers": 2}}); err != nil {
		t.Fatal(err)
	}
	open := func() *Session {
		o, err := Read(p.Dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = o.Ledger.Close() })
		s := New(background.NewLocal(), nil)
		s.Show(o, "")
		return s
	}
	one, two := open(), open()
	change := func(s *Session, name string, f func()) {
		f()
		s.Runner.Settle()
		if n := s.Notice(); n != nil {
			t.Fatalf("%s: %+v", name, n)
		}
	}
	change(one, "one", func() { one.AddScenario(0); one.RenameScenario(one.Current(), "of one"); one.Set("workers", 3) })
	change(two, "two", func() { two.AddScenario(0); two.RenameScenario(two.Current(), "of two"); two.Set("workers", 5) })
	change(one, "one removes", func() { one.RemoveScenario(1) })
	all, err := p.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range all {
		names = append(names, c.Name)
	}
	slices.Sort(names)
	if want := []string{"of one", "of two"}; !slices.Equal(names, want) {
		t.Errorf("the folder has %q, want %q: what each window made, without what one of them removed", names, want)
	}
}
