package golang

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tierscope/analysis/trace"
)

// Which operations are not worth recording: those on locks inside the standard
// library that nobody waits for and that are held for next to nothing. They
// are many (a small HTTP request takes some thirty) and would be most of the
// overhead, but no configuration makes them matter. Locks of the program and
// its dependencies are recorded, unless that would cost too much: of those that
// nobody waits for, the ones that are used most often are left out then, such as
// that of a deque which mostly its owner uses.
const (
	muteUtilization = 0.01 // of the run: share of time that a lock is held
	muteWaiting     = 1e-3 // of the run: share of time that goroutines wait for it
	mutePressed     = 0.1  // like muteUtilization, of the program's own. Theory: only ten times as many threads would have to wait for it
	dear            = 0.1  // share of the CPU time that recording may cost. Convention: what other errors of a prediction are
	recordCost      = 1e-7 // s. Measured: 57 ns, and as much again for caches (the overhead of programs with 10⁶ records a second)
)

// mutable chooses from a recording the return addresses, as offsets, whose
// operations need not be recorded. Addresses that work on the same lock are
// chosen together: a lock is recorded completely or not at all.
func (r *recording) mutable(symbols map[uint64][]trace.Frame) []uint64 {
	sets := newLockSets(r)
	collected := r.collected()
	for i := range r.events {
		if len(collected) > 0 && r.events[i].ticks > collected[0] {
			// only now may an address have become another lock
			collected = collected[1:]
			clear(sets.first)
			clear(sets.owner)
		}
		sets.event(&r.events[i])
	}
	all := sets.together(r.wall())
	for pc := range sets.pcs {
		if !inStd(symbols[pc]) {
			all[sets.find(pc)].own = true
		}
	}
	tooMany := int(float64(len(r.events)) - dear*r.threadTime()/recordCost)
	var own []*together
	for _, u := range all {
		if u.muted = !u.own && u.waited <= muteWaiting && u.held <= muteUtilization; u.muted {
			tooMany -= trace.RecordsOf(int(u.operations))
		}
		if u.own && !u.signals && u.waited <= muteWaiting && u.held <= mutePressed {
			own = append(own, u)
		}
	}
	slices.SortFunc(own, func(a, b *together) int {
		return cmp.Or(cmp.Compare(b.operations, a.operations), cmp.Compare(a.root, b.root))
	})
	for _, u := range own {
		if tooMany <= 0 || u.operations < lasting { // what is used seldom costs nothing, and may be what everybody waits for once
			break
		}
		u.muted = true
		tooMany -= trace.RecordsOf(int(u.operations))
	}
	var out []uint64
	for _, pc := range slices.Sorted(maps.Keys(sets.pcs)) {
		if all[sets.find(pc)].muted {
			out = append(out, pc)
		}
	}
	return out
}

// wall is how long the recording is, in ns.
func (r *recording) wall() float64 {
	if n := len(r.events); n > 0 {
		return max(float64(r.events[n-1].ticks-r.events[0].ticks)*r.tick(), 1)
	}
	return 1
}

// together is what was seen of the locks that the same addresses work on.
type together struct {
	root         uint64
	held, waited float64 // share of the run, of the lock where that is most
	operations   int32
	own          bool // the program's, not only the standard library's
	signals      bool // a condition belongs to it
	muted        bool
}

// together sums up, by representative, what was seen in a run of so many ns.
func (s *lockSets) together(wall float64) map[uint64]*together {
	all := map[uint64]*together{}
	for pc := range s.pcs {
		root := s.find(pc)
		if all[root] == nil {
			all[root] = &together{root: root}
		}
		all[root].signals = all[root].signals || s.conditions[pc]
	}
	brief := map[uint64]*lockUse{} // locks that live for a request or so, together
	for lock, u := range s.use {
		x := all[s.find(s.address[lock])]
		x.operations += u.operations()
		if u.operations() >= lasting {
			x.waited = max(x.waited, usual(&u.waited)/wall)
			if u.excludes() {
				x.held = max(x.held, usual(&u.held)/wall)
			}
			continue
		}
		if brief[x.root] == nil {
			brief[x.root] = &lockUse{}
		}
		brief[x.root].add(u)
	}
	for root, u := range brief {
		all[root].waited = max(all[root].waited, usual(&u.waited)/wall)
	}
	return all
}

