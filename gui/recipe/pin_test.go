package recipe

import (
	"path/filepath"
	"reflect"
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
	if err := SavePins(p, want); err != nil {
		t.Fatal(err)
	}
	got, err := Pins(p)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("kept as %+v (%v), want %+v", got, err, want)
	}
}
