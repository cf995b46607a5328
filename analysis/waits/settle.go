package waits

import (
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// Marks takes out what is neither computation nor a lock: marks, constructors, yields, waits at
// objects that nobody of the model wakes.
func Marks(tr *trail.Trail) {
	for _, g := range tr.Modelled {
		for _, q := range g.Sequences {
			q.Rewrite(func(_ int, s trail.Step) []trail.Step {
				switch s.Node.Op {
				case trace.OpMake:
					if r := tr.Calls[s.Object]; r != nil && !r.Timer && !r.OneSided {
						s.Node, s.Lock = tr.Nodes.Virtual(trail.Made, s.Node, core.SyncFragment), r
						s.Node.Makes = true
						return []trail.Step{s}
					}
					return nil
				case trace.OpYield, trace.OpTaskBegin, trace.OpTaskEnd:
					return nil
				case trace.OpFragmentBegin, trace.OpFragmentEnd:
					if tr.Trace.Sites[s.Node.Site].Fragment == "" { // the analyst has taken it out of the schema
						return nil
					}
				case trace.OpPark: // at a lock whose operations were not recorded
					if s.Lock == nil || s.Lock.Kind != core.Park {
						tr.HiddenWaits += s.Wall()
						return nil
					}
				}
				if s.Lock != nil && !s.Lock.Timer && (s.Lock.OneSided || s.Lock.Kind == core.Condition && s.Lock.Monitor == nil || s.Lock.Scope == core.PerThread && !s.Lock.Gate && !s.Lock.Fed) || s.Node.Class == core.SyncFragment && s.Lock == nil && s.Node.Op != trace.OpSelect {
					return nil
				}
				return []trail.Step{s}
			})
		}
	}
}

// OneSided marks the channels, wait groups and conditions of which the
// modelled threads do only one side in the modelled phase: tokens that nobody
// sends would block the model for ever. Where threads send to a channel only while there is room, and nobody receives, its room is a stock
// of permits that are not given back: so many connections may be made.
func OneSided(tr *trail.Trail) {
	for _, r := range tr.Resources {
		wait, wake, passed, closed, only := 0, 0, 0, false, true
		for _, u := range r.Uses {
			if !tr.IsModelled(u.Pool) {
				continue
			}
			s := &u.Sequence.Steps[u.Index]
			switch op := s.Node.Op; {
			case op == trace.OpCondWait || op == trace.OpWaitGroup || op == trace.OpPark || trail.ChannelOp(s) == core.Receive:
				wait++
			case op == trace.OpOnce && s.Succeeded():
				wait++
			case op == trace.OpOnce:
				passed++
			case op == trace.OpSignal || op == trace.OpBroadcast || op == trace.OpDone || op == trace.OpUnpark || s.Node.Virtual == trail.OnceDone ||
				trail.ChannelOp(s) == core.Send || trail.ChannelOp(s) == core.Close:
				wake++
				closed = closed || trail.ChannelOp(s) == core.Close
				only = only && (op == trace.OpSelect || op == trace.OpTrySend)
			}
		}
		if !r.Kind.Signalled() {
			continue
		}
		r.OneSided = wait == 0 || wake == 0
		switch r.Kind {
		case core.Channel:
			permits := wait == 0 && only && !closed && len(r.Objects) == 1 && wake <= r.Capacity
			r.OneSided = r.OneSided && !r.Timer && !r.Fed && !permits && (r.Prefill == 0 || wait == 0)
		case core.Once: // of no matter unless somebody came while it ran
			r.OneSided = r.OneSided || passed == 0
		default:
		}
	}
}
