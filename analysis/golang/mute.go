package golang

import (
	"encoding/binary"
	"maps"
	"slices"
	"strings"

	"tierscope/analysis"
)

// Which operations are not worth recording: those on locks inside the standard
// library that nobody waits for and that are held for next to nothing. They
// are many (a small HTTP request takes some thirty) and would be most of the
// overhead, but no configuration makes them matter. Locks of the program and
// its dependencies are always recorded.
const (
	muteUtilization = 0.01 // of the run: share of time that a lock is held
	muteWaiting     = 1e-3 // of the run: share of time that goroutines wait for it
)

// mutable chooses from a recording the return addresses, as offsets, whose
// operations need not be recorded. Addresses that work on the same lock are
// chosen together: a lock is recorded completely or not at all.
func (r *recording) mutable(symbols map[uint64][]analysis.Frame) []uint64 {
	sets := newLockSets(r)
	for i := range r.events {
		sets.event(&r.events[i])
	}
	wall := 1.0
	if n := len(r.events); n > 0 {
		wall = float64(r.events[n-1].ticks - r.events[0].ticks)
	}
	keep := map[uint64]bool{} // by representative of the set
	for pc := range sets.pcs {
		if !inStd(symbols[pc]) {
			keep[sets.find(pc)] = true
		}
	}
	for lock, u := range sets.use {
		if u.held > muteUtilization*wall || u.waited > muteWaiting*wall {
			keep[sets.find(sets.first[lock])] = true
		}
	}
	var out []uint64
	for _, pc := range slices.Sorted(maps.Keys(sets.pcs)) {
		if !keep[sets.find(pc)] {
			out = append(out, pc)
		}
	}
	return out
}

// inStd tells addresses in the standard library. Package sync calls its own
// locks in the name of its caller, which may be the program.
func inStd(frames []analysis.Frame) bool {
	return len(frames) > 0 && frames[0].Std && !strings.HasPrefix(frames[0].Function, "sync.")
}

// lockUse is how long a lock is held and waited for, in ticks.
type lockUse struct{ held, waited float64 }

// lockSets groups the addresses that work on the same locks.
type lockSets struct {
	rec    *recording
	pcs    map[uint64]bool
	parent map[uint64]uint64
	use    map[uint64]*lockUse // by lock
	first  map[uint64]uint64   // lock → an address that works on it
	open   map[uint64]*event   // goroutine → operation begun
	taken  map[[2]uint64]int64 // goroutine, lock → since
}

func newLockSets(r *recording) *lockSets {
	return &lockSets{
		rec: r, pcs: map[uint64]bool{}, parent: map[uint64]uint64{}, use: map[uint64]*lockUse{}, first: map[uint64]uint64{},
		open: map[uint64]*event{}, taken: map[[2]uint64]int64{},
	}
}

// find returns the representative of an address's set.
func (s *lockSets) find(pc uint64) uint64 {
	for {
		p, ok := s.parent[pc]
		if !ok {
			return pc
		}
		if g, ok := s.parent[p]; ok {
			s.parent[pc] = g
		}
		pc = p
	}
}

func (s *lockSets) event(e *event) {
	if e.op < analysis.OpLock || e.op > analysis.OpOnce {
		return
	}
	if e.flags&flagEnd == 0 {
		s.start(e)
		return
	}
	start := s.open[e.goid]
	if start == nil || start.op != e.op {
		return
	}
	delete(s.open, e.goid)
	if wait := e.ticks - start.ticks; wait > waitTicks {
		s.use[e.object].waited += float64(wait)
	}
	switch e.op {
	case analysis.OpLock, analysis.OpRLock, analysis.OpOnce:
		s.taken[[2]uint64{e.goid, e.object}] = e.ticks
	}
}

func (s *lockSets) start(e *event) {
	stack := s.rec.stacks[e.site]
	if len(stack) == 0 {
		return
	}
	pc := stack[0]
	s.pcs[pc] = true
	if first, ok := s.first[e.object]; !ok {
		s.first[e.object] = pc
		s.use[e.object] = &lockUse{}
	} else if a, b := s.find(pc), s.find(first); a != b {
		s.parent[a] = b
	}
	s.open[e.goid] = e
	key := [2]uint64{e.goid, e.object}
	if since, ok := s.taken[key]; ok && (e.op == analysis.OpUnlock || e.op == analysis.OpRUnlock) {
		delete(s.taken, key)
		s.use[e.object].held += float64(e.ticks - since)
	}
}

// waitTicks is how long an operation takes, at least, when it waits: ≈ 2 µs.
const waitTicks = 5000

// encodeMute is the form of a mute list that the probes read.
func encodeMute(pcs []uint64) []byte {
	var b []byte
	for _, pc := range pcs {
		b = binary.LittleEndian.AppendUint64(b, pc)
	}
	return b
}
