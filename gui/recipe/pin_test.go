package recipe

import (
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"tierscope/core"
	"tierscope/project"
)

// What is pinned to the report is there when the project is opened again; a project without pins has none.
func TestPinsAreKeptInTheProject(t *testing.T) {
	t.Parallel()
	p, err := project.Create(filepath.Join(t.TempDir(), "web.tier"), project.Manifest{Name: "web"}, core.Model{Name: "web", CPU: core.CPU{Cores: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if none, err := Pins(p); err != nil || len(none) != 0 {
		t.Fatalf("a new project has the pins %v (%v)", none, err)
	}
	want := []Pin{{Title: "Network", Note: "look", SVG: "<svg/>", Header: []string{"a"}, Rows: [][]string{{"1"}}}, {Title: "Gains", SVG: "<svg/>", From: "seed 1"}}
	if err := SavePins(p, nil, want); err != nil {
		t.Fatal(err)
	}
	got, err := Pins(p)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("kept as %+v (%v), want %+v", got, err, want)
	}
}

// Two windows are open on one project with the figures A and B. The first one takes A out and adds C, the second one writes a note on B and adds D:
// A is out, B has its note, C and D are there.
func TestPinsOfAnotherWindowStay(t *testing.T) {
	t.Parallel()
	p, err := project.Create(filepath.Join(t.TempDir(), "web.tier"), project.Manifest{Name: "web"}, core.Model{Name: "web", CPU: core.CPU{Cores: 1}})
	if err != nil {
		t.Fatal(err)
	}
	a, b, c, d := Pin{Title: "A", SVG: "<svg/>"}, Pin{Title: "B", SVG: "<svg/>", Header: []string{}}, Pin{Title: "C", SVG: "<svg/>"}, Pin{Title: "D", SVG: "<svg/>"}
	noted := b
	noted.Note = "see the disk"
	both := []Pin{a, b}
	for _, change := range []struct{ base, now []Pin }{{nil, both}, {both, []Pin{b, c}}, {both, []Pin{a, noted, d}}} {
		if err := SavePins(p, change.base, change.now); err != nil {
			t.Fatal(err)
		}
	}
	all, err := Pins(p)
	var got []string
	for _, f := range all {
		got = append(got, f.Title+f.Note)
	}
	slices.Sort(got)
	if want := []string{"Bsee the disk", "C", "D"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("the report has %q (%v), want %q", got, err, want)
	}
}
