package native

import (
	"slices"
	"testing"

	"tierscope/analysis/trace"
)

// Programs tell getopt(3) what options they take: those with a value are known, whether they were given or not.
func TestOptionsThatARunWasNotGivenAreKnown(t *testing.T) {
	t.Parallel()
	exe := compiled(t, "cc", "../../unseen/c/mandel.c", "-O2", "-pthread", "-lm")
	_, tr, err := recordedRun(t, exe, []string{"-t", "2", "-s", "40"})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"-t", "-s", "-T", "-i"}; !slices.Equal(tr.Options, want) {
		t.Errorf("the program takes %q, want %q", tr.Options, want)
	}
}

// As getopt(3) is told: letters without a value, -W that begins a name, a value that may be left out, and a name that means what
// a letter means.
func TestOptionsAreThoseThatTakeAValue(t *testing.T) {
	t.Parallel()
	d := decoder{trace: &trace.Trace{}}
	for _, o := range []struct {
		name   string
		letter int64
	}{{"+:vj:W;l::q", -1}, {"jobs", 'j'}, {"effort", 0}, {"level", 'l'}} {
		d.option(o.name, o.letter)
	}
	if want := []string{"-j/--jobs", "-l/--level", "--effort"}; !slices.Equal(d.trace.Options, want) {
		t.Errorf("options %q, want %q", d.trace.Options, want)
	}
}
