package core_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"tierscope/core"
)

func ExampleModel_With() {
	m := webServer()
	faster, err := m.With(map[string]float64{
		"workers":                            8,   // a parameter
		"disks/sda/speed":                    3,   // a path
		"graphs/worker/fragments/send/scale": 0.7, // 30 % less CPU in one fragment
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	before, after := m.Demands(), faster.Demands()
	fmt.Printf("saturates at %.0f and then %.0f tasks per second\n", before.Bounds().Saturation, after.Bounds().Saturation)
	_, err = m.With(map[string]float64{"wokers": 8})
	fmt.Println(err)
	// Output:
	// saturates at 200 and then 600 tasks per second
	// setting "wokers" is neither a parameter nor a path of the model; did you mean "workers"?
}

func TestAConfigurationDoesNotChangeTheModelItStartsFrom(t *testing.T) {
	t.Parallel()
	m := webServer()
	before := core.Hash(m)
	settings := map[string]float64{}
	for _, k := range m.Knobs() {
		settings[k.Path] = max(1, k.Value+1)
	}
	out, err := m.With(settings)
	if err != nil {
		t.Fatal(err)
	}
	if core.Hash(m) != before {
		t.Error("With changed its receiver")
	}
	for _, k := range out.Knobs() {
		if want := settings[k.Path]; k.Value != want && !strings.HasSuffix(k.Path, "/scale") {
			t.Errorf("%s was set to %v and is %v", k.Path, want, k.Value)
		}
	}
}

// Every knob that is listed can be set to its own value, which changes
// nothing.
func TestSettingEveryKnobToItsValueGivesTheSameModel(t *testing.T) {
	t.Parallel()
	m := webServer()
	m.CPU.Speed = []float64{1, 1}
	for _, k := range m.Knobs() {
		out, err := m.With(map[string]float64{k.Path: k.Value})
		if err != nil {
			t.Errorf("%s = %v: %v", k.Path, k.Value, err)
			continue
		}
		before, after := m.Demands(), out.Demands()
		if !reflect.DeepEqual(before.Stations, after.Stations) {
			t.Errorf("%s = %v: demands were %v and are %v", k.Path, k.Value, before.Stations, after.Stations)
		}
		again, err := out.Lookup(k.Path)
		if err != nil || again.Value != k.Value {
			t.Errorf("%s was set to %v and is %v (%v)", k.Path, k.Value, again.Value, err)
		}
	}
}

func TestParameterTargetsFollowTheirFormula(t *testing.T) {
	t.Parallel()
	m := webServer()
	m.Parameters = []core.Parameter{{Name: "n", Default: 2, Min: 1, Max: 100, Targets: []core.Target{
		{Path: "pools/worker/size", Factor: 2},                            // 2·n threads
		{Path: "queues/tasks/capacity", Factor: 16, Power: 2},             // 16·n² places
		{Path: "graphs/worker/groups/render/scale", Factor: 2, Power: -1}, // a fixed amount of work shared by n
	}}}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	out, err := m.With(map[string]float64{"n": 5})
	if err != nil {
		t.Fatal(err)
	}
	if got := out.Pools[1].Size; got != 10 {
		t.Errorf("pool size is %d, want 2·5", got)
	}
	if got := out.Queues[1].Capacity; got != 400 {
		t.Errorf("capacity is %d, want 16·5²", got)
	}
	if got := out.Graphs[1].Fragment("send").Scale; got != .4 {
		t.Errorf("scale is %v, want 2/5", got)
	}
}

func TestBadSettingsAreAllReported(t *testing.T) {
	t.Parallel()
	m := webServer()
	for name, c := range map[string]struct {
		settings map[string]float64
		want     []string
	}{
		"several":             {map[string]float64{"workers": 100, "rate": 0}, []string{`"workers": 100 is outside 1…64`, `"rate": 0 is outside 1…1000`}},
		"fraction":            {map[string]float64{"workers": 2.5}, []string{"not a whole number"}},
		"fraction by path":    {map[string]float64{"cpu/cores": 2.5}, []string{"not a whole number"}},
		"one thing twice":     {map[string]float64{"workers": 2, "pools/worker/size": 3}, []string{"both set pools/worker/size"}},
		"too small":           {map[string]float64{"locks/L3/instances": 0}, []string{"the least is 1"}},
		"field of wrong kind": {map[string]float64{"locks/L3/permits": 2}, []string{`"locks/L3/permits" is neither`}},
		"unknown kind":        {map[string]float64{"threads/worker": 2}, []string{`paths begin with "cpu"`}},
	} {
		_, err := m.With(c.settings)
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v does not say %q", name, err, want)
			}
		}
	}
}

func TestValuesThatTheRunDoesNotSupportAreCalledExtrapolations(t *testing.T) {
	t.Parallel()
	m := webServer()
	if w := m.Extrapolations(map[string]float64{"rate": 150}); len(w) != 0 {
		t.Errorf("150 lies within the supported range, yet: %v", w)
	}
	if w := m.Extrapolations(map[string]float64{"rate": 500}); len(w) != 1 || !strings.Contains(w[0], "supports 10…200") {
		t.Errorf("500 lies outside the supported range, warnings: %v", w)
	}
	if w := m.Extrapolations(map[string]float64{"sources/clients/rate": 500}); len(w) != 1 || !strings.Contains(w[0], "rate = 500") {
		t.Errorf("500 by its path is no less far outside, warnings: %v", w)
	}
}
