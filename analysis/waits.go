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

// markWaits decides what becomes of operations that are neither
// synchronization between threads nor task queues: file and network
// operations, waits for connections, sleeps, and channels that a timer sends to. Their CPU time is
// charged as computation. Where their waits matter for the group's CPU time and waits, of
// which t is the share that a computation must have, the operation stays: as an I/O fragment
// if it waited for requests to a disk, as a delay otherwise. Others go. A select
// that was ended by a timer one time and by another thread the next stays what
// it is: which comes first is for the simulation to find out.
func (b *build) markWaits(g *group, wake int64, t float64, client func(*step) bool) (delays int64) {
	nodes := b.nodes
	sum := map[*node]int64{}
	disk := map[*node]int64{}
	total := int64(0)
	mixed := mixedSelects(g)
	wait := func(s *step) int64 {
		if client(s) {
			return 0
		}
		if g.ticks() {
			return s.arg // the clock's, not that of a thread that has to wake up
		}
		return s.blocked(wake)
	}
	waits := func(s *step) bool {
		switch s.node.class {
		case core.IOFragment, core.DelayFragment:
			return s.node.virtual == ""
		case core.InFragment:
			return s.lock == nil && s.node.op == OpAccept // clients are no part of the model
		case core.SyncFragment:
			return s.lock != nil && s.lock.timer && !mixed[s.node]
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
