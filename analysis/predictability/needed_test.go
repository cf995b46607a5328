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

// The paper's rule: with a peak of 3 kB and a base of 1 kB per element, 30 MB are full at
// 10 240 elements, and too small from 30 720 on.
func TestTheRuleOfThePaperSolvesFootprints(t *testing.T) {
	t.Parallel()
	s := &Study{Base: Cost{Order: loops.LinearN, Factor: 1024}}
	if _, _, ok := s.ByFootprint(1 << 20); ok {
		t.Error("without footprints there is an answer")
	}
	for _, n := range []int{1000, 1500, 2000, 2500, 3000} {
		s.Points = append(s.Points, Point{Size: n, Role: Calibration, Peak: int64(3072 * n)})
	}
	pou, maxMem, ok := s.ByFootprint(30 << 20)
	if !ok || math.Abs(pou/10_240-1) > 0.01 || math.Abs(maxMem/30_720-1) > 0.01 {
		t.Errorf("PoU %g, MaxMem %g (%v), want 10240 and 30720", pou, maxMem, ok)
	}
}

// Two machines of other speeds, imported: by the model both are busy; by clocks that lie
// they are not. Calibrated where compilation hides the cost, balance is worse.
func TestStudiesOfOtherMachinesAreBalanced(t *testing.T) {
	t.Parallel()
	machine := func(slower float64) *Study {
		s := &Study{Cost: Cost{Order: loops.LinearN, Factor: slower * 1e-3}}
		for k, n := range []int{10, 20, 40, 80, 160, 1000, 1200, 1440, 1728, 2074, 4000, 8000} {
			p := Point{Size: n, CPU: slower * 1e-3 * float64(n), Role: Calibration}
			if n < 1000 {
				p.CPU += []float64{0.9, 0.1, 0.5, 1.1, 0.2}[k] * (3 - slower) // a compiler's
			}
			if n >= 4000 {
				p.Role = Check
			}
			s.Points = append(s.Points, p)
		}
		return s
	}
	b, err := FindBalance(t.Context(), BalancePlan{Studies: []*Study{machine(1), machine(2)}, From: 4000, To: 8000,
		Platforms: []Platform{{Name: "a", Frequency: 2, Factor: 1}, {Name: "b", Frequency: 3, Factor: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	if b.Predicted || b.Model < 0.97 || b.InOrder < 0.9 || b.InOrder > b.Model || b.Frequency > 0.8 {
		t.Errorf("utilization %.3f by the model, %.3f in order, %.3f by clocks; predicted only: %v", b.Model, b.InOrder, b.Frequency, b.Predicted)
	}
	first, last := b.Calibrations[0], b.Calibrations[5]
	if first.From != 10 || last.From != 1000 || first.Actual > last.Actual-0.05 || last.Actual < 0.9 {
		t.Errorf("figure 4: %+v", b.Calibrations)
	}
}
