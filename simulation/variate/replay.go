package variate

import "tierscope/core"

// Replay repeats values in the order in which they were observed, again and again.
type Replay struct {
	streaks []core.Streak
	at      int
	left    int64 // of the streak at hand
}

// NewReplay returns a replay of some streaks, each of at least one value.
func NewReplay(streaks []core.Streak) *Replay {
	return &Replay{streaks: streaks, left: streaks[0].Times}
}

// Next returns the next value.
func (p *Replay) Next() int64 {
	if p.left == 0 {
		p.at = (p.at + 1) % len(p.streaks)
		p.left = p.streaks[p.at].Times
	}
	p.left--
	return p.streaks[p.at].Value
}

// observed counts the values of streaks.
func observed(streaks []core.Streak) map[int64]int64 {
	counts := map[int64]int64{}
	for _, s := range streaks {
		counts[s.Value] += s.Times
	}
	return counts
}
