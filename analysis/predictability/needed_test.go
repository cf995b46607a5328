package predictability

import (
	"math"
	"strings"
	"testing"

	"tierscope/analysis/loops"
)

// Live data of 1 kB per element, and no collector to slow down before the heap is full:
// 100 000 elements need 100 MB. A size that merely thrashes is told from one that does
// not fit.
func TestAStudySaysWhatHeapASizeNeeds(t *testing.T) {
	t.Parallel()
	s := &Study{Slowdown: 1.5, Base: Cost{Order: loops.LinearN, Factor: 1024}}
	const mega = 1 << 20
	if got, want := s.HeapFor(102_400), int64(100*mega); math.Abs(float64(got-want)) > mega {
		t.Errorf("100 MB of live data need a heap of %s", Megabytes(got))
	}
	s.PoU = []PoU{{Heap: 50 * mega, Size: 30_000, Exhausted: 51_200}}
	for n, want := range map[float64]string{40_000: "above the point of unpredictability", 60_000: "(MaxMem)"} {
		why := s.Outside(n, 0)
		if !strings.Contains(why, want) || !strings.Contains(why, "needs a heap of about") {
			t.Errorf("size %g in 50 MB: %q, want %q and the heap that it needs", n, why, want)
		}
	}
	if why := s.Outside(20_000, 0); why != "" {
		t.Errorf("size 20000 in 50 MB: %q", why)
	}
	if h := (&Study{}).HeapFor(100); h != 0 {
		t.Errorf("without a study of heaps: %d", h)
	}
}
