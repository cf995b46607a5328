package settings

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// rest is a place where threads sleep, always as long.
type rest struct {
	place trace.Frame   // where it is asked for
	waits trace.Frame   // and where it is waited for
	times map[int64]int // ns: how often
	delay []core.Target
}

// mostAlike is the least part of the sleeps at a place that take as long as most. Convention, sensitivity none: what is asked for is measured where a
// timer is set, and who sets it may be interrupted there.
const mostAlike = 0.9

// usual is how long nearly all sleeps are, ns; 0: now shorter, now longer.
func (r *rest) usual() int64 {
	most, all := int64(0), 0
	for _, ns := range slices.Sorted(maps.Keys(r.times)) {
		if all += r.times[ns]; r.times[ns] > r.times[most] {
			most = ns
		}
	}
	if float64(r.times[most]) < mostAlike*float64(all) {
		return 0
	}
	return most
}

// sleeps returns how long threads sleep at each place where they ask for the same time whenever they come there. What a sleep
// takes longer than was asked for it takes whatever is asked for.
func (s *solver) sleeps() (qs []*quantity) {
	var rests []*rest
	at := func(n *trail.Node) *rest {
		place := n.Place
		if n.Timed {
			place = n.SetAt
		}
		if i := slices.IndexFunc(rests, func(r *rest) bool { return trace.SamePlace(r.place, place) && trace.SamePlace(r.waits, n.Place) }); i >= 0 {
			return rests[i]
		}
		rests = append(rests, &rest{place: place, waits: n.Place, times: map[int64]int{}})
		return rests[len(rests)-1]
	}
	for _, g := range s.tr.Modelled {
		for _, q := range g.Sequences {
			for i := range q.Steps {
				step := &q.Steps[i]
				if n := step.Node.Of; n == nil || n.Op != trace.OpSleep && !step.Node.Timed || step.Arg <= 0 {
					continue
				}
				at(step.Node).times[step.Arg]++
			}
		}
	}
	for _, r := range rests {
		asked := float64(r.usual()) * 1e-9
		if asked == 0 {
			continue
		}
		for _, g := range s.tr.Modelled {
			r.delay = append(r.delay, s.slept(g, r.waits, asked)...)
		}
		if len(r.delay) > 0 {
			p := core.Parameter{Name: "sleep", Unit: "s", Default: asked, Min: asked / 1000, Max: asked * 1000, Targets: r.delay,
				SupportedMin: asked / trail.RangeFactor, SupportedMax: asked * trail.RangeFactor, Description: "sleep at " + trace.ShortPlace(r.place)}
			qs = append(qs, &quantity{Parameter: p, use: trace.UseSleep, place: r.place, quiet: true})
		}
	}
	return qs
}

// slept returns what turns the delays of a pool at a place where so many seconds are asked for.
func (s *solver) slept(g *trail.Pool, place trace.Frame, asked float64) (out []core.Target) {
	for i := range graphOf(s.m, g).Fragments {
		f := &graphOf(s.m, g).Fragments[i]
		if f.Class == core.DelayFragment && f.Timer && !f.Periodic && trace.SamePlace(trace.PlaceOf(f.Origin), place) {
			takes := max(f.Delay.Expectation(), asked)
			out = append(out, core.Target{Path: fragment(g, f) + "/scale", Factor: 1 / takes, Offset: 1 - asked/takes})
		}
	}
	return out
}

// inUnits are the claims that a number makes a time, in seconds, in each of the units that times are given in.
func inUnits(x *setting) (out []use) {
	for _, unit := range timeUnits {
		out = append(out, use{x, trace.SettingUse{Kind: trace.UseSleep, Value: core.Linear{Factor: unit.seconds}}})
	}
	return out
}

// timeUnits are the units that programs give times in.
var timeUnits = []struct {
	name    string
	seconds float64
}{{"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}, {"ns", 1e-9}}

// timeWords are what names of settings end in that say times. Convention: units, and what times are usually called.
var timeWords = []string{"s", "sec", "secs", "second", "seconds", "ms", "msec", "millis", "millisecond", "milliseconds", "us", "usec", "micros",
	"ns", "nsec", "nanos", "delay", "latency", "timeout", "interval", "ttl", "sleep"}

// saysTime reports whether a setting has the name of a time: it is no number of threads, nor of places.
func (x *setting) saysTime() bool {
	words := strings.FieldsFunc(x.Name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	if k := strings.LastIndexFunc(last, unicode.IsUpper); k > 0 && unicode.IsLower(rune(last[k-1])) { // thinkMs
		last = last[k:]
	} else if len(words) == 1 && len(last) == 1 {
		return false // a letter
	}
	return slices.Contains(timeWords, strings.ToLower(last))
}

// timeUnit is the unit of a number that makes seconds if it is multiplied by factor; "": none.
func timeUnit(factor float64) string {
	for _, unit := range timeUnits {
		if alike(factor, unit.seconds) {
			return unit.name
		}
	}
	return ""
}
