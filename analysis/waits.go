package analysis

import (
	"cmp"
	"maps"
	"slices"

	"tierscope/core"
)

// slack is the time in ns that an operation may take without having waited:
// probes, a cache miss, a clock read.
const slack = 2_000

// oversleep is how much longer than it asked for a thread sleeps on a core that
// has nothing else to do, in ns: the timer slack of Linux is 50 µs. What is more
// it was waiting for a core, which is for the simulation to find out.
const oversleep = 100_000

// blocked returns how long a step waited off the core for something outside
// the model: a device, the network, a timer. What was recorded ends when the
// thread runs again; the simulated CPU charges that wake-up itself, so its mean,
// wake ns, is taken off. A stay off the core that is nearer to none than to a
// wake-up was none: another program had the core.
func (s *step) blocked(wake int64) int64 {
	off := s.off
	if s.node.op == OpSleep && s.arg > 0 {
		off = min(off, s.arg+oversleep)
	}
	if off < max(slack, wake/2) {
		return 0
	}
	return max(off-wake, 1)
}

// markGroupWaits decides what becomes of operations that are neither
// synchronization between threads nor task queues: file and network
// operations, waits for connections, sleeps, channels that a timer sends to, and strangers'
// conditions. Their CPU time is
// charged as computation. Where their waits matter for the group's CPU time and waits, of
// which t is the share that a computation must have, the operation stays: as an I/O fragment
// if it waited for requests to a disk, as a delay otherwise. Others go. A select
// that was ended by a timer one time and by another thread the next stays what
// it is: which comes first is for the simulation to find out.
func (b *build) markGroupWaits(g *group, wake int64, t float64, client func(*step) bool) (delays int64) {
	nodes := b.nodes
	sum := map[*node]int64{}
	disk := map[*node]int64{}
	total := int64(0)
	mixed, cached, errands := mixedSelects(g), b.cached(g, wake), errandsOf(b.groups)
	wait := func(s *step) int64 {
		if client(s) || cached[s.node] && !s.reads() {
			return 0
		}
		if s.node.op == OpRest {
			return s.arg // the simulation knows how much of it is left
		}
		if g.ticks() {
			return s.arg // the clock's, not that of a thread that has to wake up
		}
		return max(0, s.blocked(wake)-errands.late(s))
	}
	waits := func(s *step) bool {
		switch s.node.class {
		case core.IOFragment, core.DelayFragment:
			return s.node.virtual == ""
		case core.InFragment:
			return s.lock == nil && s.node.op == OpAccept // clients are no part of the model
		case core.SyncFragment:
			return s.lock != nil && (s.lock.timer && !mixed[s.node] || s.node.op == OpCondWait && s.lock.foreign)
		default:
			return false
		}
	}
	for _, q := range g.seqs {
		for i := range q.steps {
			s := &q.steps[i]
			total += s.gap
			if waits(s) {
				sum[s.node] += wait(s)
				total += wait(s)
				disk[s.node] += b.diskTime(s)
			}
		}
	}
	short := insignificantWaits(sum, shareOfWaits*t*float64(total))
	for _, q := range g.seqs {
		q.rewrite(func(i int, s step) []step {
			if !waits(&s) {
				return []step{s}
			}
			if short[s.node] || s.open {
				return nil
			}
			if float64(disk[s.node]) > t*float64(sum[s.node]) {
				return []step{{node: s.node, gap: s.gap + s.cpu, gapWall: s.gapWall, start: s.start, end: s.end, requests: s.requests}}
			}
			n := nodes.virtual("wait", s.node, core.DelayFragment)
			delays += wait(&s)
			return []step{{node: n, gap: s.gap + s.cpu, gapWall: s.gapWall, start: s.start, end: s.end, ready: s.ready, wait: wait(&s)}}
		})
	}
	return delays
}

// markWaits decides it for all groups of the model.
func (b *build) markWaits() {
	wake, client := b.t.wake(), b.clients()
	for _, g := range b.modelled {
		if b.disk != nil {
			b.diskWarnings = append(b.diskWarnings, steadyCache(g)...)
		}
		b.delays += b.markGroupWaits(g, wake, max(b.opt.Threshold, 0), client)
	}
	b.collectUses()
}

// errands are what helpers tell others, by the object that they tell it through.
type errands map[uint64][]errand

type errand struct {
	thread *Thread
	told   int64 // ns: when
}

// errandsOf finds them. Who waits for a helper, such as the thread of os/exec that reads what a child
// writes, waits for the world outside; but not while the helper itself could go on and had no core.
func errandsOf(gs []*group) errands {
	found := errands{}
	for _, g := range gs {
		if g.kind != GroupHelper {
			continue
		}
		for _, q := range g.seqs {
			for i := range q.steps {
				switch s := &q.steps[i]; s.node.op {
				case OpSend, OpTrySend, OpClose, OpSignal, OpBroadcast:
					found[s.object] = append(found[s.object], errand{q.thread, s.start})
				}
			}
		}
	}
	return found
}

