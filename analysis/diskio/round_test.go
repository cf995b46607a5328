package diskio

import (
	"math"
	"testing"
)

// In 20 s one thread reads for 5 and 10 s and has been reading for 4 s at the end, another one reads for all the time
// and 30 s more: 39 s in reads, of which 2 ended.
func TestAReadThatOutlastsARoundCountsWithItsShare(t *testing.T) {
	t.Parallel()
	var r round
	const s = 1_000_000_000
	for _, o := range []Operation{{Start: 0, End: 5 * s}, {Start: 6 * s, End: 16 * s}, {Start: 16 * s, End: 22 * s}, {Start: 0, End: 50 * s}} {
		r.within(o, 0, 20*s)
	}
	if want := 39.0 / 2; math.Abs(r.mean()-want) > 1e-9 {
		t.Errorf("%v s per read, want %v s", r.mean(), want)
	}
}
