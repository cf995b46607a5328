package settings

import (
	"fmt"
	"path"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// totals gives the settings that say how much work threads share out the loops in which each thread of a pool does its part: those that
// it bounds, or where something computed from it does, and that all of them together went round as often as it says. The number of
// threads turns these loops already; how much there is multiplies that.
func (s *solver) totals() {
	for _, l := range s.loops {
		lead, n := s.driver[l.path], float64(l.of.Size())
		if lead == nil || !lead.divides(l.path) {
			continue
		}
		total := n * l.times
		us := slices.DeleteFunc(slices.Clone(s.in.uses[trace.UseLoop]), func(u use) bool {
			return u.value != total || u.Value != core.Linear{} || total < fewRounds || !s.tr.Within(l.loop, u.Frame)
		})
		c := s.only(strongest(us, total), "rounds of all threads in "+l.path, total)
		if c == nil {
			continue
		}
		q := s.totalOf(c, total)
		s.driveAwaited(q, s.quantities)
		if s.awaits(total, q) {
			s.refuse(c.setting, "somebody waits for %g things to be done, in a way that no parameter turns", total)
			s.quantities = slices.DeleteFunc(s.quantities, func(o *quantity) bool { return o == q && len(q.Targets) == 0 })
			continue
		}
		q.Targets = append(q.Targets, core.Target{Path: l.path, Factor: 1 / total, Multiplies: true})
	}
}

// divides reports whether a quantity divides the rounds of a loop among its threads.
func (q *quantity) divides(path string) bool {
	return q.use == trace.UseSpawn && slices.ContainsFunc(q.Targets, func(t core.Target) bool { return t.Path == path && t.Power == -1 })
}

// totalOf is the quantity of a setting that is a total: the one that it drives, if that has its number, or a new one.
func (s *solver) totalOf(c *claim, total float64) *quantity {
	if i := slices.IndexFunc(s.quantities, func(q *quantity) bool { return q.by != nil && q.by.setting == c.setting && q.Default == total }); i >= 0 {
		return s.quantities[i]
	}
	q := &quantity{use: trace.UseLoop, place: c.Frame, by: c}
	q.Parameter = counted("rounds", core.Rounds, total, max(1<<20, total*trail.RangeFactor), "", fmt.Sprintf("rounds of the loop at %s:%d, of all threads", path.Base(c.Frame.File), c.Frame.Line))
	q.Targets = nil
	s.quantities = append(s.quantities, q)
	return q
}
