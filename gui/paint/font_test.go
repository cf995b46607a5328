package paint_test

import (
	"strings"
	"testing"

	"tierscope/gui/paint"
)

// Names of locks differ in their function, at the beginning, and in where they come from, at the end.
func TestALongNameKeepsItsBeginningAndItsEnd(t *testing.T) {
	t.Parallel()
	f := paint.Liberation()
	const name, size = "mutex (*lru).get:52 · recorded", 12
	got := f.FitMiddle(name, size, false, 110)
	if f.Width(got, size, false) > 110 || !strings.HasPrefix(got, "mutex") || !strings.HasSuffix(got, "corded") || strings.Count(got, "…") != 1 {
		t.Errorf("%q is shortened to %q", name, got)
	}
	if got := f.FitMiddle(name, size, false, 1000); got != name {
		t.Errorf("with room enough it is %q", got)
	}
}
