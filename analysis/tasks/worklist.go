package tasks

import (
	"tierscope/analysis/trail"
	"tierscope/core"
)

// Threads may take what is to be done from a channel, and send to it what they find that is to be done too:
//
//	for t := range ready {
//		work(t)
//		for _, next := range after(t) { ready <- next }
//	}
//
// Who takes permits, or things of which there are few, gives them back: as many as it took.

// worklist reports whether the threads that receive from r are of one pool, others send them the first, nobody of the pool
// sends before it has received, how many it sends for one that it received differs, and not each sends as many.
func worklist(r *trail.Resource, sent, got map[*trail.Pool]int64) bool {
	if len(got) != 1 || len(sent) < 2 {
		return false
	}
	found, kept := map[int]bool{}, false
	for pool := range got {
		for _, q := range pool.Sequences {
			takes, gives, sends := 0, 0, 0 // sends: since the last take
			for _, s := range q.Steps {
				if s.Lock != r {
					continue
				}
				switch op := trail.ChannelOp(&s); {
				case op == core.Send && takes == 0:
					return false
				case op == core.Send:
					gives++
					sends++
				case op == core.Receive:
					if takes > 0 {
						found[sends] = true
					}
					if s.Received() {
						takes++
					}
					sends = 0
				}
			}
			kept = kept || takes != gives
		}
	}
	return kept && len(found) > 1
}
