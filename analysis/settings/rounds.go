package settings

import (
	"fmt"
	"path"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// constantLoop is an exact loop of the model that went round as often every time.
type constantLoop struct {
	path  string // of the number of its iterations
	loop  *trail.Loop
	times float64
}

// fewRounds is how often a loop goes round by chance as often as another one.
const fewRounds = 8

// rounds returns the knobs that say how much there is to do: settings of the
// program that decide how often loops go round. Loops that the scan could not
// follow to the setting, but that went round as often, go with it: who collects
// the results of so many tasks waits for as many.
func rounds(tr *trail.Trail, m *core.Model, ks []knob) []knob {
	if tr.Input.Facts == nil || tr.Server {
		return nil
	}
	loops := countedLoops(tr, m)
	var out []knob
	for i := range tr.Input.Facts.Inputs {
		s := &tr.Input.Facts.Inputs[i]
		k, ok := roundsOf(tr, s, loops)
		if !ok {
			continue
		}
		for _, l := range loops {
			if l.times == k.Default && l.times >= fewRounds && !drives([]knob{k}, l.path) {
				k.Targets = append(k.Targets, core.Target{Path: l.path})
				tr.Assume(fmt.Sprintf("%s is taken to set the rounds of %s too, because both are %g", s.Name, l.path, k.Default))
			}
		}
		if awaits(m, k.Default) || slices.ContainsFunc(k.Targets, func(t core.Target) bool { return drives(ks, t.Path) || drives(out, t.Path) }) {
			continue
		}
		out = append(out, k)
	}
	return out
}

// roundsOf returns the knob for the loops that the scan followed the setting to and
// that went round as often as its number in the run says.
func roundsOf(tr *trail.Trail, s *trace.Setting, loops []constantLoop) (k knob, ok bool) {
	given, value := given(tr, s.Name, s.Env), s.Initial
	if given {
		value = numberOf(tr, s)
	}
	if s.Machine != "" || value < 1 {
		return k, false
	}
	for _, u := range s.Uses {
		if u.Kind != trace.UseLoop || u.Loose || given && u.Default != "" {
			continue
		}
		for _, l := range loops {
			if !tr.Within(l.loop, u.Frame) || drives([]knob{k}, l.path) {
				continue
			}
			if l.times < 2 || u.Value.Count(value) != l.times {
				continue
			}
			t := core.Target{Path: l.path, Factor: u.Value.Factor, Offset: u.Value.Offset}
			if k.Targets == nil {
				k.use, k.place = trace.UseLoop, u.Frame
				k.Description = fmt.Sprintf("rounds of the loop at %s:%d", path.Base(u.Frame.File), u.Frame.Line)
			}
			k.Targets = append(k.Targets, t)
		}
	}
	k.Parameter = core.Parameter{Name: "rounds", Unit: core.Rounds, Default: value, Min: 1, Max: max(1<<20, value*trail.RangeFactor), Integer: true,
		Targets: k.Targets, SupportedMin: 1, SupportedMax: value * trail.RangeFactor, Description: k.Description}
	return k, len(k.Targets) > 0
}

// countedLoops returns the exact loops that went round as often every time.
func countedLoops(tr *trail.Trail, m *core.Model) []constantLoop {
	var out []constantLoop
	for _, g := range tr.Modelled {
		i := slices.IndexFunc(m.Graphs, func(c core.Graph) bool { return c.ID == g.Name })
		if i < 0 {
			continue
		}
		for j, v := range tr.Graphs[g].Vertices {
			f := &m.Graphs[i].Fragments[j]
			if f.Loop != nil && f.Loop.Count.Kind == core.Constant {
				out = append(out, constantLoop{"graphs/" + g.Name + "/fragments/" + f.ID + "/iterations", v.Key.From.Loop, f.Loop.Count.Value})
			}
		}
	}
	return out
}

// awaits reports whether somebody waits for exactly n things to be done, which no
// parameter turns.
func awaits(m *core.Model, n float64) bool {
	if n < fewRounds {
		return false
	}
	for _, l := range m.Locks {
		if l.Kind == core.Latch && float64(l.Permits) == n {
			return true
		}
	}
	for _, g := range m.Graphs {
		for i := range g.Fragments {
			if s := g.Fragments[i].Sync; s != nil && s.Op == core.Add && float64(s.N) == n {
				return true
			}
		}
	}
	return false
}
