package waits

import (
	"cmp"
	"maps"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// markGroupWaits decides what becomes of operations that are neither
// synchronization between threads nor task queues: file and network
// operations, waits for connections, sleeps, channels that a timer sends to. Their CPU time is
// charged as computation. Where their waits matter for the pool's CPU time and waits, of
// which t is the share that a computation must have, the operation stays: as an I/O fragment
// if it waited for requests to a disk, as a delay otherwise. Others go. A select
// that was ended by a timer one time and by another thread the next stays what
// it is: which comes first is for the simulation to find out.
func markGroupWaits(tr *trail.Trail, g *trail.Pool, wake int64, t float64, client func(*trail.Step) bool) (delays int64) {
	nodes := tr.Nodes
	sum := map[*trail.Node]int64{}
	disk := map[*trail.Node]int64{}
	total := int64(0)
	mixed, cached, errands, asked := mixedSelects(g), cached(tr, g, wake), ErrandsOf(tr.Pools), timed(tr, g)
	wait := func(s *trail.Step) int64 {
		if client(s) || cached[s.Node] && !s.Reads() {
			return 0
		}
		if s.Node.Op == trace.OpRest {
			return s.Arg // the simulation knows how much of it is left
		}
		if g.Ticks() || s.Node.Op == trace.OpSleep && s.Arg > 0 && tr.Trace.Runtime.LooksForTimers() {
			return s.Arg // the clock's, not that of a thread that has to wake up
		}
		if set := asked.set(s); set != nil {
			return max(set.At+set.For-s.Start, 0)
		}
		return max(0, s.Blocked(wake)-errands.Late(s))
	}
	waits := func(s *trail.Step) bool {
		switch s.Node.Class {
		case core.IOFragment, core.DelayFragment:
			return s.Node.Virtual == ""
		case core.InFragment:
			return s.Lock == nil && s.Node.Op == trace.OpAccept // clients are no part of the model
		case core.SyncFragment:
			return s.Lock != nil && s.Lock.Timer && !mixed[s.Node]
		default:
			return false
		}
	}
	for _, q := range g.Sequences {
		for i := range q.Steps {
			s := &q.Steps[i]
			total += s.Gap
			if waits(s) {
				sum[s.Node] += wait(s)
				total += wait(s)
				disk[s.Node] += diskTime(tr, s)
			}
		}
	}
	answers := func(s *trail.Step) bool {
		return s.Node.Op == trace.OpNetWrite && client(s) || s.Node.Op == trace.OpFileSend && tr.Server
	}
	short, on := insignificantWaits(sum, shareOfWaits*t*float64(total)), readOn(g)
	becomes := func(s *trail.Step, again bool) []trail.Step {
		if short[s.Node] {
			return nil
		}
		if float64(disk[s.Node]) > t*float64(sum[s.Node]) {
			n := s.Node
			if again && on[n] {
				n = nodes.Copy(n, "again", func(of *trail.Node) *trail.Node { return of })
			}
			return []trail.Step{{Node: n, Gap: s.Gap + s.CPU, GapWall: s.GapWall, Start: s.Start, End: s.End, Requests: s.Requests}}
		}
		n, arg := nodes.Virtual("wait", s.Node, core.DelayFragment), s.Arg
		if set := asked.set(s); set != nil {
			n.Timed, n.SetAt, arg = true, trace.UserFrame(trace.FramesAt(tr.Trace.Sites, set.Site)), set.For
		}
		delays += wait(s)
		return []trail.Step{{Node: n, Gap: s.Gap + s.CPU, GapWall: s.GapWall, Start: s.Start, End: s.End, Ready: s.Ready, Wait: wait(s), Arg: arg}}
	}
	for _, q := range g.Sequences {
		files := begun{}
		q.Rewrite(func(i int, s trail.Step) []trail.Step {
			again := files.again(&s)
			switch {
			case !waits(&s):
				return []trail.Step{s}
			case s.Open:
				return nil
			}
			steps := becomes(&s, again)
			if answers(&s) {
				end := trail.Step{Node: nodes.Virtual(trail.Answered, s.Node, core.DispatchFragment), Start: s.End, End: s.End}
				if len(steps) == 0 {
					end.Gap, end.GapWall = s.Gap+s.CPU, s.GapWall+s.Wall()
				}
				steps = append(steps, end)
			}
			return steps
		})
	}
	return delays
}

// Delays decides it for all pools of the model.
func Delays(tr *trail.Trail) {
	wake, client := tr.Trace.Wake(), clients(tr)
	for _, g := range tr.Modelled {
		if tr.Disk != nil {
			tr.DiskWarnings = append(tr.DiskWarnings, steadyCache(g)...)
		}
		tr.Delays += markGroupWaits(tr, g, wake, max(tr.Options.Threshold, 0), client)
	}
}

// cachedShare is the part of the executions of an operation on files that did not wait at all
// from which on it is no disk, nor a file system of another machine, that the others waited for.
// Convention, sensitivity none.
const cachedShare = 0.25

// cached returns the operations of a pool that look files up or read those that the program has
// opened, and find them in memory. A thread is off its core in one of them all the same, for
// many milliseconds where a hundred are in the kernel at a time: others have the cores. That
// is for the simulation to find out.
func cached(tr *trail.Trail, g *trail.Pool, wake int64) map[*trail.Node]bool {
	files := map[uint64]bool{}
	for i := range tr.Trace.Objects {
		if o := &tr.Trace.Objects[i]; o.Kind == "file" && o.Site >= 0 {
			files[o.ID] = true
		}
	}
	all, none := map[*trail.Node]int{}, map[*trail.Node]int{}
	for _, q := range g.Sequences {
		for i := range q.Steps {
			s := &q.Steps[i]
			switch s.Node.Op {
			case trace.OpFileRead, trace.OpReadDir, trace.OpFileClose:
				if !files[s.Object] {
					continue // a pipe: who writes to it lets its readers wait
				}
			case trace.OpOpen, trace.OpStat:
			default:
				continue
			}
			if s.Open || s.Reads() {
				continue
			}
			if all[s.Node]++; s.Blocked(wake) == 0 {
				none[s.Node]++
			}
		}
	}
	found := map[*trail.Node]bool{}
	for n, times := range all {
		found[n] = float64(none[n]) >= cachedShare*float64(times)
	}
	return found
}

// shareOfWaits is the part of the threshold up to which waits are insignificant, all together: unlike
// the time of computations theirs goes nowhere else. With the default threshold that is 1 %.
// Convention, sensitivity slight.
const shareOfWaits = 1. / 3

// insignificantWaits returns the shortest of the waits, in total less than limit, ns.
func insignificantWaits(sum map[*trail.Node]int64, limit float64) map[*trail.Node]bool {
	nodes := slices.SortedFunc(maps.Keys(sum), func(a, b *trail.Node) int {
		return cmp.Or(cmp.Compare(sum[a], sum[b]), cmp.Compare(a.Key, b.Key))
	})
	short, together := map[*trail.Node]bool{}, 0.0
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
func clients(tr *trail.Trail) func(s *trail.Step) bool {
	nobody := func(*trail.Step) bool { return false }
	if !tr.Server {
		return nobody
	}
	made, used := map[uint64]bool{}, map[uint64]bool{}
	for i := range tr.Trace.Threads {
		for _, r := range tr.Trace.Threads[i].Records {
			switch r.Op {
			case trace.OpConnect:
				made[r.Object] = true
			case trace.OpNetRead, trace.OpNetWrite:
				used[r.Object] = true
			}
		}
	}
	for o := range made {
		if !used[o] {
			return nobody
		}
	}
	return func(s *trail.Step) bool {
		return (s.Node.Op == trace.OpNetRead || s.Node.Op == trace.OpNetWrite) && !made[s.Object]
	}
}

// mixedSelects returns the selects of a pool that both timers and other
// threads ended.
func mixedSelects(g *trail.Pool) map[*trail.Node]bool {
	timers, others := map[*trail.Node]bool{}, map[*trail.Node]bool{}
	for _, q := range g.Sequences {
		for i := range q.Steps {
			s := &q.Steps[i]
			switch {
			case s.Node.Op != trace.OpSelect || s.Open || s.Lock == nil:
			case s.Lock.Timer:
				timers[s.Node] = true
			default:
				others[s.Node] = true
			}
		}
	}
	maps.DeleteFunc(timers, func(n *trail.Node, _ bool) bool { return !others[n] })
	return timers
}
