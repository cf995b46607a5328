package settings

import (
	"math"
	"strings"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
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

// Options that the run was given are given by either name, in one word with their value, or cut short as getopt_long(3) allows.
func TestOptionsThatWereNotGivenAreNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args, options, want []string
	}{
		{[]string{"-j", "3", "--eff=2"}, []string{"-j/--jobs", "--effort", "-q"}, []string{"-q"}},
		{[]string{"-j3", "--", "-"}, []string{"-j/--jobs", "--effort"}, []string{"--effort"}},
		{[]string{"--jobs", "3"}, []string{"-j/--jobs"}, nil},
		{nil, strings.Split("-a -b -c -d -e -f -g -h -i -k", " "), strings.Split("-a -b -c -d -e -f -g -h|2 others", "|")},
	} {
		tr := &trail.Trail{Input: trail.Input{Workload: trace.Workload{Args: c.args}}, Trace: &trace.Trace{Options: c.options}}
		got := strings.Join(notGiven(tr), " ")
		if want := strings.Join(c.want, " "); got != want {
			t.Errorf("%q of %q: not given %q, want %q", c.args, c.options, got, want)
		}
	}
}
