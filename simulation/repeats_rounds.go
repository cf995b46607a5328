package simulation

import "math"

// cutRounds cuts a walk into the rounds of its loops and what is between them; false: one of the loops is inside of another, or has not
// come to its end.
func (x *repeater) cutRounds(i int32) bool {
	t := &x.w.Threads[i]
	loops := x.loops[t.Graph]
	inside, begin := int32(-1), 0
	var heads []int32 // by entry
	for k, m := range t.Moves {
		l, is := loops[m.Fragment]
		switch {
		case !is:
			continue
		case inside < 0:
			heads = append(heads, m.Fragment)
			x.entries[i] = append(x.entries[i], entry{first: len(x.pieces[i]) + 1})
		case m.Fragment != inside:
			return false
		default:
			x.entries[i][len(heads)-1].before++
		}
		x.pieces[i] = append(x.pieces[i], piece{begin, k + 1, 0})
		begin, inside = k+1, -1
		if begin < len(t.Moves) && t.Moves[begin].Fragment == l.body {
			inside = m.Fragment
		}
	}
	x.pieces[i] = append(x.pieces[i], piece{begin, len(t.Moves), 0})
	due, done := map[int32]float64{}, map[int32]int{}
	for k, head := range heads {
		e := &x.entries[i][k]
		due[head] += float64(e.before) * loops[head].times
		e.now = int(math.Round(due[head])) - done[head]
		done[head] += e.now
		for round := range e.before {
			x.pieces[i][e.first+round].origin = x.originOf(k, round, e.before, e.now)
		}
	}
	return inside < 0
}

// originOf is the origin of a round of an entry that had so many, and has so many now.
func (x *repeater) originOf(entry, round, before, now int) int {
	key := [4]int{entry, round, before, now}
	if known, ok := x.known[key]; ok {
		return known
	}
	var copies []int
	for _, c := range again(before, now) {
		if c.round == round {
			copies = append(copies, c.copy)
		}
	}
	x.known[key] = len(x.origins)
	x.origins = append(x.origins, origin{copies})
	return x.known[key]
}

// repetition is a copy of a recorded round.
type repetition struct{ round, copy int }

// again returns which of so many recorded rounds are done in place of them, in their order.
func again(before, now int) (all []repetition) {
	last := before - 1
	for j := range now {
		switch {
		case last < 0:
			return nil
		case j == now-1:
			all = append(all, repetition{last, 0})
		case last == 0:
			all = append(all, repetition{0, j + 1})
		default:
			all = append(all, repetition{j % last, j / last})
		}
	}
	return all
}
