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
	hash     uint64
	executed int64
	order    uint64 // schedule order of the next event, in the high bits
	pending  int    // entries whose event was not cancelled
	m        int    // entries in near
	n        int    // entries in far
	free     int32  // 1 + index of the first free slot; linked through next
	slots    []slot
	far      []entry         // 4-ary heap; at least four sentinels follow, so that every entry has four children
	near     [nearSize]entry // the next events, the first of them last: near[:m]; all are before those in far
}

// nearSize is the number of events that are kept sorted: most events of most
// models happen soon, before all but a few others.
const nearSize = 32

// entry is an event in the future event set: its time, and its schedule order above
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

// slot is what an event means. Its entry keeps it until it is the next, even if
// the event was cancelled meanwhile.
type slot struct {
	generation uint32 // odd while the event is pending
	target     int32
	next       int32 // 1 + index of the next free slot
	kind       Kind
}

// Now returns the current time: that of the event executed last.
func (e *Engine) Now() Time { return e.now }

// Executed returns the number of events executed so far.
func (e *Engine) Executed() int64 { return e.executed }

// Fingerprint returns a hash of the time, kind and target of every executed
// event, in order.
func (e *Engine) Fingerprint() uint64 { return Mix(e.hash ^ uint64(e.executed)) }

// Pending returns the number of scheduled events.
func (e *Engine) Pending() int { return e.pending }

// Schedule makes an event happen at the given time, after all events already
// scheduled for that time. It panics if at is before now, or when more than 16
// million events are pending.
func (e *Engine) Schedule(at Time, kind Kind, target int32) Timer {
	if at < e.now {
		e.tooLate(at)
	}
	if e.free == 0 {
		e.addSlot()
	}
	k := uint32(e.free - 1)
	s := &e.slots[k]
	e.free = s.next
	s.target, s.kind = target, kind
	s.generation++
	t := Timer{int32(k + 1), s.generation}
	x := entry{at, e.order | uint64(k)}
	e.order += 1 << slotBits
	e.pending++
	if e.n > 0 && at >= e.far[0].at {
		e.insert(x)
		return t
	}
	if e.m == nearSize {
		e.spill()
		if at >= e.far[0].at {
			e.insert(x)
			return t
		}
	}
	e.m++
	near := e.near[:e.m]
	i := len(near) - 1
	for ; i > 0 && near[i-1].at <= at; i-- { // of equal times the one scheduled last is last
		near[i] = near[i-1]
	}
	near[i] = x
	return t
}

func (e *Engine) tooLate(at Time) {
	panic("des: event scheduled " + (e.now - at).String() + " before now")
}

// After schedules an event d after now.
func (e *Engine) After(d Time, kind Kind, target int32) Timer {
	return e.Schedule(e.now+min(d, Never-e.now), kind, target)
}

// Cancel removes the event of t and reports whether there was one. Its entry
// stays until it is the next, or until most entries are such.
func (e *Engine) Cancel(t Timer) bool {
	if !e.IsPending(t) {
		return false
	}
	e.slots[t.slot-1].generation++
	e.pending--
	if e.m+e.n > 2*e.pending+leastCancelled {
		e.purge()
	}
	return true
}

// leastCancelled is the number of entries of cancelled events, beyond as many
// as there are pending events, from which they are removed.
const leastCancelled = 32

// purge removes the entries of all cancelled events.
func (e *Engine) purge() {
	e.m = e.keepPending(e.near[:e.m])
	e.n = e.keepPending(e.far[:e.n])
	for i := (e.n - 2) / 4; i >= 0; i-- {
		e.down(i, e.far[i])
	}
}

// keepPending moves the entries of pending events to the front, in order, and
// returns their number. Sentinels follow.
func (e *Engine) keepPending(entries []entry) int {
	n := 0
	for _, x := range entries {
		if i := uint32(x.key & slotMask); e.slots[i].generation&1 == 0 {
			e.release(i)
		} else {
			entries[n] = x
			n++
		}
	}
	for i := n; i < len(entries); i++ {
		entries[i] = sentinel
	}
	return n
}

