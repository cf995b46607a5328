package java

import "testing"

// What compilers used in the work phase is what they had used at its end less
// what they had at its begin.
func TestCompilationIsThatOfTheWorkPhase(t *testing.T) {
	t.Parallel()
	a := &account{reads: []reading{{time: 100, compiler: 7}, {time: 200, compiler: 30}, {time: 300, compiler: 50}, {time: 400, compiler: 51}}}
	for _, c := range []struct{ from, to, want int64 }{{200, 400, 21}, {0, 1000, 51}, {250, 399, 20}, {400, 500, 0}} {
		if got := a.compiled(c.from, c.to); got != c.want {
			t.Errorf("from %d to %d: %d ns, want %d", c.from, c.to, got, c.want)
		}
	}
}
