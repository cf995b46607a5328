package analysis

import (
	"cmp"
	"math"
	"strings"
	"testing"

	"tierscope/analysis/runtimes"
	"tierscope/analysis/trace"
	"tierscope/core"
)

// sleepers are threads that compute and sleep by turns at some places; every sleep takes 100 µs longer than was asked for.
func sleepers(places []string, asked ...int64) *script {
	s := newScript()
	main := s.thread("main", nil, 0)
	for range 2 {
		w := s.thread("worker", main, main.now+10)
		for range 20 {
			for i, ns := range asked {
				place := places[i%len(places)]
				w.compute(1_000_000)
				w.hit(trace.OpSleep, place, false, 0, ns, 0)
				w.now += ns + 100_000
				w.hit(trace.OpSleep, place, true, 0, 0, 0)
			}
		}
		w.ends()
		main.now = max(main.now, w.now)
	}
	main.ends()
	return s
}

// A setting says how long threads sleep, in its own unit, where they asked for that time in the run; what a sleep takes longer it
// always takes. One that would have made another time is none, nor is there one where threads sleep now shorter, now longer.
func TestASettingSaysHowLongThreadsSleep(t *testing.T) {
	t.Parallel()
	flag := func(unit string, initial, factor float64) []trace.Setting {
		return []trace.Setting{{Name: "-pause", Unit: unit, Initial: initial, Uses: []trace.SettingUse{{Kind: trace.UseSleep, Value: core.Linear{Factor: factor}}}}}
	}
	for name, c := range map[string]struct {
		inputs  []trace.Setting
		args    []string
		asked   []int64
		named   string // "": no parameter
		unit    string
		at      float64
		factors map[float64]float64 // the setting to the time asked for, s
	}{
		"a duration":               {flag("ms", 5, 1e-3), nil, []int64{5e6}, "pause", "ms", 5, map[float64]float64{5: .005, 20: .02, 1: .001}},
		"a duration that is given": {flag("ms", 1, 1e-3), []string{"-pause", "5ms"}, []int64{5e6}, "pause", "ms", 5, map[float64]float64{10: .01}},
		"a number of microseconds": {flag("", 3, 1e-6), []string{"-pause", "5000"}, []int64{5e6}, "pause", "µs", 5000, map[float64]float64{10_000: .01}},
		"twice the number":         {flag("", 5, 1e-3), nil, []int64{10e6}, "", "", 0, nil},
		"two times":                {flag("ms", 5, 1e-3), nil, []int64{5e6, 6e6}, "", "", 0, nil},
		"an argument of a program that nobody has read": {nil, []string{"5"}, []int64{5e6}, "argument-1", "ms", 5, map[float64]float64{10: .01}},
		"an argument that is another number":            {nil, []string{"4"}, []int64{5e6}, "", "", 0, nil},
	} {
		s := sleepers([]string{"sleep"}, c.asked...)
		for i := range c.inputs {
			c.inputs[i].Uses[0].Frame = s.at("main.worker", "sleep")
		}
		m, _ := s.with(t, c.inputs, c.args...)
		var found *core.Parameter
		for i := range m.Parameters {
			if m.Parameters[i].Name != "cores" && m.Parameters[i].Name != "worker-threads" {
				found = &m.Parameters[i]
			}
		}
		if c.named == "" {
			if found != nil {
				t.Errorf("%s: %+v, want no parameter", name, *found)
			}
			continue
		}
		if found == nil || found.Name != c.named || found.Unit != c.unit || found.Default != c.at {
			t.Errorf("%s: %+v, want %s, %g %s", name, m.Parameters, c.named, c.at, c.unit)
			continue
		}
		slept := func(m core.Model) float64 {
			f := fragments(&m, core.DelayFragment)[0]
			return f.Delay.Expectation() * cmp.Or(f.Scale, 1)
		}
		longer := slept(*m) - .005
		for x, want := range c.factors {
			turned, err := m.With(map[string]float64{c.named: x})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if got := slept(turned); math.Abs(got-want-longer) > 1e-7 {
				t.Errorf("%s: at %g %s threads sleep %g s, want %g and %g longer", name, x, c.unit, got, want, longer)
			}
		}
	}
}

