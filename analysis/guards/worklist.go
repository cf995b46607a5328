package guards

import (
	"cmp"
	"maps"
	"slices"

	"tierscope/analysis/trail"
)

// Threads may bring what they find to the list that they take from, and wait until there is more or nobody is at work:
//
//	take: lock; for empty { if nobody works { broadcast; unlock; return }; more.Wait() }; remove; unlock
//	put:  lock; append; more.Signal(); unlock
//
// So who takes signals too, and so does who says that all is done: which places bring follows from how many things there are.
// As many are taken as were brought, none before it was, and each thread may come once more in vain. Of several choices the
// one with the fewest places that bring counts. Threads that bring back as many as they took share a stock of things.

// worklist returns the places that bring, true, and those that take, where threads of one pool do both.
func (b *buffer) worklist(stays []trail.Stay, v visits) (best map[side]bool, ok bool) {
	takes := map[side]bool{} // false each
	var signals []side
	var pool *trail.Pool
	for _, at := range v.order {
		switch {
		case v.takes[at] && pool != nil && pool != at.group:
			return nil, false
		case v.takes[at]:
			takes[at], pool = false, at.group
		case v.signals[at]:
			signals = append(signals, at)
		}
	}
	if b.full != nil || pool == nil || len(signals) > mostSides {
		return nil, false
	}
	fewest := 0
	for try, puts := range choices(signals, v.times) {
		maps.Copy(try, takes)
		if (fewest == 0 || puts < fewest) && isWorklist(stays, try, pool) {
			best, fewest = try, puts
		}
	}
	return best, fewest > 0
}

// isWorklist reports whether threads of a pool bring what they found, and nothing is taken before it was brought.
func isWorklist(stays []trail.Stay, brings map[side]bool, pool *trail.Pool) bool {
	puts, takes, found := 0, 0, false
	kept := map[*trail.Sequence]int{} // what a thread took and did not bring back
	last := map[*trail.Sequence]*trail.Stay{}
	for i := range stays {
		s := &stays[i]
		switch put, in := brings[sideOf(s)]; {
		case in && put:
			puts++
			found = found || s.Pool == pool
			kept[s.Sequence]--
		case in:
			takes++
			kept[s.Sequence]++
			last[s.Sequence] = s
		}
	}
	shared := true // the last take of a thread may have been in vain
	for q := range last {
		shared = shared && (kept[q] == 0 || kept[q] == 1)
	}
	if vain := takes - puts; !found || shared || vain < 0 || vain > len(last) {
		return false
	}
	late := slices.SortedFunc(maps.Values(last), func(a, b *trail.Stay) int {
		return cmp.Or(cmp.Compare(b.Leaves().Start, a.Leaves().Start), cmp.Compare(a.Sequence.Thread.ID, b.Sequence.Thread.ID))
	})
	nothing := map[*trail.Sequence]int{} // stays that got nothing
	for _, s := range late[:takes-puts] {
		nothing[s.Sequence] = s.First
	}
	fewest, _ := itemsIn(stays, func(s *trail.Stay) int {
		put, in := brings[sideOf(s)]
		first, vain := nothing[s.Sequence]
		switch {
		case in && put:
			return 1
		case in && !(vain && first == s.First):
			return -1
		}
		return 0
	})
	return fewest >= 0
}