// IsPending reports whether the event of t has yet to happen.
func (e *Engine) IsPending(t Timer) bool {
	return t.slot != 0 && e.slots[t.slot-1].generation == t.generation
}

// Next advances the clock to the next event and returns it, or reports false
// when none is pending.
func (e *Engine) Next() (Event, bool) { return e.NextUntil(Never) }

// NextUntil is Next for events up to and including a limit. If the next event
// is later, or there is none, it reports false and leaves the clock as it is.
func (e *Engine) NextUntil(limit Time) (Event, bool) {
	for {
		if e.m == 0 && !e.refill() {
			return Event{}, false
		}
		top := &e.near[e.m-1]
		if top.at > limit {
			return Event{}, false
		}
		e.m--
		i := uint32(top.key & slotMask)
		s := &e.slots[i]
		s.next = e.free
		e.free = int32(i + 1)
		if s.generation&1 == 0 { // cancelled
			continue
		}
		s.generation++
		e.pending--
		e.now = top.at
		e.executed++
		e.hash = (bits.RotateLeft64(e.hash, 23) ^ uint64(top.at) ^ uint64(uint32(s.target))<<40 ^ uint64(s.kind)<<32) * 0x9e3779b97f4a7c15
		return Event{s.kind, s.target}, true
	}
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
	for e.m > 0 || e.refill() {
		next := e.near[e.m-1]
		i := uint32(next.key & slotMask)
		if e.slots[i].generation&1 == 1 {
			return next.at
		}
		e.m--
		e.release(i)
	}
	return Never
}

func (a entry) before(b entry) bool {
	return a.at < b.at || a.at == b.at && a.key < b.key
}

// spill moves the later half of near to far.
func (e *Engine) spill() {
	for _, x := range e.near[:nearSize/2] {
		e.insert(x)
	}
	e.m = copy(e.near[:], e.near[nearSize/2:])
}

// refill moves the first events of far to near, which is empty, and reports
// whether there are any.
func (e *Engine) refill() bool {
	e.m = min(e.n, nearSize/2)
	for i := e.m - 1; i >= 0; i-- {
		e.near[i] = e.far[0]
		e.n--
		x := e.far[e.n]
		e.far[e.n] = sentinel
		if e.n > 0 {
			e.down(0, x)
		}
	}
	return e.m > 0
}

// insert adds x to far.
func (e *Engine) insert(x entry) {
	if e.n+5 > len(e.far) {
		e.grow()
	}
	h, i := e.far, e.n
	e.n++
	for i > 0 {
		parent := (i - 1) / 4
		if !x.before(h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = x
}

// down places x at or below i of far. The smallest of four children is found
// without branches, which the processor could not predict.
func (e *Engine) down(i int, x entry) {
	h := e.far
	for 4*i+1 < e.n {
		c := (*[4]entry)(h[4*i+1:])
		a := less(&c[1], &c[0])
		b := 2 + less(&c[3], &c[2])
		least := a + (b-a)*less(&c[b&3], &c[a&3])
		child := &c[least&3]
		if less(child, &x) == 0 {
			break
		}
		h[i] = *child
		i = 4*i + 1 + least
	}
	h[i] = x
}

// less returns 1 if a is before b, else 0: the borrow of a 128-bit subtraction.
func less(a, b *entry) int {
	_, borrow := bits.Sub64(a.key, b.key, 0)
	_, borrow = bits.Sub64(uint64(a.at), uint64(b.at), borrow)
	return int(borrow)
}

// grow makes room for one more entry and four sentinels.
func (e *Engine) grow() {
	far := make([]entry, max(64, 2*len(e.far)))
	for i := copy(far, e.far); i < len(far); i++ {
		far[i] = sentinel
	}
	e.far = far
}

// addSlot adds a free slot.
func (e *Engine) addSlot() {
	if len(e.slots) > slotMask {
		panic("des: more than 16777216 events are pending")
	}
	e.slots = append(e.slots, slot{})
	e.free = int32(len(e.slots))
}

func (e *Engine) release(i uint32) {
	e.slots[i].next = e.free
	e.free = int32(i + 1)
}
