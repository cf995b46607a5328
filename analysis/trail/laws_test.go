package trail_test

import (
	"slices"
	"testing"

	"tierscope/analysis/trail"
)

// Quantiles of equal samples are equal: a sketch of clock readings, which have
// ties, must ascend. (245·(1 − f) + 245·f is less than 245 for some f.)
func TestQuantilesOfTiedSamplesDoNotFall(t *testing.T) {
	t.Parallel()
	samples := []int64{243, 243, 244, 244, 245, 245, 245, 247, 248, 255, 262, 264, 267, 283, 297, 306, 392, 405, 406, 451}
	if d := trail.Empirical(samples); !slices.IsSorted(d.Values) {
		t.Errorf("the sketch of %v does not ascend: %v", samples, d.Values)
	}
}
