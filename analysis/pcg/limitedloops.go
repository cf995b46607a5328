package pcg

import (
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// cutByResources reports whether each iteration of a loop that was broken off was so by what a resource did, which it does in no other
// iteration: a timer, a queue that had nothing or was closed.
func cutByResources(l *trail.Loop) bool {
	usual := map[*trail.Node]bool{}
	for _, e := range l.Entries {
		past := e.Past
		if e.Broken || !e.Ended {
			past = e.Heads[len(e.Heads)-1]
		}
		for i := e.First; i < past; i++ {
			usual[e.Seq.Steps[i].Node] = true
		}
	}
	for _, e := range l.Entries {
		if e.Ended && e.Broken && !endsUnusually(e, usual) {
			return false
		}
	}
	return true
}

// endsUnusually reports whether in the last iteration of an entry, or right behind it, a resource did what it does not do usually.
func endsUnusually(e trail.Iteration, usual map[*trail.Node]bool) bool {
	for i := e.Heads[len(e.Heads)-1]; i <= e.Past && i < len(e.Seq.Steps); i++ {
		x := e.Seq.Steps[i].Node
		outcome := x.Class == core.NoFetchFragment || x.CaseLock != nil || x.Virtual == "default"
		if outcome && !usual[x] {
			return true
		}
	}
	return false
}

// fewestFired is how often a timer must have ended a loop before it is said from when on it runs. Theory: two times of one length
// are so by chance, three hardly.
const fewestFired = 3

// evener is by how much less the times have to vary, squared, from where a timer is said to run than from where its thread waits for it.
// Convention, sensitivity none: a timer's own times differ by what its thread waits for a core.
const evener = 4

// deadline finds from where on the timer runs that breaks a loop off: not from where its thread comes to wait for it, if the times from where
// the loop is entered, or from the first that it gets there, differ less.
func deadline(l *trail.Loop) *trail.Deadline {
	var waiting, entered, got []int64
	var first *trail.Node
	for _, e := range l.Entries {
		i := firedAt(e)
		if i < 0 {
			continue
		}
		s := &e.Seq.Steps[i]
		at := s.End - s.Ready
		waiting = append(waiting, at-s.Start)
		entered = append(entered, at-e.Seq.Steps[e.First].Start)
		if x := firstGot(e, i); x != nil && (first == nil || first == x.Node) {
			first = x.Node
			got = append(got, at-x.End)
		}
	}
	if len(waiting) < fewestFired {
		return nil
	}
	after := func(ns []int64) float64 {
		mean, _ := trail.MeanAndVariance(ns)
		return mean * 1e-9
	}
	best, limit := (*trail.Deadline)(nil), trail.Variation(waiting)/evener
	if v := trail.Variation(entered); v < limit {
		best, limit = &trail.Deadline{After: after(entered)}, v
	}
	if len(got) == len(waiting) && trail.Variation(got) < limit {
		best = &trail.Deadline{First: first, After: after(got)}
	}
	return best
}

// firedAt is the step of a wait that a timer ended, in the iteration that was broken off; −1: none did.
func firedAt(e trail.Iteration) int {
	if !e.Ended || !e.Broken {
		return -1
	}
	for i := e.Heads[len(e.Heads)-1]; i < e.Past; i++ {
		s := &e.Seq.Steps[i]
		timer := s.Node.Op == trace.OpSelect && s.Node.Virtual == "" && s.Lock != nil && s.Lock.Timer && !s.Open
		if timer || s.TimedOut {
			return i
		}
	}
	return -1
}

// firstGot is the first step of an entry, before one, that says that something was got; nil: nothing was.
func firstGot(e trail.Iteration, before int) *trail.Step {
	for i := e.First; i < before; i++ {
		s := &e.Seq.Steps[i]
		if c := s.Node.CaseLock; s.Node.Class == core.FetchFragment || c != nil && !c.Timer && !s.Node.CaseSends && !s.Node.CaseClosed {
			return s
		}
	}
	return nil
}
