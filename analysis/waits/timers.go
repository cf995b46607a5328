package waits

import (
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// asked knows the channels to which timers send, and the waits of a pool for them that were all asked for a known time: what the run-time
// system and a thread that has to wake up add to it is for the simulation to find out, as of a sleep.
type asked struct {
	timers map[uint64]*trace.Object
	not    map[*trail.Node]bool
}

func timed(tr *trail.Trail, g *trail.Pool) asked {
	a := asked{map[uint64]*trace.Object{}, map[*trail.Node]bool{}}
	if !tr.Trace.Runtime.LooksForTimers() {
		return a
	}
	for i := range tr.Trace.Objects {
		if o := &tr.Trace.Objects[i]; len(o.Sets) > 0 {
			a.timers[o.ID] = o
		}
	}
	for _, q := range g.Sequences {
		for i := range q.Steps {
			if s := &q.Steps[i]; s.Lock != nil && s.Lock.Timer && !s.Open {
				a.not[s.Node] = a.not[s.Node] || a.asks(s) == nil
			}
		}
	}
	return a
}

// set is how the timer that a step waits for was set; nil: it waits for none, or that is not always known.
func (a asked) set(s *trail.Step) *trace.Set {
	if a.not[s.Node] || s.Lock == nil || !s.Lock.Timer || s.Node.Class != core.SyncFragment {
		return nil
	}
	return a.asks(s)
}

func (a asked) asks(s *trail.Step) *trace.Set {
	o := a.timers[s.Object]
	if o == nil {
		return nil
	}
	return o.SetBefore(s.Start)
}
