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
		origin := x.originsOf(k, e.before, e.now)
		for round := range e.before {
			x.pieces[i][e.first+round].origin = origin + round
		}
	}
	return inside < 0
}

// originsOf is the first of the origins, in a row, of the rounds of an entry that had so many, and has so many now.
func (x *repeater) originsOf(entry, before, now int) int {
	key := [3]int{entry, before, now}
	if known, ok := x.known[key]; ok {
		return known
	}
	first := len(x.copies)
	x.known[key] = first
	x.copies = append(x.copies, make([][]int, before)...)
	for _, c := range again(before, now) {
		x.copies[first+c.round] = append(x.copies[first+c.round], c.copy)
	}
	return first
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
