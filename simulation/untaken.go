package simulation

import "tierscope/core"

// What is sent to a queue is taken from it, if it was in the recording. Where walks send more than those who take it did
// then, as more threads with work of their own do, nobody would take the rest, and the run would end too early.

// drainedQueues are the queues of which all that was sent in the recording was taken, by object.
func (c *compiler) drainedQueues(m *core.Model, w *core.Walks) []bool {
	left, sent := map[string]int64{}, map[string]bool{}
	sends := func(queue string, n int64) { left[queue], sent[queue] = left[queue]+n, true }
	fragments := make([][]*core.Fragment, len(w.Graphs)) // as moves number them
	for i, g := range w.Graphs {
		for _, id := range g.Fragments {
			fragments[i] = append(fragments[i], fragmentOf(m, g.ID, id))
		}
	}
	for _, t := range w.Threads {
		for k, x := range t.Moves {
			switch f := fragments[t.Graph][x.Fragment]; {
			case f == nil || x.Token == 0:
			case f.Out != nil && f.Out.New:
				sends(f.Out.To, max(x.Amount, 1))
			case f.Out != nil:
				sends(f.Out.To, 1)
			case f.In != nil:
				left[f.In.Queue]--
			case f.Sync != nil && k+1 < len(t.Moves):
				next := w.Graphs[t.Graph].Fragments[t.Moves[k+1].Fragment]
				for _, k := range f.Sync.Cases {
					if k.To == next && k.Op == core.Send {
						sends(k.Lock, 1)
					} else if k.To == next {
						left[k.Lock]--
					}
				}
			}
		}
	}
	drained := make([]bool, len(c.objects))
	for queue := range sent {
		if i := c.object(queue); i != none {
			drained[i] = c.objects[i].isQueue && left[queue] == 0
		}
	}
	return drained
}

// untakenShare is how much of what was sent to queues that were drained in the recording nobody has taken, at the end of a run.
func (r *replica) untakenShare() float64 {
	sent, left := int64(0), int64(0)
	for i := range r.objects {
		if x := &r.objects[i]; i < len(r.program.drained) && r.program.drained[i] {
			sent += x.offered
			left += x.offered - x.visits - x.lost
		}
	}
	if sent == 0 {
		return 0
	}
	return float64(left) / float64(sent)
}

// fragmentOf returns a fragment of a graph, both by their names; nil: there is none.
func fragmentOf(m *core.Model, graph, id string) *core.Fragment {
	for i := range m.Graphs {
		if g := &m.Graphs[i]; g.ID == graph {
			for k := range g.Fragments {
				if g.Fragments[k].ID == id {
					return &g.Fragments[k]
				}
			}
		}
	}
	return nil
}
