package settings

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tierscope/analysis/normalise"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// Parameters finds the knobs that an analyst may turn, with the value of the
// run and how the program is given it: "To start using the model the analyst
// must specify the model's configuration parameters (the numbers of threads
// in the thread pools, intensity of the workload, sizes of the queues, the
// numbers of CPU cores etc)" (Tarvo & Reiss 2014, §4.4).
func Parameters(tr *trail.Trail, m *core.Model) []core.Parameter {
	s := &solver{tr: tr, m: m, in: given(tr), driver: map[string]*quantity{}, refused: map[*setting][]string{}}
	s.loops = exactLoops(tr, m)
	rounds := s.rounds()
	rounds = append(rounds, s.guessRounds(rounds)...)
	s.quantities = s.list(rounds)
	s.infer()
	s.claim()
	s.guess()
	s.quantities = slices.DeleteFunc(s.quantities, func(q *quantity) bool { return q.quiet && q.by == nil && q.asked == nil })
	s.driveOwn(rounds)
	s.driveDependents()
	s.driveOwn(s.quantities)
	s.driveAlike(rounds)
	for _, q := range rounds {
		s.driveAwaited(q, s.quantities)
	}
	s.leaveOut(rounds)
	s.totals()
	s.report()
	return s.emit()
}

// solver gives every path of the model to one driver.
type solver struct {
	tr         *trail.Trail
	m          *core.Model
	in         inputs
	loops      []exactLoop
	quantities []*quantity
	driver     map[string]*quantity  // of a path
	refused    map[*setting][]string // why it does not drive something
}

// drive lets q turn the path of t, and nobody else.
func (s *solver) drive(q *quantity, t core.Target) {
	if s.driver[t.Path] != q {
		s.driver[t.Path] = q
		q.Targets = append(q.Targets, t)
	}
}

// driveOwn gives quantities those of their own paths that nobody turns.
func (s *solver) driveOwn(qs []*quantity) {
	for _, q := range qs {
		for _, t := range q.Targets {
			if s.driver[t.Path] == nil {
				s.driver[t.Path] = q
			}
		}
	}
}

// leaveOut takes away the paths that others turn, the quantities that have none left, and the rounds of loops that
// somebody awaits in a way that no parameter turns.
func (s *solver) leaveOut(rounds []*quantity) {
	s.quantities = slices.DeleteFunc(s.quantities, func(q *quantity) bool {
		other := s.driver[q.Targets[0].Path]
		q.Targets = slices.DeleteFunc(q.Targets, func(t core.Target) bool { return s.driver[t.Path] != q && !t.Multiplies })
		switch {
		case len(q.Targets) == 0 && q.by != nil:
			s.refuse(q.by.setting, "the %s changes with the %s", q.Description, other.Description)
		case len(q.Targets) > 0 && slices.Contains(rounds, q) && s.awaits(q.Default, q):
			s.refuse(q.by.setting, "somebody waits for %g things to be done, in a way that no parameter turns", q.Default)
			return true
		}
		return len(q.Targets) == 0
	})
}

// claim gives every quantity to the setting with the strongest claim on it, and says
// what those of the machine are that nobody set in the run.
func (s *solver) claim() {
	cpus := false
	for _, q := range s.quantities {
		if q.by != nil {
			continue
		}
		us := s.in.at(q)
		q.by = s.only(strongest(us, q.Default), q.Description, q.Default)
		for i, u := range us {
			switch e := u.evidence(q.Default); {
			case u.Machine == "" && e == refuted:
				s.refuse(u.setting, "%g would not make the %s %g, as in the run", u.value, q.Description, q.Default)
			case u.Machine == "" || e < chance || u.Loose || q.use == trace.UseCores || slices.ContainsFunc(us, func(o use) bool { return o.decided(q.Default) }):
			case q.asked == nil || u.Machine == trace.MachineCores:
				q.asked = &us[i]
			}
		}
		cpus = cpus || q.asked != nil && q.asked.Machine == trace.MachineCPUs
	}
	first := s.quantities[0]
	children := len(normalise.ChildWaits(s.tr.Input.Trace)) > 0 // which compute on the same cores
	if _, told := s.tr.Input.Workload.Env[s.tr.Trace.Runtime.Processors.Variable]; first.How != "" && !told && (cpus || children) {
		first.How = HowCPUs // which the run-time system follows too
	}
}

// decided reports whether who started the program decided n at u.
func (u use) decided(n float64) bool { return u.given && (u.Loose || u.evidence(n) == told) }

// only returns the claim if there is one; several are reported.
func (s *solver) only(cs []claim, what string, n float64) *claim {
	if len(cs) == 1 {
		return &cs[0]
	}
	for _, c := range cs {
		s.refuse(c.setting, "%d settings could each make the %s %g, as in the run", len(cs), what, n)
	}
	return nil
}

// guess lets a setting that has got nothing so far set a quantity that the scan could
// not follow any setting to, if it alone has that number: of those that a programmer marked, or else of the flags
// that the run was given, or of its arguments, or of what the program asks for and was not told. One thread
// is a pool that was given the number 1, one place is often no more than a signal. Of several numbers of threads that one may set it
// sets the first, unless the options say which.
func (s *solver) guess() {
	threads := map[*setting][]*quantity{}
	for _, q := range s.quantities {
		if u := s.likely(q); u != nil && q.use == trace.UseSpawn {
			threads[u.setting] = append(threads[u.setting], q)
		}
	}
	for x, qs := range threads {
		if len(qs) > 1 {
			if s.tr.Guessed == nil {
				s.tr.Guessed = map[string]int{}
			}
			s.tr.Guessed[x.Name] = len(qs)
		}
	}
	for _, q := range s.quantities {
		u := s.likely(q)
		if u == nil {
			continue
		}
		if qs := threads[u.setting]; q.use == trace.UseSpawn && len(qs) > 1 && q != qs[s.tr.Options.Guesses[u.Name]%len(qs)] {
			continue
		}
		q.by = &claim{*u, chance}
		s.tr.Assume(fmt.Sprintf("%sbecause both are %g", TakenToSet(u.Name, q.Description), u.value))
	}
}

