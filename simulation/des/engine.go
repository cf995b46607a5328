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
type Timer struct{ key uint64 }

// Engine is a clock with a future event set. The zero value is an engine at
// time 0 without events. An engine belongs to one goroutine.
type Engine struct {
	// Restless says that there is something to do before the next event: then Proceed waits for NextUntil.
	Restless bool
	now      Time
	limit    Time // of the last NextUntil
	hash     uint64
	order    uint64 // schedule order of the last event, in the high bits
	executed int64  // events
	quick    quick
	stale    int    // entries whose event was cancelled
	m        uint   // entries in near; unsigned, so that an index modulo nearSize is a mask
	horizon  Time   // of far[0]; of the zero value 0, so that the first event goes to far
	n        int    // entries in far
	free     uint64 // 1 + index of the first free slot; linked through what
	slots    []slot
	far      []entry // 4-ary heap; at least four sentinels follow, so that every entry has four children
	near     near    // the next m events; all are before those in far
}

// near is entries in order, the first of them last: two columns, whose indices
// are those of the processor.
type near struct {
	at  [nearSize]Time
	key [nearSize]uint64
}

// nearSize is the number of events that are kept sorted: most events of most
// models happen soon, before all but a few others. It is a power of two, so
// that an index modulo nearSize needs no bounds check.
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

// slot is what an event means. An entry whose key is not that of its slot was
// cancelled; it goes away when it comes up.
type slot struct {
	key  uint64 // of the pending event, or 0
	what what   // of a free slot: 1 + index of the next free one
}

// what is the target of an event in its low half, its kind in the eight bits
// above, and whether it is that of an Alarm in those above it.
type what uint64

const ofAlarm what = 1 << 40

func whatOf(kind Kind, target int32) what { return what(kind)<<32 | what(uint32(target)) }

// Now returns the current time: that of the event executed last.
func (e *Engine) Now() Time { return e.now }

// Executed returns the number of events executed so far.
func (e *Engine) Executed() int64 { return e.executed }

// Fingerprint returns a hash of the time, kind and target of every executed
// event, in order.
func (e *Engine) Fingerprint() uint64 { return Mix(e.hash ^ uint64(e.executed)) }

// Pending returns the number of scheduled events.
func (e *Engine) Pending() int { return int(e.m) + e.n - e.stale + e.quick.pending() }

// Schedule makes an event happen at the given time, after all events already
// scheduled for that time. It panics if at is before now, or when more than 16
// million events are pending.
func (e *Engine) Schedule(at Time, kind Kind, target int32) Timer {
	i := e.take(whatOf(kind, target))
	e.put(i, at)
	return Timer{e.slots[i].key}
}

// After schedules an event d after now.
func (e *Engine) After(d Time, kind Kind, target int32) Timer {
	return e.Schedule(e.now+min(d, Never-e.now), kind, target)
}

// put schedules the event of slot i, instead of the time that it was set to before.
func (e *Engine) put(i uint64, at Time) {
	s, n := &e.slots[i], e.m
	if s.key != 0 || n >= nearSize || at < e.now {
		e.putOther(i, at)
		return
	}
	e.order += 1 << slotBits
	key := e.order | i
	s.key = key
	if at >= e.horizon {
		e.insert(at, key)
		return
	}
	e.m++
	for n > 0 {
		before := (n - 1) % nearSize
		x := e.near.at[before]
		if x > at { // of equal times the one scheduled last is last
			break
		}
		e.near.at[n%nearSize], e.near.key[n%nearSize] = x, e.near.key[before]
		n = before
	}
	e.near.at[n%nearSize], e.near.key[n%nearSize] = at, key
}

// putOther is put for an event that is pending, or when near is full. (What is rare is
// called last: what must survive a call goes through memory.)
func (e *Engine) putOther(i uint64, at Time) {
	e.notBefore(at)
	e.drop(i)
	if e.m == nearSize {
		e.spill()
	}
	e.put(i, at)
}

// notBefore panics if a time is in the past.
func (e *Engine) notBefore(at Time) {
	if at < e.now {
		panic("des: event scheduled " + (e.now - at).String() + " before now")
	}
}

// Cancel removes the event of t and reports whether there was one.
func (e *Engine) Cancel(t Timer) bool {
	if !e.IsPending(t) {
		return false
	}
	i := t.key & slotMask
	e.drop(i)
	e.release(&e.slots[i], i)
	return true
}

// IsPending reports whether the event of t has yet to happen.
func (e *Engine) IsPending(t Timer) bool {
	return t.key != 0 && e.slots[t.key&slotMask].key == t.key
}

// drop cancels the event of slot i, if it is pending. Its entry stays until it is
// the next, or until most entries are such.
func (e *Engine) drop(i uint64) {
	s := &e.slots[i]
	if s.key == 0 {
		return
	}
	s.key = 0
	e.stale++
	if 2*e.stale > int(e.m)+e.n+leastCancelled {
		e.purge()
	}
}

// leastCancelled is the number of entries of cancelled events, beyond as many
// as there are pending events, from which they are removed.
const leastCancelled = 32

// purge removes the entries of all cancelled events.
func (e *Engine) purge() {
	e.stale = 0
	m := uint(0)
	for i, key := range e.near.key[:e.m] {
		if e.slots[key&slotMask].key == key {
			e.near.at[m], e.near.key[m] = e.near.at[i], key
			m++
		}
	}
	e.m = m
	e.n = e.keepPending(e.far[:e.n])
	for i := (e.n - 2) / 4; i >= 0; i-- {
		e.down(i, e.far[i])
	}
	if len(e.far) > 0 {
		e.horizon = e.far[0].at
	}
}

