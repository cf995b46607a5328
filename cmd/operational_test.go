package cmd_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"tierscope/core"
	"tierscope/project"
	"tierscope/simulation"
)

// Operational laws hold in every system that can be observed (Denning & Buzen
// 1978), so they hold in the simulator: utilization is throughput times
// demand, and no response time or throughput is better than its bound. Two
// independent ways from one model to one number: the visit counts of core and
// the state machines of simulation.
func TestTheSimulatorObeysOperationalLaws(t *testing.T) {
	t.Parallel()
	m, err := project.LoadModel("../testdata/models/version-1-web-server.json")
	if err != nil {
		t.Fatal(err)
	}
	m.Locks[0].SpeedUp = 2
	split, err := m.Edited(core.Edit{Kind: core.SplitLock, Lock: "L3", N: 2})
	if err != nil {
		t.Fatal(err)
	}
	readWrite, err := m.Edited(core.Edit{Kind: core.ReadWrite, Lock: "L3", Share: .7})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name     string
		model    core.Model
		settings map[string]float64
	}{
		{"as measured", m, nil},
		{"one worker", m, map[string]float64{"workers": 1}},
		{"near saturation", m, map[string]float64{"rate": 170, "workers": 16}},
		{"overload", m, map[string]float64{"rate": 300, "workers": 8}},
		{"split lock", split, map[string]float64{"rate": 150}},
		{"read-write lock", readWrite, map[string]float64{"rate": 150}},
		{"faster disk, slower code", m, map[string]float64{"disks/sda/speed": 4, "graphs/worker/scale": 1.5, "rate": 100}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			configured, err := c.model.With(c.settings)
			if err != nil {
				t.Fatal(err)
			}
			demands := configured.Demands()
			bounds := demands.Bounds()
			r, err := simulation.Run(t.Context(), c.model, c.settings, simulation.Options{Seed: 3, Replications: 8, Duration: 120, Confidence: .999})
			if err != nil {
				t.Fatal(err)
			}
			find := func(key string) (mean, half float64) {
				m, ok := r.Find(key)
				if !ok {
					t.Fatalf("the result has no %s", key)
				}
				return m.Estimate.Mean, (m.Estimate.Hi - m.Estimate.Lo) / 2
			}
			x, dx := find("X class/task mean")
			response, dr := find("R class/task mean")
			if x > bounds.Throughput+2*dx {
				t.Errorf("throughput %g ± %g is above its bound %g", x, dx, bounds.Throughput)
			}
			if bounds.Stable && response < bounds.Response-2*dr {
				t.Errorf("response time %g ± %g is below its bound %g", response, dr, bounds.Response)
			}
			for _, s := range demands.Stations {
				if s.Demand == 0 || strings.HasPrefix(s.Of, "pool/") {
					continue // a pool's threads wait for other stations too
				}
				u, du := find(fmt.Sprintf("U %s mean", s.Of))
				want := x * s.Demand / s.Capacity
				if s.Of == "lock/L3" && c.name == "read-write lock" {
					continue // demand counts exclusive sections only
				}
				if tolerance := 2*du + dx*s.Demand/s.Capacity + .04*want; math.Abs(u-want) > tolerance {
					t.Errorf("utilization of %s is %.4f ± %.4f, X·D = %.4f", s.Of, u, du, want)
				}
			}
		})
	}
}
