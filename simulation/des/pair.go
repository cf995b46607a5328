package des

import "math/bits"

// Pair is two alarms that are all that is pending. Who knows what becomes of their events executes them himself, in
// the order of their times, and tells the Pair, which keeps account of them as the engine would; Return makes them
// pending again.
type Pair struct {
	alarms   [2]Alarm
	what     [2]uint64 // as it goes into the hash
	hash     uint64
	executed int64
}

// Pair takes two quick alarms, and the times to which they are set. It reports false if one of them is not, or if
// anything else is pending or to be done. The engine must not be used until Return.
func (e *Engine) Pair(a, b Alarm) (p Pair, atA, atB Time, ok bool) {
	if max(a, b) >= quickSize || e.Restless || e.quick.left[a] == 0 || e.quick.left[b] == 0 || e.Pending() != 2 {
		return Pair{}, 0, 0, false
	}
	p = Pair{alarms: [2]Alarm{a, b}, what: [2]uint64{rotated(e.quick.what[a]), rotated(e.quick.what[b])}, hash: e.hash, executed: e.executed}
	return p, Time(^e.quick.left[a]), Time(^e.quick.left[b]), true
}

// Happens notes the event of the first or of the second of the alarms (0, 1).
func (p *Pair) Happens(which int, at Time) {
	p.executed++
	p.hash = hashed(p.hash, at, p.what[which&1])
}

// Return advances the clock to the last event that happened and sets the alarms again, to times from then on; latest is
// the one that was set last (0, 1).
func (e *Engine) Return(p Pair, now Time, at [2]Time, latest int) {
	e.hash, e.executed, e.now = p.hash, p.executed, now
	for _, i := range [2]int{1 - latest, latest} {
		e.Stop(p.alarms[i])
		e.Set(p.alarms[i], at[i])
	}
}

// rotated is what a kind and a target are in the hash of an event.
func rotated(w what) uint64 { return bits.RotateLeft64(uint64(w), 40) }

// hashed is the hash of the events so far and one more.
func hashed(hash uint64, at Time, what uint64) uint64 {
	return (bits.RotateLeft64(hash, 23) ^ uint64(at) ^ what) * 0x9e3779b97f4a7c15
}
