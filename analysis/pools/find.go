package pools

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// GroupThreads groups the threads of a run by the user part of the creation
// stack and the start function. The tuples of Tarvo & Reiss 2014, §4.1 need
// many samples of every thread and fall apart for short-lived ones; the place
// of creation is exact. Frames of the standard library are left out, so that
// wrappers such as (*sync.WaitGroup).Go do not decide.
func GroupThreads(t *trace.Trace, facts *trace.Facts) []*trail.Pool {
	byKey := map[string]*trail.Pool{}
	known := spawnsOf(facts)
	tree := recursions(t, known)
	byThread := map[int64]*trail.Pool{}
	var gs []*trail.Pool
	for i := range t.Threads {
		th := &t.Threads[i]
		key := GroupKey(t, th)
		at := birthplace(t, th, known)
		if tree[at] != "" {
			key = tree[at]
		}
		g := byKey[key]
		if g == nil {
			g = &trail.Pool{Start: th.Start, Created: th.Creator, Tree: tree[at] != ""}
			if th.Creator >= 0 {
				g.Place = trace.UserFrame(t.Sites[th.Creator].Frames)
			}
			byKey[key] = g
			gs = append(gs, g)
		}
		g.Threads = append(g.Threads, th)
		byThread[th.ID] = g
	}
	for _, g := range gs {
		g.MaxAlive = maxAlive(g.Threads, t.End)
		votes := map[*trail.Pool]int{}
		for _, th := range g.Threads {
			if p := byThread[th.Parent]; p != nil && p != g {
				votes[p]++
				if g.Parent == nil || votes[p] > votes[g.Parent] {
					g.Parent = p
				}
			}
		}
	}
	streams := map[uint64]bool{} // and executors, which are given tasks of the program
	for _, o := range t.Objects {
		streams[o.ID] = o.Kind == trace.Stream || o.Kind == "executor"
	}
	for _, g := range gs {
		g.Kind = classify(t, g, streams)
		if g.Function = programFunction(t, g); g.Kind == trail.PoolMain {
			g.Function = g.Start
		}
	}
	nameGroups(gs)
	return gs
}

// birthplace is the go statement or thread constructor that started a thread, or the call
// of a wrapper of one, whoever called the function that it is in; "" of threads that no
// thread of the program started.
func birthplace(t *trace.Trace, th *trace.Thread, known spawns) string {
	if th.System || th.Creator < 0 || int(th.Creator) >= len(t.Sites) {
		return ""
	}
	frames := t.Sites[th.Creator].Frames
	at := trace.UserFrame(frames)
	if w := known.wrappers(frames); len(w) > 0 {
		at = w[len(w)-1]
	}
	return th.Start + "\x00" + trace.Place(at)
}

// recursions returns the birthplaces of threads that descend from threads of the
// same place, as those of a recursive function, with a name for the tree that they
// grow in: a function that starts a thread for each half of its work has two
// places, and the threads of each descend from those of the other. A function
// that starts threads which execute it has one, or as many as the compiler made
// copies of it. All of a tree are one pool however deep they were started.
func recursions(t *trace.Trace, known spawns) map[string]string {
	born, starts := map[int64]string{}, map[int64]string{}
	for i := range t.Threads {
		born[t.Threads[i].ID], starts[t.Threads[i].ID] = birthplace(t, &t.Threads[i], known), t.Threads[i].Start
	}
	children := map[string]map[string]bool{}
	var places []string // in order
	for i := range t.Threads {
		at, by := born[t.Threads[i].ID], born[t.Threads[i].Parent]
		if at == "" || by == "" {
			continue
		}
		if children[by] == nil {
			children[by] = map[string]bool{}
			places = append(places, by)
		}
		children[by][at] = true
	}
	for i := range t.Threads {
		at, by := born[t.Threads[i].ID], born[t.Threads[i].Parent]
		if at != "" && by != "" && starts[t.Threads[i].Parent] == t.Threads[i].Start && startedByProgram(t, &t.Threads[i], known) {
			children[by][by] = true
			if children[at] == nil {
				children[at] = map[string]bool{}
				places = append(places, at)
			}
			children[at][by] = true
		}
	}
	descend := map[string]map[string]bool{}
	for _, at := range places {
		descend[at] = descendants(children, at)
	}
	tree := map[string]string{}
	for _, at := range places {
		for _, first := range places {
			if descend[at][first] && descend[first][at] {
				tree[at] = first
				break
			}
		}
	}
	return tree
}

// startedByProgram reports whether the program itself started a thread, with a function of its own: those that a library
// or a wrapper starts all begin with the same one.
func startedByProgram(t *trace.Trace, th *trace.Thread, known spawns) bool {
	frames := t.Sites[th.Creator].Frames
	return len(frames) > 0 && !frames[0].Std && len(known.wrappers(frames)) == 0
}

