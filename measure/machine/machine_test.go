package machine

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"
)

// Every kind of work takes time that grows with its amount, and the time of an operation is that of a machine: more than a hundredth
// of a nanosecond, less than a hundred microseconds even if another program has the core.
func TestEveryKindOfWorkIsMeasured(t *testing.T) {
	t.Parallel()
	m, err := Measure(t.Context(), time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Check(); err != nil || len(m.Work) != len(Kinds()) {
		t.Errorf("%d kinds of work: %v", len(m.Work), err)
	}
	for _, w := range m.Work {
		if w.Time < 1e-11 || w.Time > 1e-4 || w.Turns < 5 || math.IsNaN(w.Spread) {
			t.Errorf("%s takes %v s, spread %v, %d turns", w.Kind, w.Time, w.Spread, w.Turns)
		}
	}
}

// A chase goes through all places before it comes back.
func TestAChaseVisitsEveryLine(t *testing.T) {
	t.Parallel()
	const bytes = 1 << 14
	seen := map[uint64]bool{}
	loop := chase(bytes)
	for range bytes / 64 {
		seen[loop(1)] = true
	}
	if len(seen) != bytes/64 || !seen[0] {
		t.Errorf("%d of %d lines", len(seen), bytes/64)
	}
}

// 30 s of integer work at twice the speed and 10 s of memory at half of it take 15 + 20 s: 40/35 as fast.
func TestTheTimesOfAMixAddUp(t *testing.T) {
	t.Parallel()
	here := Machine{Cores: 2, Work: []Work{{Kind: "integer", Time: 2e-9}, {Kind: "memory", Time: 1e-7}, {Kind: "other", Time: 1}}}
	there := Machine{Cores: 8, Work: []Work{{Kind: "memory", Time: 2e-7}, {Kind: "integer", Time: 1e-9}}}
	f := Factors(here, there)
	if len(f) != 2 || f[0].Speed != 2 || f[1].Speed != .5 {
		t.Errorf("factors %+v", f)
	}
	got, err := Speed(f, Mix{"integer": 30, "memory": 10})
	if want := 40.0 / 35; err != nil || math.Abs(got-want) > 1e-12 {
		t.Errorf("the mix is %v times as fast, want %v (%v)", got, want, err)
	}
	for _, bad := range []Mix{nil, {"integer": 0}, {"other": 1}, {"integer": -1}, {"integer": math.NaN()}} {
		if _, err := Speed(f, bad); err == nil {
			t.Errorf("mix %v is no error", bad)
		}
	}
}

func TestAMeasurementCanBeInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Measure(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// A file says what it is, and what is wrong with it is named.
func TestMachinesSurviveTheirFile(t *testing.T) {
	t.Parallel()
	m := Machine{Name: "box", Cores: 4, Work: []Work{{Kind: "integer", Time: 1e-9, Spread: .01, Turns: 9}}}
	var b bytes.Buffer
	if err := Format.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	var back Machine
	if err := Format.Decode(&b, &back); err != nil || back.Work[0] != m.Work[0] || back.Cores != 4 {
		t.Errorf("%+v, %v", back, err)
	}
	for want, bad := range map[string]Machine{"cores": {}, "work is empty": {Cores: 1}, "time_s": {Cores: 1, Work: []Work{{Kind: "integer"}}}} {
		if err := bad.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want one about %s", bad, err, want)
		}
	}
}