// A setting that says how long threads sleep at two places, at one of them twice as long, turns both.
func TestASettingTurnsAllSleepsThatItDecides(t *testing.T) {
	t.Parallel()
	s := sleepers([]string{"sleep", "rest"}, 5e6, 10e6)
	pause := trace.Setting{Name: "-pause", Unit: "ms", Initial: 5, Uses: []trace.SettingUse{
		{Kind: trace.UseSleep, Frame: s.at("main.worker", "sleep"), Value: core.Linear{Factor: 1e-9 * 1e6}},
		{Kind: trace.UseSleep, Frame: s.at("main.worker", "rest"), Value: core.Linear{Factor: 2e-9 * 1e6}}}}
	m, _ := s.with(t, []trace.Setting{pause})
	turned, err := m.With(map[string]float64{"pause": 10})
	if err != nil {
		t.Fatal(err)
	}
	all := fragments(&turned, core.DelayFragment)
	sum := 0.0
	for _, f := range all {
		sum += f.Delay.Expectation() * cmp.Or(f.Scale, 1)
	}
	if len(all) != 2 || math.Abs(sum-.0302) > 1e-6 {
		t.Errorf("with 10 ms threads sleep %d times, %g s in all; want 10 and 20 ms and 100 µs longer each, parameters %+v", len(all), sum, m.Parameters)
	}
	if w := m.Warnings(); len(w) > 0 {
		t.Errorf("the model has the defects %q", w)
	}
}

// Two threads go round a loop 20 times each, whose end is computed from a setting of 40: it says how much work there is, however many
// threads share it. A setting of 39 does not.
func TestASettingSaysHowMuchThreadsShare(t *testing.T) {
	t.Parallel()
	for given, loose := range map[string]bool{"40": false, "40 ": true, "39": false} {
		s := sleepers([]string{"sleep"}, 5e6)
		jobs := trace.Setting{Name: "-jobs", Uses: []trace.SettingUse{{Kind: trace.UseLoop, Frame: s.at("main.worker", "sleep"), Loose: loose}}}
		m, _ := s.with(t, []trace.Setting{jobs}, "-jobs", strings.TrimSpace(given))
		if given == "39" {
			if p, ok := m.Parameter("jobs"); ok {
				t.Errorf("%+v turns what 40 rounds were", p)
			}
			continue
		}
		for _, c := range []struct{ jobs, threads, rounds float64 }{{40, 2, 20}, {80, 2, 40}, {80, 4, 20}, {40, 4, 10}} {
			turned, err := m.With(map[string]float64{"jobs": c.jobs, "worker-threads": c.threads})
			if err != nil {
				t.Fatal(err)
			}
			if loops := fragments(&turned, core.LoopFragment); len(loops) != 1 || loops[0].Loop.Count.Value != c.rounds {
				t.Errorf("%g jobs of %g threads: loops %+v, want one of %g rounds", c.jobs, c.threads, loops, c.rounds)
			}
		}
	}
}

// What a sleep takes longer than was asked for the kernel is asked to tell; where the scheduler of the program looks for timers
// itself, the simulated one does, too.
func TestWhoLooksForTimersSleepsAsLongAsItAskedFor(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		of   trace.Runtime
		want float64
	}{"Go": {runtimes.Go(), .005}, "the kernel": {trace.Runtime{}, .0051}} {
		s := sleepers([]string{"sleep"}, 5e6)
		s.trace.Runtime = c.of
		m, _ := s.with(t, nil)
		if got := fragments(m, core.DelayFragment)[0].Delay.Expectation(); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: threads sleep for %g s, want %g", name, got, c.want)
		}
	}
}

// Who waits for a timer of the run-time system has asked for a time, too, where that is known of all that wait at a place: it is
// counted from when the timer is set.
func TestWhoWaitsForATimerSleepsAsLongAsItAskedFor(t *testing.T) {
	t.Parallel()
	const ms = 1_000_000
	for name, c := range map[string]struct {
		unset int // of the timers, nobody knows how the first ones were set
		of    trace.Runtime
		want  float64
		timer bool
	}{
		"Go":               {0, runtimes.Go(), .004, true},
		"one is not known": {1, runtimes.Go(), .0045, false},
		"the kernel":       {0, trace.Runtime{}, .0045, false},
	} {
		s := newScript()
		main := s.thread("main", nil, 0)
		worker := s.thread("worker", main, 10)
		for i := range 20 {
			channel := uint64(10 + i)
			o := trace.Object{ID: channel, Kind: "chan", Capacity: 1, Elem: 24, Site: s.site("main.worker", "after"), Time: worker.now}
			if i >= c.unset {
				o.Sets = []trace.Set{{At: worker.now - ms, For: 1}, {At: worker.now, For: 5 * ms, Site: o.Site}}
			}
			s.trace.Objects = append(s.trace.Objects, o)
			worker.compute(ms).does(trace.OpReceive, "wait", channel, 1, 4.5*ms)
		}
		worker.compute(ms).ends()
		main.now = worker.now
		main.ends()
		s.trace.Runtime = c.of
		m, _ := s.with(t, nil)
		f := fragments(m, core.DelayFragment)[0]
		if got := f.Delay.Expectation(); math.Abs(got-c.want) > 1e-9 || f.Timer != c.timer {
			t.Errorf("%s: threads wait for %g s, a timer: %v; want %g s, %v", name, got, f.Timer, c.want, c.timer)
		}
	}
}
