package settings

import (
	"math"
	"testing"
)

// Numbers among the arguments are settings however they are written: alone, given to a name, or, as getopt(3) takes
// them, in one word with their flag. The second figure is how the program is given another value.
func TestNumbersInOneWordWithTheirFlagAreSettings(t *testing.T) {
	t.Parallel()
	want := map[string]struct {
		value     float64
		name, how string
	}{
		"argument 1 -p":       {2, "p", "argument 1 -p{value}"},
		"argument 3 threads=": {4, "threads", "argument 3 threads={value}"},
		"argument 4":          {7, "argument-4", "argument 4 {value}"},
	}
	got := arguments([]string{"-p2", "-9", "threads=4", "7", "-x", "3", "-verbose", "-T"})
	for _, s := range got {
		w, ok := want[s.Name]
		name, how := s.named("")
		if !ok || math.Abs(s.value-w.value) > 0 || name != w.name || how != w.how {
			t.Errorf("%s = %g, named %s, given by %s; want %+v", s.Name, s.value, name, how, w)
		}
		delete(want, s.Name)
	}
	if len(want) > 0 {
		t.Errorf("not found: %v", want)
	}
}
