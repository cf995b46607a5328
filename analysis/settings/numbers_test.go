package settings

import (
	"slices"
	"testing"

	"tierscope/analysis/trace"
)

// POSIX, Utility Syntax Guidelines: an option's number is a word of its own or follows the letter; GNU programs have --name=number. Each
// is found by its name, and set where it stands.
func TestNumbersOfACommandAreFoundAndSet(t *testing.T) {
	t.Parallel()
	w := trace.Workload{Args: []string{"-p", "2", "-T3", "--parallel=4", "-k", "size=5", "6", "file", "-x", "y"}, Env: map[string]string{"OMP_NUM_THREADS": "7", "LANG": "C"}}
	want := map[string]struct {
		value int
		args  []string
	}{
		"-p":               {2, []string{"-p", "9", "-T3", "--parallel=4", "-k", "size=5", "6", "file", "-x", "y"}},
		"argument 3 -T":    {3, []string{"-p", "2", "-T9", "--parallel=4", "-k", "size=5", "6", "file", "-x", "y"}},
		"--parallel":       {4, []string{"-p", "2", "-T3", "--parallel=9", "-k", "size=5", "6", "file", "-x", "y"}},
		"argument 6 size=": {5, []string{"-p", "2", "-T3", "--parallel=4", "-k", "size=9", "6", "file", "-x", "y"}},
		"argument 7":       {6, []string{"-p", "2", "-T3", "--parallel=4", "-k", "size=5", "9", "file", "-x", "y"}},
	}
	ns := Numbers(&w)
	if len(ns) != len(want)+1 {
		t.Fatalf("%d numbers, want %d: %+v", len(ns), len(want)+1, ns)
	}
	for _, n := range ns {
		changed := n.In(w, 9)
		if n.Env {
			if n.Name != "OMP_NUM_THREADS" || n.Value != 7 || changed.Env["OMP_NUM_THREADS"] != "9" || w.Env["OMP_NUM_THREADS"] != "7" {
				t.Errorf("the environment has %+v", n)
			}
			continue
		}
		if x, ok := want[n.Name]; !ok || n.Value != x.value || !slices.Equal(changed.Args, x.args) {
			t.Errorf("%s is %d and gives %q, want %+v", n.Name, n.Value, changed.Args, x)
		}
	}
}
