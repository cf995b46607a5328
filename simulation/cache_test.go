package simulation

import (
	"math"
	"strings"
	"testing"

	"tierscope/core"
	"tierscope/simulation/des"
)

// lookups is a thread that looks something up again and again: 1 ms after a hit, 5 ms after a miss.
func lookups(c core.Cache) core.Model {
	c.ID = "pages"
	return core.Model{
		Name: "lookups", CPU: core.CPU{Cores: 1}, Caches: []core.Cache{c},
		Pools: []core.Pool{{ID: "reader", Graph: "reader", Size: 1}},
		Graphs: []core.Graph{{ID: "reader", Entry: "look", Fragments: []core.Fragment{
			{ID: "look", Class: core.DispatchFragment, Lookup: &core.Lookup{Cache: "pages", Hit: "found"}, Next: []core.Edge{{To: "load", Probability: .5}, {To: "found", Probability: .5}}},
			{ID: "found", Class: core.CPUFragment, Demand: constant(.001), Next: to("look")},
			{ID: "load", Class: core.CPUFragment, Demand: constant(.005), Next: to("look")},
		}}},
	}
}

// hitRatio simulates n lookups.
func hitRatio(t *testing.T, c core.Cache, n int) float64 {
	t.Helper()
	r := mustCompile(t, lookups(c)).replica(1, 0, 0, nil)
	r.advanceSome(des.Never, n/10)
	r.restart()
	r.advanceSome(des.Never, n)
	x := &r.caches[0]
	return float64(x.hits) / float64(x.lookups)
}

// King 1971: with independent references the LRU stack has objects i, j on top with the probability pᵢ·pⱼ/(1−pᵢ), so that a cache
// of two objects has the hit ratio Σ pᵢ·pⱼ/(1−pᵢ)·(pᵢ+pⱼ), one of one object Σ pᵢ². A correct program
// fails with other seeds in 2 of 100,000 runs (4.3 deviations of independent lookups, times √2 for their correlation).
func TestASmallCacheHasTheHitRatioOfKing(t *testing.T) {
	t.Parallel()
	n := 200_000
	if testing.Short() {
		n /= 10
	}
	for _, skew := range []float64{0, 1, 2} {
		p, sum := make([]float64, 5), 0.0
		for i := range p {
			p[i] = math.Pow(float64(i+1), -skew)
			sum += p[i]
		}
		one, two := 0.0, 0.0
		for i := range p {
			one += p[i] * p[i] / sum / sum
			for j := range p {
				if i != j {
					a, b := p[i]/sum, p[j]/sum
					two += a * b / (1 - a) * (a + b)
				}
			}
		}
		for size, want := range map[int]float64{1: one, 2: two} {
			got := hitRatio(t, core.Cache{Size: size, Items: len(p), Skew: skew}, n)
			if tolerance := 4.3 * math.Sqrt2 * math.Sqrt(want*(1-want)/float64(n)); math.Abs(got-want) > tolerance {
				t.Errorf("%d of 5 objects, skew %v: hit ratio %.4f, want %.4f ± %.4f", size, skew, got, want, tolerance)
			}
		}
	}
}

// Che, Tung & Wang 2002: their approximation is within 0.01 for hundreds of objects (Fricker, Robert & Roberts 2012 give bounds
// far below that), so that the estimate and the simulation of a model agree.
func TestCachesHaveTheHitRatioOfChe(t *testing.T) {
	t.Parallel()
	caches := []core.Cache{{Size: 20, Items: 1000, Skew: .8}, {Size: 200, Items: 1000, Skew: .8}, {Size: 100, Items: 5000, Skew: 1.2}, {Size: 2000, Items: 50_000, Skew: .6}}
	if testing.Short() {
		caches = caches[:1]
	}
	for _, c := range caches {
		got, want := hitRatio(t, c, 200_000), c.HitRatio()
		if math.Abs(got-want) > .01 {
			t.Errorf("%d of %d objects, skew %v: hit ratio %.4f, by Che's approximation %.4f", c.Size, c.Items, c.Skew, got, want)
		}
	}
}

// Caches cannot eat the machine.
func TestCachesOfTooManyObjectsAreRefused(t *testing.T) {
	t.Parallel()
	m := lookups(core.Cache{Size: 1, Items: core.MostItems})
	for i := range 9 {
		m.Caches = append(m.Caches, core.Cache{ID: string(rune('a' + i)), Size: 1, Items: core.MostItems})
	}
	if _, err := Run(t.Context(), m, nil, Options{}); err == nil || !strings.Contains(err.Error(), "objects of all caches") {
		t.Errorf("ten million objects: %v", err)
	}
}

// The hits are a metric, and a larger cache makes the thread faster.
func TestALargerCacheIsFaster(t *testing.T) {
	t.Parallel()
	m := lookups(core.Cache{Size: 10, Items: 100})
	rate := map[float64]float64{}
	for _, size := range []float64{10, 100} {
		result, err := Run(t.Context(), m, map[string]float64{"caches/pages/size": size}, Options{Replications: 2, Warmup: 1, Duration: 20, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		h, ok := result.Find("H cache/pages mean")
		if !ok || math.Abs(h.Estimate.Mean-size/100) > .02 {
			t.Errorf("with room for %v of 100 objects the hit ratio is %v (%t)", size, h.Estimate.Mean, ok)
		}
		x, _ := result.Find("X fragment/reader/look mean")
		rate[size] = x.Estimate.Mean
	}
	if rate[100] < 3*rate[10] { // 1 ms against 0.1·1 + 0.9·5 ms
		t.Errorf("%v lookups a second, %v with a cache for all", rate[10], rate[100])
	}
}
