package guards

import (
	"iter"
	"maps"
	"math"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// side is a place of the program at which the threads of a pool come to the
// buffer, to bring or to take.
type side struct {
	group *trail.Pool
	at    *trail.Node // operation on the lock
}

func sideOf(s *trail.Stay) side { return side{s.Pool, s.Enters().Node} }

// saysRoom reports whether a condition says that there is room where the takers wait for empty: who brings waits for it and
// nobody else, or who takes signals it. Others of the same lock say something else, as that all that was brought is done. Where
// nobody had to wait for empty, who takes is who signals the other one and does not bring.
func saysRoom(full, empty *trail.Resource, stays []trail.Stay) bool {
	brings, takes, fulls, waited := map[side]bool{}, map[side]bool{}, map[side]bool{}, false
	for i := range stays {
		s := &stays[i]
		at := sideOf(s)
		brings[at], takes[at], fulls[at] = brings[at] || s.Signals[empty], takes[at] || s.Waits[empty], fulls[at] || s.Signals[full]
		waited = waited || s.Waits[empty]
	}
	if slices.ContainsFunc(stays, func(s trail.Stay) bool { return s.Waits[full] && !brings[sideOf(&s)] }) {
		return false
	}
	return slices.ContainsFunc(stays, func(s trail.Stay) bool {
		at := sideOf(&s)
		return s.Waits[full] || takes[at] && s.Signals[full] || !waited && !brings[at] && fulls[at]
	})
}

// mostSides is how many sides are tried in all 2⁸ combinations, for the time that
// takes. Convention, sensitivity none.
const mostSides = 8

// choices are all ways to choose some of a few sides, one at least, and how often threads come to those chosen.
func choices(of []side, times map[side]int) iter.Seq2[map[side]bool, int] {
	return func(yield func(map[side]bool, int) bool) {
		for mask := 1; mask < 1<<len(of); mask++ {
			chosen, n := map[side]bool{}, 0
			for i, at := range of {
				if mask&(1<<i) != 0 {
					chosen[at] = true
					n += times[at]
				}
			}
			if !yield(chosen, n) {
				return
			}
		}
	}
}

// sides returns the places that come to the buffer, true for those that bring
// something. A place that is executed only once says that nothing more comes, unless threads take there that take
// elsewhere too, and so does one to which each of the threads that bring comes at its end.
func (b *buffer) sides(stays []trail.Stay) (brings map[side]bool, ok bool) {
	v := b.visits(stays)
	brings = map[side]bool{}
	putters, takers := map[*trail.Pool]int64{}, map[*trail.Pool]int64{}
	both := false
	for _, at := range v.order {
		if v.times[at] < 2 || !v.takes[at] && (!v.signals[at] || saysDone(stays, at, v)) {
			continue
		}
		both = both || v.takes[at] && v.signals[at]
		if brings[at] = v.signals[at]; v.signals[at] {
			putters[at.group]++
		}
		if v.takes[at] {
			takers[at.group]++
		}
	}
	b.firstRounds(stays, v, brings, takers)
	switch {
	case both:
		if brings, ok := b.bothSides(stays, slices.Clone(v.order), brings); ok {
			return brings, true
		}
		return b.worklist(stays, v)
	case len(putters) > 0 && len(takers) == 0 && b.full == nil:
		return b.quietTakers(stays, v, brings, putters)
	case len(putters) == 0 || len(takers) == 0:
		return nil, false
	case !trail.Disjoint(putters, takers):
		return b.worklist(stays, v)
	case v.waited && b.full == nil:
		return brings, true
	}
	last := int64(math.MaxInt64)
	if v.waited {
		last = lastBrought(stays, brings)
	}
	fewest, _ := itemsIn(stays, func(s *trail.Stay) int {
		switch put, in := brings[sideOf(s)]; {
		case in && put:
			return 1
		case in && s.Signals[b.full] && s.Leaves().Start <= last:
			return -1
		}
		return 0
	})
	return brings, fewest >= 0
}

// lastBrought is when something is brought for the last time: who takes after that may find nothing, and say all the same that there
// is room. Before, what is taken has been brought; where it is the other way round, it is room that goes from one side to the other.
func lastBrought(stays []trail.Stay, brings map[side]bool) (last int64) {
	for i := range stays {
		if brings[sideOf(&stays[i])] {
			last = max(last, stays[i].Leaves().Start)
		}
	}
	return last
}

// saysDone reports whether the threads of a pool that bring something come to a place when they have brought all: each once, and
// nowhere else that wakes takers after that. The last of them wakes those who wait.
//
//	lock; if --producers == 0 { notEmpty.Broadcast() }; unlock
func saysDone(stays []trail.Stay, at side, v visits) bool {
	came, brought := map[*trail.Sequence]int{}, map[*trail.Sequence]int{}
	for i := range stays {
		s := &stays[i]
		here := sideOf(s)
		switch {
		case here == at && came[s.Sequence] > 0:
			return false
		case here == at:
			came[s.Sequence] = s.First
		case here.group == at.group && v.signals[here]:
			brought[s.Sequence] = max(brought[s.Sequence], s.First)
		}
	}
	for q, end := range came {
		if last, ok := brought[q]; !ok || last > end {
			return false
		}
	}
	return true
}

// firstRounds adds the places at which threads take before the loop in which they do it: compilers put the first round
// there. Nobody may have had to wait there; where takes are missing, it tells that there is room, or it is where each of its threads comes first.
func (b *buffer) firstRounds(stays []trail.Stay, v visits, brings map[side]bool, takers map[*trail.Pool]int64) {
	missing := b.inVain(stays, brings)
	for at, put := range brings {
		if put {
			missing += v.times[at]
		} else {
			missing -= v.times[at]
		}
	}
	for _, at := range v.order {
		if _, known := brings[at]; known || v.signals[at] || takers[at.group] == 0 {
			continue
		}
		if v.takes[at] || missing > 0 && v.times[at] <= len(at.group.Sequences) && (v.rooms[at] || v.times[at] <= missing && comeFirst(stays, at)) {
			brings[at] = false
			missing -= v.times[at]
		}
	}
}

// inVain is how many threads took once more after they were told that nothing more comes; 0 where who takes says that there is room.
func (b *buffer) inVain(stays []trail.Stay, brings map[side]bool) (n int) {
	if b.full != nil {
		return 0
	}
	last, told := lastBrought(stays, brings), int64(math.MaxInt64)
	ends := map[*trail.Sequence]int64{}
	for i := range stays {
		s := &stays[i]
		put, known := brings[sideOf(s)]
		switch {
		case !known && s.Signals[b.empty] && s.Enters().Start > last:
			told = min(told, s.Enters().Start)
		case known && !put:
			ends[s.Sequence] = max(ends[s.Sequence], s.Leaves().Start)
		}
	}
	for _, end := range ends {
		if end > told {
			n++
		}
	}
	return n
}

// comeFirst reports whether threads come to a place before they come to any other under the lock.
func comeFirst(stays []trail.Stay, at side) bool {
	seen := map[*trail.Sequence]bool{}
	for i := range stays { // by thread and time
		s := &stays[i]
		if sideOf(s) == at && seen[s.Sequence] {
			return false
		}
		seen[s.Sequence] = true
	}
	return true
}

// visits is what the stays at each side do.
type visits struct {
	order          []side
	times          map[side]int
	takes, signals map[side]bool // waits for items, or says that there is room; says that there are items
	rooms          map[side]bool // signals the other condition
	waited         bool          // somebody waited for items
}

func (b *buffer) visits(stays []trail.Stay) visits {
	v := visits{times: map[side]int{}, takes: map[side]bool{}, signals: map[side]bool{}, rooms: map[side]bool{}}
	for i := range stays {
		s := &stays[i]
		at := sideOf(s)
		if v.times[at]++; v.times[at] == 1 {
			v.order = append(v.order, at)
		}
		v.takes[at] = v.takes[at] || s.Waits[b.empty]
		v.signals[at] = v.signals[at] || s.Signals[b.empty]
		v.waited = v.waited || s.Waits[b.empty]
		v.rooms[at] = v.rooms[at] || b.full != nil && s.Signals[b.full]
	}
	awaited := slices.ContainsFunc(stays, func(s trail.Stay) bool { return b.full != nil && v.signals[sideOf(&s)] && s.Waits[b.full] })
	for at, says := range v.rooms {
		v.takes[at] = v.takes[at] || says && !v.signals[at] && (awaited || !v.waited)
	}
	return v
}

// quietTakers finds who takes where nobody had to wait and nothing says that there is room: at the first place at which
// threads of another pool come as often as something is brought, and perhaps once more each, and never before it.
func (b *buffer) quietTakers(stays []trail.Stay, v visits, brings map[side]bool, putters map[*trail.Pool]int64) (map[side]bool, bool) {
	puts := 0
	for at := range brings {
		puts += v.times[at]
	}
	for _, at := range v.order {
		if putters[at.group] > 0 || v.times[at] < puts {
			continue
		}
		lasts := map[*trail.Sequence]int{}
		for i := range stays {
			if s := &stays[i]; sideOf(s) == at {
				lasts[s.Sequence] = max(lasts[s.Sequence], s.First)
			}
		}
		if v.times[at]-puts > len(lasts) {
			continue
		}
		fewest, _ := itemsIn(stays, func(s *trail.Stay) int {
			switch _, put := brings[sideOf(s)]; {
			case put:
				return 1
			case sideOf(s) == at && lasts[s.Sequence] != s.First:
				return -1
			}
			return 0
		})
		if fewest >= 0 {
			brings = maps.Clone(brings)
			brings[at] = false
			return brings, true
		}
	}
	return nil, false
}

// bothSides tells who brings among places that wait for one condition and signal it.
func (b *buffer) bothSides(stays []trail.Stay, order []side, brings map[side]bool) (map[side]bool, bool) {
	if b.full != nil || len(brings) < 2 || len(brings) > mostSides {
		return nil, false
	}
	order = slices.DeleteFunc(order, func(at side) bool { _, in := brings[at]; return !in })
	least := 0
	for try := range choices(order, nil) {
		if len(try) == len(order) {
			continue // somebody takes
		}
		puts, takes := map[*trail.Pool]int64{}, map[*trail.Pool]int64{}
		for _, at := range order {
			if try[at] {
				puts[at.group]++
			} else {
				try[at] = false
				takes[at.group]++
			}
		}
		fewest, most := itemsIn(stays, func(s *trail.Stay) int {
			switch put, in := try[sideOf(s)]; {
			case !in || !s.Signals[b.empty]:
				return 0
			case put:
				return 1
			}
			return -1
		})
		if trail.Disjoint(puts, takes) && fewest >= 0 && (least == 0 || most < least) {
			least, brings = most, try
		}
	}
	if least > 0 {
		b.full = b.empty
	}
	return brings, least > 0
}

// itemsIn returns the least and the largest number of items in a buffer to
// which each stay adds change items when it ends.
func itemsIn(stays []trail.Stay, change func(*trail.Stay) int) (fewest, most int) {
	var cs []trace.Change
	for i := range stays {
		if by := change(&stays[i]); by != 0 {
			cs = append(cs, trace.Change{At: stays[i].Leaves().Start, By: by})
		}
	}
	return trace.Running(cs, false)
}
