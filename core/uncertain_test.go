package core_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"tierscope/core"
)

// A machine that is exp(0.1) times as slow, and fragments that take exp(2·0.05) times as
// long because both factors are drawn at one standard deviation.
func TestUncertainFactorsMultiplyWhatTheyLoadOn(t *testing.T) {
	t.Parallel()
	m := webServer()
	m.CPU.Cores, m.CPU.Speed = 2, []float64{1, 2}
	m.Uncertain = []core.Uncertain{
		{Name: "machine", Deviation: .1, Targets: []core.Loading{{Path: "cpu/speed", Power: -1}}},
		{Name: "model", Deviation: .05, Targets: []core.Loading{{Path: core.EveryScale, Power: 2}}},
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	d := m.Drawn(func(core.Uncertain) float64 { return 1 })
	if err := d.Validate(); err != nil {
		t.Fatal(err)
	}
	if want := math.Exp(-.1); math.Abs(d.CPU.Speed[0]-want) > 1e-12 || math.Abs(d.CPU.Speed[1]-2*want) > 1e-12 {
		t.Errorf("speeds %v, want 1 and 2 times %g", d.CPU.Speed, want)
	}
	was, is := m.Demands(), d.Demands()
	a, _ := was.Station("disk/sda")
	b, _ := is.Station("disk/sda")
	if math.Abs(b.Demand/a.Demand-math.Exp(.1)) > 1e-9 {
		t.Errorf("the disk's demand is %g times as large, want exp(0.1)", b.Demand/a.Demand)
	}
	if m.CPU.Speed[1] != 2 {
		t.Error("the model itself was changed")
	}
	var file bytes.Buffer
	if err := core.Encode(&file, m); err != nil {
		t.Fatal(err)
	}
	if back, err := core.Decode(&file); err != nil || len(back.Uncertain) != 2 || back.Uncertain[1].Targets[0].Power != 2 {
		t.Errorf("%+v came back (%v)", back.Uncertain, err)
	}
	m.Uncertain = append(m.Uncertain, core.Uncertain{Name: "model", Deviation: 3, Targets: []core.Loading{{Path: "pools/worker/size"}, {Path: "disks/none/speed"}}})
	err := m.Validate()
	for _, want := range []string{"given twice", "deviation 3", "whole number", "disks/none"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Validate = %v, want that %q", err, want)
		}
	}
}

// Of 5 %, 3 % are left whatever is done, and 4 % are of one run: with three more, half of
// those are left, and √(3² + 2²) % in all.
func TestMoreRunsShrinkWhatRunsTell(t *testing.T) {
	t.Parallel()
	u := core.Uncertain{Deviation: .05, Rest: .03, Runs: 1}
	if got, want := u.WithMore(3), math.Hypot(.03, .02); math.Abs(got-want) > 1e-12 {
		t.Errorf("with three more runs %g, want %g", got, want)
	}
	if u.Runs = 0; u.WithMore(3) != .05 {
		t.Errorf("of what runs do not tell %g is left, want all", u.WithMore(3))
	}
}
