package java

import (
	"path/filepath"
	"testing"

	"tierscope/analysis/trace"
)

// What is made is completed, once, in whichever way: a model whose futures were not would wait for them for ever.
func TestEveryFutureIsCompletedOnce(t *testing.T) {
	t.Parallel()
	tr, _ := traced(t, "-cp", compiled(t, filepath.Join("testdata", "futures", "Futures.java")), "Futures")
	made, done := int64(0), int64(0)
	for _, th := range tr.Threads {
		for _, r := range th.Records {
			switch {
			case r.End:
			case r.Op == trace.OpAdd:
				made += r.Arg
			case r.Op == trace.OpDone:
				done++
			}
		}
	}
	if made != 6*20 || made != done { // one that is never seen to be completed is left out
		t.Errorf("%d futures are made, and %d completed, want 6 in each of 20 rounds", made, done)
	}
}