// descendants returns the places whose threads descend from those of one place.
func descendants(children map[string]map[string]bool, of string) map[string]bool {
	found := map[string]bool{}
	for todo := []string{of}; len(todo) > 0; todo = todo[1:] {
		for at := range children[todo[0]] {
			if !found[at] {
				found[at] = true
				todo = append(todo, at)
			}
		}
	}
	return found
}

// GroupKey is equal for threads of one pool: who started them, where, in which calling context.
func GroupKey(t *trace.Trace, th *trace.Thread) string {
	if th.System {
		return "system\x00" + th.Start
	}
	if th.Creator < 0 || int(th.Creator) >= len(t.Sites) {
		return "root\x00" + th.Start
	}
	var user []trace.Frame
	for _, f := range t.Sites[th.Creator].Frames {
		if !f.Std {
			user = append(user, f)
		}
	}
	at := ""
	if len(user) > 0 {
		at = trace.Place(user[0])
	}
	return strings.Join(append([]string{th.Start, at}, trail.CallingContext(user, trail.EveryFunction)...), "\x00")
}

// maxAlive is the largest number of threads alive at one moment.
func maxAlive(threads []*trace.Thread, end int64) int {
	var cs []trace.Change
	for _, th := range threads {
		died := th.Ended
		if died == 0 {
			died = max(end, th.Born) + 1
		}
		cs = append(cs, trace.Change{At: th.Born, By: +1}, trace.Change{At: died, By: -1})
	}
	_, most := trace.Running(cs, true)
	return most
}

// burstShare is the share of full generations by which a pool that is renewed
// in every step of an algorithm is told from threads per task. Convention, sensitivity none.
const burstShare = 0.9

func classify(t *trace.Trace, g *trail.Pool, streams map[uint64]bool) string {
	th := g.Threads[0]
	switch {
	case th.System:
		return trail.PoolRuntime
	case g.Created < 0 && g.Parent == nil && len(g.Threads) == 1:
		return trail.PoolMain
	case g.Created >= 0 && startedByTimer(t, g.Created):
		return trail.PoolTimer
	case g.Created >= 0 && onlyStd(t, g, streams):
		return trail.PoolHelper
	case g.Parent != nil && startedByAccepts(g):
		return trail.PoolPerConnection
	case g.Tree:
		return trail.PoolPerTask
	case len(g.Threads) == g.MaxAlive || bornInBursts(g):
		return trail.PoolFixed
	}
	return trail.PoolPerTask
}

// onlyStd reports whether a pool was started by library code, for itself, and
// runs nothing else: no probe hit has a frame of the program in its stack, and it
// carries nothing between threads of the program.
func onlyStd(t *trace.Trace, g *trail.Pool, streams map[uint64]bool) bool {
	fs := t.Sites[g.Created].Frames
	if starter(t, g) != "" {
		fs = fs[1:]
	}
	if len(fs) == 0 || !fs[0].Std {
		return false
	}
	for _, th := range g.Threads {
		for _, r := range th.Records {
			if streams[r.Object] {
				return false
			}
			if r.Site < 0 || int(r.Site) >= len(t.Sites) {
				continue
			}
			for _, f := range t.Sites[r.Site].Frames {
				if !f.Std {
					return false
				}
			}
		}
	}
	return true
}

// starter is the function of the library that started the threads of a pool for
// its caller; "" if none did.
func starter(t *trace.Trace, g *trail.Pool) string {
	if g.Created < 0 {
		return ""
	}
	if fs := t.Sites[g.Created].Frames; len(fs) > 0 && slices.Contains(t.Runtime.Starters, fs[0].Function) {
		return fs[0].Function
	}
	return ""
}

// startedByAccepts reports whether every thread of the pool was started
// after another connection was accepted.
func startedByAccepts(g *trail.Pool) bool {
	member := map[uint64]bool{}
	for _, th := range g.Threads {
		member[uint64(th.ID)] = true
	}
	for _, th := range g.Parent.Threads {
		accepted := false
		for i := range th.Records {
			r := &th.Records[i]
			switch {
			case r.Op == trace.OpAccept && r.End:
				accepted = true
			case r.Op == trace.OpSpawn && member[r.Value]:
				if !accepted {
					return false
				}
				accepted = false
			}
		}
	}
	return true
}

func startedByTimer(t *trace.Trace, site int32) bool {
	start := t.Runtime.TimerStart
	return start != "" && slices.ContainsFunc(t.Sites[site].Frames, func(f trace.Frame) bool { return f.Function == start })
}

