package des

import "math/bits"

// Alarm is an event of one thing, such as a core, that is pending once at most: the
// number of one of the quick ones, or quickSize + that of its slot.
type Alarm int32

// QuickAlarms is the number of alarms that may be quick.
const QuickAlarms = 4

const quickSize = QuickAlarms

// quick is the events of alarms that are set all the time, such as those of cores. Their order
// is the numbers of those that are set, eight bits for each, first the lowest: which of so few comes
// before which is found without branches, that no processor could predict, and without going
// through the others.
type quick struct {
	order uint64
	left  [quickSize]uint64 // by alarm: how long before the end of time it is due; 0: not set
	key   [quickSize]uint64 // its place in the schedule order
	what  [quickSize]what
	made  int32
}

// remove takes alarm a out.
func (q *quick) remove(a uint64) {
	if q.left[a%quickSize] == 0 {
		return
	}
	q.left[a%quickSize] = 0
	place := 0
	for q.order>>place&0xff != a {
		place += 8
	}
	before := q.order & (1<<place - 1)
	q.order = q.order>>(place+8)<<place | before
}

// pending is the number of alarms that are set.
func (q *quick) pending() (n int) {
	for _, left := range q.left {
		if left != 0 {
			n++
		}
	}
	return n
}

// NewQuickAlarm returns an alarm that is not set, of a thing that has most of all events, such as a
// core. The first four are quicker than others.
func (e *Engine) NewQuickAlarm(kind Kind, target int32) Alarm {
	i := e.quick.made
	if i >= quickSize {
		return e.NewAlarm(kind, target)
	}
	e.quick.what[i] = whatOf(kind, target) | ofAlarm
	e.quick.made++
	return Alarm(i)
}

// NewAlarm returns an alarm that is not set.
func (e *Engine) NewAlarm(kind Kind, target int32) Alarm {
	return quickSize + Alarm(e.take(whatOf(kind, target)|ofAlarm))
}

// Set schedules the event of an alarm, as Schedule does, instead of the time
// that it was set to before.
func (e *Engine) Set(a Alarm, at Time) {
	if a >= quickSize {
		e.put(uint64(a-quickSize), at)
		return
	}
	q, left := &e.quick, ^uint64(at)
	if at < e.now || q.left[a] != 0 {
		e.setAgain(a, at)
		return
	}
	_, b0 := bits.Sub64(q.left[0], left, 0) // 1 if that of alarm 0 is later, or not set
	_, b1 := bits.Sub64(q.left[1], left, 0)
	_, b2 := bits.Sub64(q.left[2], left, 0)
	_, b3 := bits.Sub64(q.left[3], left, 0)
	place := 8 * (quickSize - (b0 + b1 + b2 + b3)) % 64
	before := q.order & (1<<place - 1)
	q.order = (q.order^before)<<8 | uint64(a)<<place | before
	e.order += 1 << slotBits
	q.left[a], q.key[a] = left, e.order
}

// SetLast is Set of a quick alarm that is not set while so many other quick ones are, all to times up to this
// one: that of a core whose turn begins, when others have begun theirs.
func (e *Engine) SetLast(a Alarm, at Time, others int) {
	e.order += 1 << slotBits
	q := &e.quick
	q.order |= uint64(a) << (8 * others % 64)
	q.left[a%quickSize], q.key[a%quickSize] = ^uint64(at), e.order
}

// setAgain is Set for a quick alarm that is set already.
func (e *Engine) setAgain(a Alarm, at Time) {
	e.notBefore(at)
	e.quick.remove(uint64(a))
	e.Set(a, at)
}

// Proceed sets an alarm that is not set. If that makes it the event that NextUntil would execute next, with the limit
// that it had last, it happens now, and Proceed reports true: the events of some cores and sources come in rows.
// One in 64 waits all the same, so that who asks for events has a say, and so does one at the present time.
func (e *Engine) Proceed(a Alarm, at Time) bool {
	if !e.isNext(a, at) {
		e.Set(a, at)
		return false
	}
	e.happens(at, e.quick.what[a])
	return true
}

// isNext reports whether an alarm, if it were set to a time, would be an event to proceed to.
func (e *Engine) isNext(a Alarm, at Time) bool {
	i := e.m - 1
	switch {
	case a >= quickSize || e.Restless || ^uint64(at) <= e.quick.left[e.quick.order%quickSize]:
		return false
	case i < nearSize && at >= e.near.at[i] || i >= nearSize && e.n > 0:
		return false
	}
	return at <= e.limit && at > e.now && e.executed%64 != 0
}

// Again returns the target of the event that NextUntil would return next, with the limit that it had last, if that
// is of a quick alarm and of the same kind as the last one was, and executes it. As with Proceed, one in 64 waits.
func (e *Engine) Again(kind Kind) (target int32, ok bool) {
	return e.again(kind, e.quick.order%quickSize)
}

// again is Again, given the first of the quick alarms.
func (e *Engine) again(kind Kind, a uint64) (target int32, ok bool) {
	at, what := Time(^e.quick.left[a]), e.quick.what[a]
	if e.Restless || e.executed%64 == 0 || at > e.limit || at <= e.now || Kind(what>>32) != kind || e.queuedBefore(uint64(at), e.quick.key[a]) {
		return 0, false
	}
	e.quick.order >>= 8
	e.quick.left[a] = 0
	e.happens(at, what)
	return int32(what), true
}

// SetAndAgain is Set of an alarm that is not set, and then Again. Mostly another alarm is the first before and after: a
// processor that guesses so looks at that one's event without knowing yet where this one comes among the others.
func (e *Engine) SetAndAgain(a Alarm, at Time, kind Kind) (target int32, ok bool) {
	first := e.quick.order % quickSize
	later := ^uint64(at) < e.quick.left[first]
	e.Set(a, at)
	if later {
		return e.again(kind, first)
	}
	return e.Again(kind)
}

// SetAfter sets an alarm to d after now.
func (e *Engine) SetAfter(a Alarm, d Time) { e.Set(a, e.now+min(d, Never-e.now)) }

// Stop cancels the event of an alarm, if it is set.
func (e *Engine) Stop(a Alarm) {
	if a < quickSize {
		e.quick.remove(uint64(a))
	} else {
		e.drop(uint64(a - quickSize))
	}
}

// IsSet reports whether the event of an alarm is pending.
func (e *Engine) IsSet(a Alarm) bool {
	if a < quickSize {
		return e.quick.left[a] != 0
	}
	return e.slots[a-quickSize].key != 0
}
