package des

import (
	"math"
	"math/bits"
)

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
	heap     []entry // 4-ary, of n entries; heap[0] is a hole when vacant
	n        int     // at least four sentinels follow, so that every entry has four children
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

// sentinel is after every event.
var sentinel = entry{Never, math.MaxUint64}

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
		return e.n - 1
	}
	return e.n
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
		e.n++
		if e.n+4 > len(e.heap) {
			e.grow()
		}
		e.up(e.n-1, x)
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
	e.n--
	last := e.n
	x := e.heap[last]
	e.heap[last] = sentinel
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
		e.n--
		x := e.heap[e.n]
		e.heap[e.n] = sentinel
		if e.n > 0 {
			e.down(0, x)
		}
	}
	if e.n == 0 || e.heap[0].at > limit {
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
	for i := first; i <= last && i < e.n; i++ {
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

// down places x at or below i. The smallest of four children is found without
// branches, which the processor could not predict.
func (e *Engine) down(i int, x entry) {
	h := e.heap
	if e.n == 2 && i == 0 { // as in a station with one server
		if h[1].before(x) {
			h[0] = h[1]
			e.slots[h[0].key&slotMask].position = 0
			i = 1
		}
		h[i] = x
		e.slots[x.key&slotMask].position = int32(i)
		return
	}
	for 4*i+1 < e.n {
		c := h[4*i+1 : 4*i+5 : 4*i+5]
		a := less(&c[1], &c[0])
		b := 2 + less(&c[3], &c[2])
		least := a + (b-a)*less(&c[b&3], &c[a&3])
		child := &c[least&3]
		if less(child, &x) == 0 {
			break
		}
		h[i] = *child
		e.slots[child.key&slotMask].position = int32(i)
		i = 4*i + 1 + least
	}
	h[i] = x
	e.slots[x.key&slotMask].position = int32(i)
}

// less returns 1 if a is before b, else 0: the borrow of a 128-bit subtraction.
func less(a, b *entry) int {
	_, borrow := bits.Sub64(a.key, b.key, 0)
	_, borrow = bits.Sub64(uint64(a.at), uint64(b.at), borrow)
	return int(borrow)
}

// grow makes room for one more entry and four sentinels.
func (e *Engine) grow() {
	before := len(e.heap)
	heap := make([]entry, max(16, 2*before))
	for i := copy(heap, e.heap); i < len(heap); i++ {
		heap[i] = sentinel
	}
	e.heap = heap
}