// likely is the use by which a setting alone may decide a quantity to which the scan leads nowhere; nil: there is none.
func (s *solver) likely(q *quantity) *use {
	if q.use == "" || q.use == trace.UseCores || q.by != nil || q.use != trace.UseSpawn && q.Default == 1 || len(strongest(s.in.at(q), q.Default)) > 0 {
		return nil
	}
	var kinds [4][]use // marked, flags, words, what was not told
	for _, x := range s.in.settings {
		u, made := x.make(q)
		switch {
		case x.Unit != "": // no count
		case x.saysTime() && q.use != trace.UseSleep && q.use != trace.UseRate:
		case !made || !x.maybe(q.use) || x.Tried || s.decides(x, q.use):
		case x.label != "":
			kinds[0] = append(kinds[0], u)
		case !x.given && x.value > 1:
			kinds[3] = append(kinds[3], u)
		case !x.given:
		case IsArgument(x.Name):
			kinds[2] = append(kinds[2], u)
		default:
			kinds[1] = append(kinds[1], u)
		}
	}
	for _, us := range kinds {
		switch len(us) {
		case 0:
		case 1:
			return &us[0]
		default:
			return nil
		}
	}
	return nil
}

// make reports whether a setting is the number that q has, and how.
func (x *setting) make(q *quantity) (use, bool) {
	us := []use{{x, trace.SettingUse{Kind: q.use}}}
	if q.use == trace.UseSleep {
		us = inUnits(x)
	}
	i := slices.IndexFunc(us, func(u use) bool { return u.gives(x.value, q.Default) })
	if i < 0 {
		return use{}, false
	}
	return us[i], true
}

// maybe reports whether a setting may be what decides a quantity although the scan does not
// lead there: the run was given it, or nobody looked. To a rate of the program's own
// making the scan never leads.
func (x *setting) maybe(kind trace.UseKind) bool {
	return x.Unfollowed || !x.Env && (x.given || kind == trace.UseRate)
}

// decides reports whether a setting is known to decide something: a quantity, or, in
// the program's text, something else than what is asked for and the rounds of loops. By a
// rate the program divides, too, to know how long to wait.
func (s *solver) decides(x *setting, kind trace.UseKind) bool {
	return s.drives(x) || slices.ContainsFunc(x.Uses, func(u trace.SettingUse) bool {
		return u.Kind != kind && u.Kind != trace.UseLoop && (kind != trace.UseRate || u.Kind != trace.UseDivisor)
	})
}

// likelyEmploys reports whether a setting is taken to set a number of threads because it is the same number.
func (s *solver) likelyEmploys(x *setting) bool {
	return slices.ContainsFunc(s.quantities, func(q *quantity) bool {
		return q.use == trace.UseSpawn && q.by != nil && q.by.setting == x && q.by.strength == chance
	})
}

// drives reports whether a setting drives a quantity.
func (s *solver) drives(x *setting) bool {
	return slices.ContainsFunc(s.quantities, func(q *quantity) bool { return q.by != nil && q.by.setting == x })
}

// refuse notes why a setting does not drive something.
func (s *solver) refuse(x *setting, why string, args ...any) {
	s.refused[x] = append(s.refused[x], fmt.Sprintf(why, args...))
}

// report says which settings of the program are no parameters although their number in
// the run is known, and why: mostly because the run does not show what they change.
func (s *solver) report() {
	var silent, tried []string
	for _, x := range s.in.settings {
		if name, how := x.named(s.tr.Trace.Runtime.Property); x.Machine == "" && x.value > 0 && how != "" {
			p := core.Parameter{Name: plain.Replace(name), How: how, Default: x.value, Unit: x.Unit, Integer: x.Unit == "" && x.value == math.Trunc(x.value), Description: x.Name}
			switch {
			case !s.drives(x):
				s.tr.Silent = append(s.tr.Silent, p)
			case s.likelyEmploys(x):
				s.tr.Likely = append(s.tr.Likely, p)
			}
		}
		switch why := s.refused[x]; {
		case x.Machine != "" || s.drives(x):
		case x.Tried:
			tried = append(tried, x.Name)
		case len(why) > 0:
			s.tr.Assume(x.Name + NotOffered + ": " + strings.Join(slices.Compact(why), "; "))
		case !math.IsNaN(x.value):
			silent = append(silent, x.Name)
		}
	}
	if len(tried) > 0 {
		s.tr.Assume("runs with another number showed no other number of threads or permits in the model, and these settings are not offered: " + strings.Join(tried, ", "))
	}
	if len(silent) > 0 {
		s.tr.Assume(NotShown + strings.Join(silent, ", "))
	}
	if some := notGiven(s.tr); len(some) > 0 {
		s.tr.Assume("options that the run was not given are no settings of the model: " + strings.Join(some, ", "))
	}
}

// TakenToSet is how the assumption begins that a setting is what sets a number of the model.
func TakenToSet(setting, what string) string {
	return fmt.Sprintf("%s is taken to be what sets the %s, ", setting, what)
}

// How assumptions begin that name settings which are no parameters, and what comes after the name of one.
const (
	NotShown   = "the run does not show what these settings change, and they are not offered: "
	NotOffered = " is not offered"
)
