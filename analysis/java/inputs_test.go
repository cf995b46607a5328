package java

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
)

// System properties and variables of the environment that a program asks for by a name
// are its settings, those that a method of its own asks for too, with the number that it takes where it is not told.
func TestWhatAProgramAsksForIsASetting(t *testing.T) {
	t.Parallel()
	w := worldOf(t, compiled(t, filepath.Join("testdata", "inputs", "Inputs.java")))
	var got []string
	for _, s := range w.inputs() {
		if !s.Unfollowed {
			t.Errorf("%s: nobody looked for what it decides, and that is not said", s.Name)
		}
		got = append(got, fmt.Sprintf("%s %v %g", s.Name, s.Env, s.Initial))
	}
	want := []string{"-Dbakers false 3", "-Ditems false 1e+06", "-Dport false 8080", "-Dthreads false 4", "OVENS true 2", "QUEUE true 16", "WORKERS true 0"}
	if !slices.Equal(got, want) {
		t.Errorf("settings %q, want %q", got, want)
	}
}