// callers lists the return addresses of the operations, which mutable asks for.
func (r *recording) callers() []uint64 {
	pcs := map[uint64]bool{}
	for _, stack := range r.stacks {
		if len(stack) > 0 {
			pcs[stack[0]] = true
		}
	}
	return slices.Sorted(maps.Keys(pcs))
}

// collected returns when the collections ended, in ticks, in order.
func (r *recording) collected() []int64 {
	var ends []int64
	for _, c := range r.cycles {
		ends = append(ends, int64(float64(int64(c[1])-r.nano)/r.tick()))
	}
	slices.Sort(ends)
	return ends
}

// inStd tells addresses in the standard library. Package sync calls its own
// locks in the name of its caller, which may be the program.
func inStd(frames []trace.Frame) bool {
	return len(frames) > 0 && frames[0].Std && !strings.HasPrefix(frames[0].Function, "sync.")
}

// lockUse is how long a lock is held and waited for, a count for each power of
// two of ns.
type lockUse struct {
	held, waited [48]int32
	exclusive    int32 // operations that nobody may share
	shared       bool  // by several goroutines
}

// rareShare of the longest times do not count, and never the longest one: a
// goroutine loses its P now and then, also while it holds a lock.
const rareShare = 0.01

// lasting is how many operations a lock sees, at least, that lives long.
const lasting = 100

func (u *lockUse) operations() (n int32) {
	for _, k := range u.waited {
		n += k
	}
	return n
}

// excludes reports whether holding the lock keeps others out: not where it belongs to
// one goroutine, such as that of a file that is parsed, and not where it is hardly ever
// taken for writing, such as that of the environment.
func (u *lockUse) excludes() bool {
	return u.shared && float64(u.exclusive) > rareShare*float64(u.operations())
}

func (u *lockUse) add(v *lockUse) {
	for i := range u.held {
		u.held[i] += v.held[i]
		u.waited[i] += v.waited[i]
	}
	u.exclusive += v.exclusive
}

// usual is the sum of the times without the rare ones, in ns.
func usual(h *[48]int32) float64 {
	n := int32(0)
	for _, k := range h {
		n += k
	}
	left := n - max(1, int32(math.Ceil(rareShare*float64(n))))
	sum := 0.0
	for i, k := range h {
		k = min(k, left)
		if k <= 0 {
			continue
		}
		left -= k
		if i > 0 {
			sum += float64(k) * 0.75 * float64(int64(1)<<i) // the middle of 2ⁱ⁻¹ … 2ⁱ
		}
	}
	return sum
}

func count(h *[48]int32, ns float64) { h[min(bits.Len64(uint64(max(ns, 0))), len(h)-1)]++ }

// lockSets groups the addresses that work on the same locks.
type lockSets struct {
	rec     *recording
	pcs     map[uint64]bool
	parent  map[uint64]uint64
	use     map[uint64]*lockUse // by lock
	first   map[uint64]uint64   // lock → the address that worked on it first since the last collection
	address map[uint64]uint64   // lock → one that worked on it
	owner   map[uint64]uint64   // lock → the goroutine that used it first since the last collection
	threads map[uint64]*account // by goroutine

	conditions map[uint64]bool // addresses that wait for or signal a condition
}

// account is what a goroutine has used so far, and what it has begun.
type account struct {
	sys, ready int64 // ticks
	open       *event
	began      int64            // ready ticks at open
	taken      map[uint64]stamp // by lock
}

// stamp is a moment in the life of a goroutine, by three clocks.
type stamp struct {
	ticks, cpu, sys, ready int64
}