// bornInBursts reports whether the pool is a pool that is renewed as a whole
// again and again: when a generation is born the last one has done its work,
// and the generations are equally large. The pool is then as large as they.
func bornInBursts(g *trail.Pool) bool {
	generations := generationsOf(g)
	if len(generations) < 2 {
		return false
	}
	times := map[int]int{}
	size := 0
	for _, n := range generations {
		if times[n]++; times[n] > times[size] {
			size = n
		}
	}
	full := times[size]
	if size < 2 || float64(full) < burstShare*float64(len(generations)) {
		return false
	}
	g.MaxAlive = size
	return true
}

// generationsOf splits the threads, in order of birth, where all earlier ones
// are finished, and returns the sizes.
func generationsOf(g *trail.Pool) []int {
	ths := slices.Clone(g.Threads)
	slices.SortStableFunc(ths, func(a, b *trace.Thread) int { return cmp.Compare(a.Born, b.Born) })
	var sizes []int
	n, last := 0, int64(0)
	for _, th := range ths {
		if n > 0 && last != 0 && th.Born >= last {
			sizes = append(sizes, n)
			n, last = 0, 0
		}
		n++
		last = max(last, finished(th))
	}
	return append(sizes, n)
}

// finished is when a thread began its last operation, by which it tells
// others that it is done. What it does afterwards to end may overlap with the
// next generation.
func finished(th *trace.Thread) int64 {
	if th.Ended == 0 {
		return 1<<63 - 1
	}
	for i := len(th.Records) - 1; i >= 0; i-- {
		if r := &th.Records[i]; !r.End && r.Op != trace.OpThreadEnd && r.Op != trace.OpThreadBegin {
			return r.Time
		}
	}
	return th.Ended
}

// nameGroups gives every pool a short unique name: the start function without its package path. Pools with the same one are told apart
// by what the program calls their threads, or else by where they are started.
func nameGroups(gs []*trail.Pool) {
	bases, given := make([]string, len(gs)), make([]string, len(gs))
	shared := map[string][]string{} // what their threads are called, by base
	for i, g := range gs {
		bases[i] = trace.ShortFunction(g.Function)
		if bases[i] == "" {
			bases[i] = "thread"
			if g.Kind == trail.PoolMain {
				bases[i] = "main"
			}
		}
		given[i] = givenName(g)
		shared[bases[i]] = append(shared[bases[i]], given[i])
	}
	used := map[string]int{}
	for i, g := range gs {
		tell := slices.ContainsFunc(shared[bases[i]], func(other string) bool { return other != given[i] })
		if tell && given[i] != "" && shared[given[i]] == nil {
			g.Given, g.Name = given[i], trail.Numbered(used, given[i])
			continue
		}
		name := bases[i]
		for n := 1; used[name] > 0; n++ {
			if name = fmt.Sprintf("%s@%d", bases[i], g.Place.Line); n > 1 {
				name = fmt.Sprintf("%s #%d", name, n)
			}
		}
		used[name]++
		g.Name = name
	}
}

// givenName is what the program calls all threads of a pool, but for their numbers; "": nothing, or they have names of the run-time system.
func givenName(g *trail.Pool) (name string) {
	for i, t := range g.Threads {
		own := strings.TrimRight(t.Name, "0123456789-_# ")
		if own == "" || own == "Thread" || runtimeName.MatchString(own) || i > 0 && own != name {
			return ""
		}
		name = own
	}
	return name
}

// runtimeName matches what Java calls the threads of pools to which the program gives no names.
var runtimeName = regexp.MustCompile(`^(pool|ForkJoinPool)-\d+-(thread|worker)$|^ForkJoinPool\.commonPool-worker$`)

// programFunction returns the outermost function of the program on the stacks
// of a pool: where a wrapper such as (*sync.WaitGroup).Go starts the thread,
// the function that was passed to it, or, if no probe of a thread tells that, the one
// that called the wrapper. A thread that stands for others does what the function does in which these are.
func programFunction(t *trace.Trace, g *trail.Pool) string {
	if g.StandsIn() {
		return g.Place.Function
	}
	start := g.Start
	if s := starter(t, g); s != "" && strings.HasPrefix(start, s) {
		start = cmp.Or(g.Place.Function, start)
	}
	return cmp.Or(outermost(t, g, func(f trace.Frame) bool { return !f.Std && f.Function != trace.Closure }), start)
}

// outermost returns the outermost function of a kind on the stacks of a pool, ""
// if there is none.
func outermost(t *trace.Trace, g *trail.Pool, is func(trace.Frame) bool) string {
	for _, th := range g.Threads {
		for _, r := range th.Records {
			for _, f := range slices.Backward(trace.FramesAt(t.Sites, r.Site)) {
				if is(f) {
					return f.Function
				}
			}
		}
	}
	return ""
}
