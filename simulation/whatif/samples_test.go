package whatif

import (
	"context"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"tierscope/core"
	"tierscope/project"
	"tierscope/simulation"
	"tierscope/simulation/experiment"
)

// settingsOfASample is how many settings of knobs, not used to draw the curves,
// are simulated in each sample; a tenth of it unless TIERSCOPE_LONG is set, and of one sample only in a short test.
const settingsOfASample = 40

// leastInside is the share of them that a band of 95 % intervals must hold.
const leastInside = 0.95

// A band is worth showing only if what is simulated later lies in it. Settings
// and seeds are drawn anew for every sample; a correct band misses the mark by
// chance in less than one of a thousand runs, as it is wider than its points'
// intervals between them.
func TestWhatIsSimulatedLaterLiesInTheBand(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it simulates several curves of every sample")
	}
	samples, err := filepath.Glob("../../assets/samples/*.tier")
	if err != nil || len(samples) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	n := settingsOfASample
	if os.Getenv("TIERSCOPE_LONG") == "" {
		n /= 10
	}
	for i, path := range samples {
		t.Run(filepath.Base(path), func(t *testing.T) {
			m, err := project.LoadModel(path)
			if err != nil {
				t.Fatal(err)
			}
			inside, all := coverage(t, m, uint64(i), n)
			if float64(inside) < leastInside*float64(all)-1 { // one of few may always be outside
				t.Errorf("%d of %d settings lie in the band, want %.0f %%", inside, all, 100*leastInside)
			}
			t.Logf("%d of %d settings lie in the band", inside, all)
		})
	}
}

// coverage simulates settings of parameters of a model between the points of their curves.
func coverage(t *testing.T, m core.Model, seed uint64, n int) (inside, all int) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 24))
	runner := &experiment.Runner{Model: m, Pool: simulation.NewPool(0), Simulate: simulation.Run}
	key, name := "R class/task mean", "R"
	if d := m.Demands(); d.Batch {
		key, name = "T program mean", "T"
	}
	options := simulation.Options{Seed: seed}
	curves := map[string]*Curve{}
	curve := func(p core.Parameter) *Curve {
		c, drawn := curves[p.Name]
		if drawn {
			return c
		}
		var points []experiment.Point
		arrived := func(more []experiment.Point) { points = append(points, more...) }
		q := Question{Knobs: []core.Parameter{p}}
		err := Run(context.Background(), runner, q, options, arrived)
		if err == nil {
			err = Refine(context.Background(), runner, q, options, points, arrived)
		}
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		var anchors []Anchor
		for _, x := range points {
			if a, ok := AnchorOf(x.Result, x.Settings[p.Name], key); ok {
				anchors = append(anchors, a)
			}
		}
		c = NewCurve(anchors, Forecast(m, nil, p.Name, name))
		curves[p.Name] = c
		return c
	}
	for tries := 0; all < n && tries < 10*n; tries++ {
		p := m.Parameters[random.IntN(len(m.Parameters))]
		c := curve(p)
		if c == nil {
			continue
		}
		ends := c.Anchors()
		v := ends[0].At + random.Float64()*(ends[len(ends)-1].At-ends[0].At)
		if p.Integer {
			v = float64(int(v))
		}
		drawn, ok := c.At(v)
		if !ok || used(ends, v) {
			continue
		}
		settings := maps.Clone(map[string]float64{p.Name: v})
		o := options
		o.Replications = Replications
		r, err := simulation.Run(context.Background(), m, settings, o)
		if err != nil {
			t.Fatal(err)
		}
		a, ok := AnchorOf(r, v, key)
		if !ok {
			continue
		}
		all++
		if a.Mean >= drawn.Lo && a.Mean <= drawn.Hi {
			inside++
		} else {
			t.Logf("%s = %.4g: %.5g is outside of %.5g [%.5g, %.5g]", p.Name, v, a.Mean, drawn.Mean, drawn.Lo, drawn.Hi)
		}
	}
	return inside, all
}

func used(anchors []Anchor, v float64) bool {
	for _, a := range anchors {
		if a.At == v {
			return true
		}
	}
	return false
}