// keepPending moves the entries of pending events to the front, in order, and
// returns their number. Sentinels follow.
func (e *Engine) keepPending(entries []entry) int {
	n := 0
	for _, x := range entries {
		if e.slots[x.key&slotMask].key == x.key {
			entries[n] = x
			n++
		}
	}
	for i := n; i < len(entries); i++ {
		entries[i] = sentinel
	}
	return n
}

// Next advances the clock to the next event and returns it, or reports false
// when none is pending.
func (e *Engine) Next() (Event, bool) { return e.NextUntil(Never) }

// NextUntil is Next for events up to and including a limit. If the next event
// is later, or there is none, it reports false and leaves the clock as it is.
func (e *Engine) NextUntil(limit Time) (Event, bool) {
	e.limit = limit
	a := e.quick.order % quickSize
	at := ^e.quick.left[a]
	if e.queuedBefore(at, e.quick.key[a]) {
		return e.nextQueued(limit)
	}
	if at > uint64(limit) {
		return Event{}, false
	}
	e.quick.order >>= 8
	e.quick.left[a] = 0
	return e.happens(Time(at), e.quick.what[a]), true
}

// queuedBefore reports whether the first entry of the queue, perhaps that of a cancelled
// event, is before another event.
func (e *Engine) queuedBefore(at, key uint64) bool {
	i := e.m - 1
	if i >= nearSize {
		return e.n > 0
	}
	return uint64(e.near.at[i]) < at || uint64(e.near.at[i]) == at && e.near.key[i] < key
}

// nextQueued is NextUntil if the first entry of the queue is before all quick alarms.
func (e *Engine) nextQueued(limit Time) (Event, bool) {
	i := e.m - 1
	if i >= nearSize || e.slots[e.near.key[i]&slotMask].key != e.near.key[i] {
		e.find()
		return e.NextUntil(limit)
	}
	at, slot := e.near.at[i], e.near.key[i]&slotMask
	if at > limit {
		return Event{}, false
	}
	s := &e.slots[slot]
	what := s.what
	s.key = 0
	e.m = i
	if what&ofAlarm == 0 {
		e.release(s, slot)
	}
	return e.happens(at, what), true
}

// happens advances the clock to an event, which it returns.
func (e *Engine) happens(at Time, what what) Event {
	e.now = at
	e.executed++
	e.hash = hashed(e.hash, at, rotated(what))
	return Event{Kind(what >> 32), int32(what)}
}

// find makes the first entry of near that of the next event in the queue, and
// reports whether there is one.
func (e *Engine) find() bool {
	for e.m > 0 || e.refill() {
		key := e.near.key[e.m-1]
		if e.slots[key&slotMask].key == key {
			return true
		}
		e.m--
		e.stale--
	}
	return false
}

// Upcoming returns the time of the next event; Never if none is pending.
func (e *Engine) Upcoming() Time {
	at := ^e.quick.left[e.quick.order%quickSize]
	if e.find() {
		at = min(at, uint64(e.near.at[e.m-1]))
	}
	return Time(min(at, uint64(Never)))
}

// AdvanceTo moves the clock to a time before the next event. It panics if an
// event would be skipped or the time is in the past.
func (e *Engine) AdvanceTo(t Time) {
	if t < e.now || ^e.quick.left[e.quick.order%quickSize] < uint64(t) || e.find() && e.near.at[e.m-1] < t {
		panic("des: the clock cannot be moved to " + t.String())
	}
	e.now = t
}

func (a entry) before(b entry) bool {
	return a.at < b.at || a.at == b.at && a.key < b.key
}

// spill moves the later half of near to far.
func (e *Engine) spill() {
	for i, at := range e.near.at[:nearSize/2] {
		e.insert(at, e.near.key[i])
	}
	copy(e.near.at[:], e.near.at[nearSize/2:])
	e.m = uint(copy(e.near.key[:], e.near.key[nearSize/2:]))
}

// refill moves the first events of far to near, which is empty, and reports
// whether there are any.
func (e *Engine) refill() bool {
	e.m = uint(min(e.n, nearSize/2))
	for i := int(e.m) - 1; i >= 0; i-- {
		e.near.at[i], e.near.key[i] = e.far[0].at, e.far[0].key
		e.n--
		x := e.far[e.n]
		e.far[e.n] = sentinel
		if e.n > 0 {
			e.down(0, x)
		}
	}
	if e.m > 0 {
		e.horizon = e.far[0].at
	}
	return e.m > 0
}

// insert adds an entry to far.
func (e *Engine) insert(at Time, key uint64) {
	x := entry{at, key}
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
	e.horizon = h[0].at
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

// take gives a free slot a meaning.
func (e *Engine) take(w what) uint64 {
	if e.free == 0 {
		e.addSlot()
	}
	i := e.free - 1
	s := &e.slots[i]
	e.free = uint64(s.what)
	s.what = w
	return i
}

// addSlot adds a free slot.
func (e *Engine) addSlot() {
	if len(e.slots) > slotMask {
		panic("des: more than 16777216 events are pending")
	}
	e.slots = append(e.slots, slot{})
	e.free = uint64(len(e.slots))
}

// release puts slot i, which is s, among the free ones.
func (e *Engine) release(s *slot, i uint64) {
	s.what = what(e.free)
	e.free = i + 1
}
