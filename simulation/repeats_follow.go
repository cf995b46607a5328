package simulation

import (
	"slices"

	"tierscope/core"
)

// noteTokens notes what a thread that goes round a loop passes on, or gets, in its rounds, and outside of them.
func (x *repeater) noteTokens(i int32) {
	for _, p := range x.pieces[i] {
		for _, m := range x.w.Threads[i].Moves[p.begin:p.end] {
			x.eachToken(i, m, func(token int64) {
				if p.origin == 0 {
					x.fixed[token] = true
				} else {
					x.note(token, p.origin)
				}
			})
		}
	}
}

// eachToken calls f with what a move passes on or gets that goes with its round.
func (x *repeater) eachToken(i int32, m core.Move, f func(token int64)) {
	n := int64(1)
	if x.stocks[x.w.Threads[i].Graph][m.Fragment] {
		return
	}
	if x.sends[x.w.Threads[i].Graph][m.Fragment] {
		n = m.Amount
	}
	for k := int64(0); m.Token != 0 && k < n; k++ {
		f(m.Token + k)
	}
}

// note notes that something is passed on in a round.
func (x *repeater) note(token int64, origin int) {
	if _, ok := x.tokens[token]; !ok {
		x.tokens[token], x.changed = origin, true
	}
}

// round is the round in which something is passed on; 0: in none.
func (x *repeater) round(token int64) int {
	if x.fixed[token] {
		return 0
	}
	return x.tokens[token]
}

// follow finds what of a walk belongs to rounds of others: all of it, if a round starts its thread; else what it does with what
// is passed on in them. false: it cannot be told apart from the rest.
func (x *repeater) follow(i int32) bool {
	t := &x.w.Threads[i]
	switch {
	case x.entries[i] != nil && x.of[i] != 0:
		return false // a round within a round
	case x.entries[i] != nil:
	case x.of[i] != 0:
		x.pieces[i] = []piece{{0, len(t.Moves), x.of[i]}}
		for _, m := range t.Moves {
			x.eachToken(i, m, func(token int64) { x.note(token, x.of[i]) })
		}
	case !x.cutTakes(i):
		return false
	}
	at := 0
	for _, s := range x.begun[i] {
		for x.pieces[i][at].end <= s.move {
			at++
		}
		for _, child := range s.walks {
			if o := x.pieces[i][at].origin; x.of[child] != o {
				x.of[child], x.changed = o, true
			}
		}
	}
	return true
}

// cutTakes cuts a walk where it gets what is passed on in rounds of others, or sends it, and wherever else it does so with the same
// queue; false: what it does last cannot be told apart from its end.
func (x *repeater) cutTakes(i int32) bool {
	t := &x.w.Threads[i]
	first := slices.IndexFunc(t.Moves, func(m core.Move) bool { return x.round(m.Token) != 0 })
	if first < 0 {
		x.pieces[i] = []piece{{0, len(t.Moves), 0}}
		return true
	}
	cut := []piece{{0, first, 0}}
	deeds := x.deeds[t.Graph]
	for k := first; k < len(t.Moves); k++ {
		if m := t.Moves[k]; deeds[m.Fragment] == deeds[t.Moves[first].Fragment] {
			cut[len(cut)-1].end = k
			cut = append(cut, piece{k, len(t.Moves), x.round(m.Token)})
		}
	}
	for _, p := range cut {
		for _, m := range t.Moves[p.begin:p.end] {
			if p.origin != 0 {
				x.eachToken(i, m, func(token int64) { x.note(token, p.origin) })
			}
		}
	}
	x.pieces[i] = cut
	return !t.Ended || slices.Equal(x.copies[cut[len(cut)-1].origin], []int{0})
}
