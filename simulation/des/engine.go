package des

import "math/bits"

// Kind says what an event means; its values belong to the user of the engine.
type Kind uint8

// Event is an executed event. Its time is Engine.Now.
type Event struct {
	Kind   Kind
	Target int32 // what it happens to, such as the index of a thread
}

// Timer names a pending event. The zero value names none; a Timer whose event
// has run or was cancelled names none either.
type Timer struct {
	slot       int32 // 1 + index into slots
	generation uint32
}

// Engine is a clock with a future event set. The zero value is an engine at
// time 0 without events. An engine belongs to one goroutine.
type Engine struct {
	now      Time
	heap     []entry // 4-ary; heap[0] is a hole when vacant
	vacant   bool
	slots    []slot
	free     int32  // 1 + index of the first free slot; linked through position
	order    uint64 // schedule order of the next event, in the high bits
	hash     uint64
	executed int64
}

// entry is a pending event in the heap: its time, and its schedule order above
// its slot, so that comparing key breaks ties in schedule order.
type entry struct {
	at  Time
	key uint64
}

// Bits of entry.key for the slot: 16 million pending events, and 10¹² events
// in one run.
const (
	slotBits = 24
	slotMask = 1<<slotBits - 1
)

type slot struct {
	position   int32 // in the heap; the next free slot when free
	generation uint32
	target     int32
	kind       Kind
	pending    bool
}

// Now returns the current time: that of the event executed last.
func (e *Engine) Now() Time { return e.now }

// Executed returns the number of events executed so far.
func (e *Engine) Executed() int64 { return e.executed }

// Fingerprint returns a hash of the time, kind and target of every executed
// event, in order.
func (e *Engine) Fingerprint() uint64 { return Mix(e.hash ^ uint64(e.executed)) }

// Pending returns the number of scheduled events.
func (e *Engine) Pending() int {
	if e.vacant {
		return len(e.heap) - 1
	}
	return len(e.heap)
}

// Schedule makes an event happen at the given time, after all events already
// scheduled for that time. It panics if at is before now, or when more than 16
// million events are pending.
func (e *Engine) Schedule(at Time, kind Kind, target int32) Timer {
	if at < e.now {
		panic("des: event scheduled " + (e.now - at).String() + " before now")
	}
	i := e.free - 1
	if i >= 0 {
		e.free = e.slots[i].position
	} else {
		i = int32(len(e.slots))
		if i > slotMask {
			panic("des: more than 16777216 events are pending")
		}
		e.slots = append(e.slots, slot{})
	}
	s := &e.slots[i]
	s.target, s.kind, s.pending = target, kind, true
	t := Timer{i + 1, s.generation}
	x := entry{at, e.order | uint64(i)}
	e.order += 1 << slotBits
	if e.vacant {
		e.vacant = false
		e.down(0, x)
	} else {
		e.heap = append(e.heap, x)
		e.up(len(e.heap)-1, x)
	}
	return t
}

// After schedules an event d after now.
func (e *Engine) After(d Time, kind Kind, target int32) Timer {
	if d > Never-e.now {
		return e.Schedule(Never, kind, target)
	}
	return e.Schedule(e.now+d, kind, target)
}

// Cancel removes the event of t and reports whether there was one.
func (e *Engine) Cancel(t Timer) bool {
	if !e.IsPending(t) {
		return false
	}
	i := int(e.slots[t.slot-1].position)
	e.release(t.slot - 1)
	last := len(e.heap) - 1
	x := e.heap[last]
	e.heap = e.heap[:last]
	switch {
	case i == last:
	case i > 0 && x.before(e.heap[(i-1)/4]):
		e.up(i, x)
	default:
		e.down(i, x)
	}
	return true
}

// IsPending reports whether the event of t has yet to happen.
func (e *Engine) IsPending(t Timer) bool {
	if t.slot == 0 {
		return false
	}
	s := &e.slots[t.slot-1]
	return s.pending && s.generation == t.generation
}

// At returns the time of the event of t, or Never if t names none.
func (e *Engine) At(t Timer) Time {
	if !e.IsPending(t) {
		return Never
	}
	return e.heap[e.slots[t.slot-1].position].at
}

// Next advances the clock to the next event and returns it, or reports false
// when none is pending.
func (e *Engine) Next() (Event, bool) { return e.NextUntil(Never) }

// NextUntil is Next for events up to and including a limit. If the next event
// is later, or there is none, it reports false and leaves the clock as it is.
func (e *Engine) NextUntil(limit Time) (Event, bool) {
	if e.vacant {
		e.vacant = false
		last := len(e.heap) - 1
		x := e.heap[last]
		e.heap = e.heap[:last]
		if last > 0 {
			e.down(0, x)
		}
	}
	if len(e.heap) == 0 || e.heap[0].at > limit {
		return Event{}, false
	}
	top := e.heap[0]
	e.vacant = true
	i := int32(top.key & slotMask)
	s := &e.slots[i]
	ev := Event{s.kind, s.target}
	e.release(i)
	e.now = top.at
	e.executed++
	e.hash = (bits.RotateLeft64(e.hash, 23) ^ uint64(top.at) ^ uint64(uint32(ev.Target))<<40 ^ uint64(ev.Kind)<<32) * 0x9e3779b97f4a7c15
	return ev, true
}

// AdvanceTo moves the clock to a time before the next event. It panics if an
// event would be skipped or the time is in the past.
func (e *Engine) AdvanceTo(t Time) {
	if t < e.now || e.peek() < t {
		panic("des: the clock cannot be moved to " + t.String())
	}
	e.now = t
}

// peek returns the time of the next event, or Never.
func (e *Engine) peek() Time {
	first, last := 0, 0
	if e.vacant {
		first, last = 1, 4 // the children of the hole
	}
	next := Never
	for i := first; i <= last && i < len(e.heap); i++ {
		next = min(next, e.heap[i].at)
	}
	return next
}

func (e *Engine) release(i int32) {
	s := &e.slots[i]
	s.pending = false
	s.generation++
	s.position = e.free
	e.free = i + 1
}

func (a entry) before(b entry) bool {
	return a.at < b.at || a.at == b.at && a.key < b.key
}

// up places x at or above i.
func (e *Engine) up(i int, x entry) {
	h := e.heap
	for i > 0 {
		parent := (i - 1) / 4
		if !x.before(h[parent]) {
			break
		}
		h[i] = h[parent]
		e.slots[h[i].key&slotMask].position = int32(i)
		i = parent
	}
	h[i] = x
	e.slots[x.key&slotMask].position = int32(i)
}

// down places x at or below i.
func (e *Engine) down(i int, x entry) {
	h := e.heap
	for {
		first := 4*i + 1
		if first >= len(h) {
			break
		}
		least := first
		for c := first + 1; c < min(first+4, len(h)); c++ {
			if h[c].before(h[least]) {
				least = c
			}
		}
		if !h[least].before(x) {
			break
		}
		h[i] = h[least]
		e.slots[h[i].key&slotMask].position = int32(i)
		i = least
	}
	h[i] = x
	e.slots[x.key&slotMask].position = int32(i)
}
