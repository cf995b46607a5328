package predictability

import (
	"math"
	"testing"

	"tierscope/analysis/loops"
)

// A collector over a cliff: nothing below the heap 5·n^2.5 bytes matters, three
// times the CPU time as soon as a heap is smaller. Sizes were run in heaps a tenth
// apart. A heap of 80 MB begins to be too small at (80·2²⁰/5)^(1/2.5) = 765.8; no
// power of what is left of it falls so steeply.
func TestACliffIsFoundByTheHeapsInWhichSizesReachIt(t *testing.T) {
	t.Parallel()
	var samples []sample
	needed := func(n float64) float64 { return 5 * math.Pow(n, 2.5) }
	for _, n := range []float64{200, 240, 290, 350, 420} {
		for heap := 1.55 * needed(n); heap > needed(n)/2; heap /= 1.1 {
			s := sample{n: n, heap: heap, slowdown: 1}
			if heap < needed(n) {
				s.slowdown = 3
			}
			samples = append(samples, s)
		}
	}
	line := thresholds(samples, slowdown)
	if line == nil {
		t.Fatal("no line of thresholds")
	}
	study := Study{Slowdown: slowdown, Thresholds: line, Base: Cost{Order: loops.LinearN, Factor: 1}}
	if p := study.PoUOf(80 * mega); math.Abs(p.Size/765.8-1) > 0.05 {
		t.Errorf("80 MB are too small from size %.1f on, want 765.8 ± 5 %%", p.Size)
	}
}

// Three sizes that reached the threshold leave none to judge the line by.
func TestALineOfThresholdsNeedsFiveSizes(t *testing.T) {
	t.Parallel()
	var samples []sample
	for _, n := range []float64{100, 120, 140, 160} {
		samples = append(samples, sample{n: n, heap: 2 * n * n, slowdown: 1}, sample{n: n, heap: n * n, slowdown: 2})
	}
	if line := thresholds(samples, slowdown); line != nil {
		t.Errorf("four sizes gave %+v", *line)
	}
}