// late is how long the helper that ended a wait was ready without a core meanwhile, ns.
func (e errands) late(s *step) (ns int64) {
	for _, x := range e[s.object] {
		if x.told >= s.start && x.told <= s.end {
			ns += min(x.thread.readyUntil(x.told)-x.thread.readyUntil(s.start), x.told-s.start)
		}
	}
	return ns
}

// readyUntil is how long a thread was ready without a core before its last record up to a time.
func (th *Thread) readyUntil(at int64) int64 {
	n, _ := slices.BinarySearchFunc(th.Records, at, func(r Record, at int64) int {
		return cmp.Or(cmp.Compare(r.Time, at), -1) // at the same time: before
	})
	if n == 0 {
		return 0
	}
	return th.Records[n-1].Ready
}

// cachedShare is the part of the executions of an operation on files that did not wait at all
// from which on it is no disk, nor a file system of another machine, that the others waited for.
const cachedShare = 0.25

// cached returns the operations of a group that look files up or read those that the program has
// opened, and find them in memory. A thread is off its core in one of them all the same, for
// many milliseconds where a hundred are in the kernel at a time: others have the cores. That
// is for the simulation to find out.
func (b *build) cached(g *group, wake int64) map[*node]bool {
	files := map[uint64]bool{}
	for i := range b.t.Objects {
		if o := &b.t.Objects[i]; o.Kind == "file" && o.Site >= 0 {
			files[o.ID] = true
		}
	}
	all, none := map[*node]int{}, map[*node]int{}
	for _, q := range g.seqs {
		for i := range q.steps {
			s := &q.steps[i]
			switch s.node.op {
			case OpFileRead, OpReadDir, OpFileClose:
				if !files[s.object] {
					continue // a pipe: who writes to it lets its readers wait
				}
			case OpOpen, OpStat:
			default:
				continue
			}
			if s.open || s.reads() {
				continue
			}
			if all[s.node]++; s.blocked(wake) == 0 {
				none[s.node]++
			}
		}
	}
	found := map[*node]bool{}
	for n, times := range all {
		found[n] = float64(none[n]) >= cachedShare*float64(times)
	}
	return found
}

// reads reports whether an operation had to do with a disk.
func (s *step) reads() bool { return s.read > 0 || len(s.requests) > 0 }

// shareOfWaits is the part of the threshold up to which waits are insignificant, all together: unlike
// the time of computations theirs goes nowhere else. With the default threshold that is 1 %.
const shareOfWaits = 1. / 3

// insignificantWaits returns the shortest of the waits, in total less than limit, ns.
func insignificantWaits(sum map[*node]int64, limit float64) map[*node]bool {
	nodes := slices.SortedFunc(maps.Keys(sum), func(a, b *node) int {
		return cmp.Or(cmp.Compare(sum[a], sum[b]), cmp.Compare(a.key, b.key))
	})
	short, together := map[*node]bool{}, 0.0
	for _, n := range nodes {
		if together += float64(sum[n]); together >= limit {
			break
		}
		short[n] = true
	}
	return short
}

// clients returns what tells whether a step waits for a client: in a server, at
// a connection that the program did not make itself. How long a client takes to
// send its request, or to fetch the answer, is no property of the program; in a run
// under load it is mostly the load generator's wait for a core. If the program made
// connections of which nothing tells what was read from them, no step is known to.
func (b *build) clients() func(s *step) bool {
	nobody := func(*step) bool { return false }
	if !b.server {
		return nobody
	}
	made, used := map[uint64]bool{}, map[uint64]bool{}
	for i := range b.t.Threads {
		for _, r := range b.t.Threads[i].Records {
			switch r.Op {
			case OpConnect:
				made[r.Object] = true
			case OpNetRead, OpNetWrite:
				used[r.Object] = true
			}
		}
	}
	for o := range made {
		if !used[o] {
			return nobody
		}
	}
	return func(s *step) bool { return (s.node.op == OpNetRead || s.node.op == OpNetWrite) && !made[s.object] }
}

// mixedSelects returns the selects of a group that both timers and other
// threads ended.
func mixedSelects(g *group) map[*node]bool {
	timers, others := map[*node]bool{}, map[*node]bool{}
	for _, q := range g.seqs {
		for i := range q.steps {
			s := &q.steps[i]
			switch {
			case s.node.op != OpSelect || s.open || s.lock == nil:
			case s.lock.timer:
				timers[s.node] = true
			default:
				others[s.node] = true
			}
		}
	}
	maps.DeleteFunc(timers, func(n *node, _ bool) bool { return !others[n] })
	return timers
}