func newLockSets(r *recording) *lockSets {
	return &lockSets{rec: r, pcs: map[uint64]bool{}, parent: map[uint64]uint64{}, use: map[uint64]*lockUse{}, first: map[uint64]uint64{}, address: map[uint64]uint64{}, owner: map[uint64]uint64{}, threads: map[uint64]*account{}, conditions: map[uint64]bool{}}
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

// join says that an address works on a lock.
func (s *lockSets) join(pc, lock uint64) {
	if first, ok := s.first[lock]; !ok {
		s.first[lock] = pc
		s.address[lock] = pc
		if s.use[lock] == nil {
			s.use[lock] = &lockUse{}
		}
	} else if a, b := s.find(pc), s.find(first); a != b {
		s.parent[a] = b
	}
}

func (s *lockSets) event(e *event) {
	t := s.threads[e.goid]
	if t == nil {
		t = &account{taken: map[uint64]stamp{}}
		s.threads[e.goid] = t
	}
	if e.sys >= 0 {
		t.sys, t.ready = e.sys, e.ready
	}
	if (e.op < trace.OpLock || e.op > trace.OpOnce) && e.op != trace.OpCount {
		return
	}
	if e.flags&flagEnd == 0 {
		s.start(t, e)
	} else if t.open != nil && t.open.op == e.op {
		s.end(t, e)
	}
}

func (s *lockSets) start(t *account, e *event) {
	stack := s.rec.stacks[e.site]
	if len(stack) == 0 {
		return
	}
	s.pcs[stack[0]] = true
	s.join(stack[0], e.object)
	t.open, t.began = e, t.ready
	if owner, known := s.owner[e.object]; !known {
		s.owner[e.object] = e.goid
	} else if owner != e.goid {
		s.use[e.object].shared = true
	}
	if e.op != trace.OpRLock && e.op != trace.OpRUnlock {
		s.use[e.object].exclusive++
	}
	switch e.op {
	case trace.OpUnlock, trace.OpRUnlock:
		s.release(t, e, e.object)
	case trace.OpSignal, trace.OpBroadcast:
		s.conditions[stack[0]] = true
	case trace.OpCondWait: // a condition and its lock go together
		s.conditions[stack[0]] = true
		s.join(stack[0], uint64(e.arg))
		s.release(t, e, uint64(e.arg))
	}
}

// end: a goroutine that waited was made ready; one that the kernel took off
// its core in the middle of the operation was not.
func (s *lockSets) end(t *account, e *event) {
	start := t.open
	t.open = nil
	wait := 0.0
	if t.ready > t.began {
		wait = float64(e.ticks-start.ticks) * s.rec.tick()
	}
	count(&s.use[e.object].waited, wait)
	now := stamp{e.ticks, e.cpu, t.sys, t.ready}
	switch e.op {
	case trace.OpLock, trace.OpRLock, trace.OpOnce:
		t.taken[e.object] = now
	case trace.OpCondWait:
		t.taken[uint64(start.arg)] = now
	}
}

// release adds the time that the goroutine held the lock: what it used, not
// what others on the machine did meanwhile, unless it waited for something.
func (s *lockSets) release(t *account, e *event, lock uint64) {
	since, ok := t.taken[lock]
	if !ok {
		return
	}
	delete(t.taken, lock)
	held := float64(e.cpu-since.cpu) + float64(t.sys-since.sys)*s.rec.tick()
	if t.ready > since.ready {
		held = float64(e.ticks-since.ticks) * s.rec.tick()
	}
	count(&s.use[lock].held, held)
}

// encodeMute is the form of a mute list that the probes read.
func encodeMute(pcs []uint64) []byte {
	var b []byte
	for _, pc := range pcs {
		b = binary.LittleEndian.AppendUint64(b, pc)
	}
	return b
}

// readMute reads the mute list of a folder; nil if there is none.
func readMute(dir string) (pcs []uint64, err error) {
	b, err := os.ReadFile(filepath.Join(dir, muteFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("mute list: %w", err)
	}
	for ; len(b) >= 8; b = b[8:] {
		pcs = append(pcs, binary.LittleEndian.Uint64(b))
	}
	return pcs, nil
}

// unrecorded says which places of the program itself are on a mute list; nothing if there are none.
func unrecorded(muted []uint64, symbols map[uint64][]trace.Frame) []string {
	var places []string
	for _, pc := range muted {
		if f := symbols[pc]; len(f) > 0 && !inStd(f) {
			places = append(places, trace.Place(f[0]))
		}
	}
	if len(places) == 0 {
		return nil
	}
	slices.Sort(places)
	return []string{fmt.Sprintf("%d places where locks or atomic counters are used are not recorded, such as %s: it happens very often and hardly anybody waits there", len(places), places[0])}
}
