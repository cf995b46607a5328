package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Kinds of thread groups.
const (
	GroupMain       = "main"           // the program's first thread
	GroupFixed      = "fixed"          // a pool: all its threads live together
	GroupPerTask    = "per_task"       // short-lived threads, one for each piece of work
	GroupConnection = "per_connection" // one for each connection that an accept loop gets
	GroupHelper     = "helper"         // does something for an operation of its parent: runs library code only
	GroupTimer      = "timer"          // started by a timer
	GroupRuntime    = "runtime"        // belongs to the run-time system
)

// group is a set of threads with the same function: born at the same place of
// the program and started with the same function.
type group struct {
	name     string
	kind     string
	start    string
	function string // start, or the program's function that a start in a library calls
	created  int32  // site of creation, −1: unknown
	place    Frame  // of the go statement or thread constructor, or of what wraps it (wrappers.go)
	threads  []*Thread
	seqs     []*sequence // in the order of threads
	maxAlive int
	parent   *group // of most of its threads; nil for main
	burst    int    // so many are always started together; 0: it varies
	lazy     bool   // a thread is started when there is work for it, until there are enough
	tree     bool   // its threads start threads of the same group
}

// size is how many threads one statement starts, or else how many there were at
// once.
func (g *group) size() int {
	if g.burst > 0 {
		return g.burst
	}
	return g.maxAlive
}

// groupThreads groups the threads of a run by the user part of the creation
// stack and the start function. The tuples of Tarvo & Reiss 2014, §4.1 need
// many samples of every thread and fall apart for short-lived ones; the place
// of creation is exact. Frames of the standard library are left out, so that
// wrappers such as (*sync.WaitGroup).Go do not decide.
func groupThreads(t *Trace, facts *Facts) []*group {
	byKey := map[string]*group{}
	known := spawnsOf(facts)
	tree := recursions(t, known)
	byThread := map[int64]*group{}
	var gs []*group
	for i := range t.Threads {
		th := &t.Threads[i]
		key := groupKey(t, th)
		at := birthplace(t, th, known)
		if tree[at] != "" {
			key = tree[at]
		}
		g := byKey[key]
		if g == nil {
			g = &group{start: th.Start, created: th.Creator, tree: tree[at] != ""}
			if th.Creator >= 0 {
				g.place = userFrame(t.Sites[th.Creator].Frames)
			}
			byKey[key] = g
			gs = append(gs, g)
		}
		g.threads = append(g.threads, th)
		byThread[th.ID] = g
	}
	for _, g := range gs {
		g.maxAlive = maxAlive(g.threads, t.End)
		votes := map[*group]int{}
		for _, th := range g.threads {
			if p := byThread[th.Parent]; p != nil && p != g {
				votes[p]++
				if g.parent == nil || votes[p] > votes[g.parent] {
					g.parent = p
				}
			}
		}
	}
	for _, g := range gs {
		g.kind = classify(t, g)
		if g.function = programFunction(t, g); g.kind == GroupMain {
			g.function = g.start
		}
	}
	nameGroups(gs)
	return gs
}

// birthplace is the go statement or thread constructor that started a thread, or the call
// of a wrapper of one, whoever called the function that it is in; "" of threads that no
// thread of the program started.
func birthplace(t *Trace, th *Thread, known spawns) string {
	if th.System || th.Creator < 0 || int(th.Creator) >= len(t.Sites) {
		return ""
	}
	frames := t.Sites[th.Creator].Frames
	at := userFrame(frames)
	if w := known.wrappers(frames); len(w) > 0 {
		at = w[len(w)-1]
	}
	return th.Start + "\x00" + place(at)
}

// recursions returns the birthplaces of threads that descend from threads of the
// same place, as those of a recursive function, with a name for the tree that they
// grow in: a function that starts a thread for each half of its work has two
// places, and the threads of each descend from those of the other. All of a tree
// are one group however deep they were started.
func recursions(t *Trace, known spawns) map[string]string {
	born := map[int64]string{}
	for i := range t.Threads {
		born[t.Threads[i].ID] = birthplace(t, &t.Threads[i], known)
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

func groupKey(t *Trace, th *Thread) string {
	if th.System {
		return "system\x00" + th.Start
	}
	if th.Creator < 0 || int(th.Creator) >= len(t.Sites) {
		return "root\x00" + th.Start
	}
	var user []Frame
	for _, f := range t.Sites[th.Creator].Frames {
		if !f.Std {
			user = append(user, f)
		}
	}
	at := ""
	if len(user) > 0 {
		at = place(user[0])
	}
	return strings.Join(append([]string{th.Start, at}, callingContext(user, EveryFunction)...), "\x00")
}

// maxAlive is the largest number of threads alive at one moment.
func maxAlive(threads []*Thread, end int64) int {
	type change struct {
		at int64
		by int
	}
	var cs []change
	for _, th := range threads {
		died := th.Ended
		if died == 0 {
			died = max(end, th.Born) + 1
		}
		cs = append(cs, change{th.Born, +1}, change{died, -1})
	}
	slices.SortFunc(cs, func(a, b change) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.by, b.by)) })
	alive, most := 0, 0
	for _, c := range cs {
		alive += c.by
		most = max(most, alive)
	}
	return most
}

// burstShare is the share of full generations by which a pool that is renewed
// in every step of an algorithm is told from threads per task.
const burstShare = 0.9

func classify(t *Trace, g *group) string {
	th := g.threads[0]
	switch {
	case th.System:
		return GroupRuntime
	case g.created < 0 && g.parent == nil && len(g.threads) == 1:
		return GroupMain
	case g.created >= 0 && startedByTimer(t.Sites[g.created].Frames):
		return GroupTimer
	case g.created >= 0 && onlyStd(t, g):
		return GroupHelper
	case g.parent != nil && startedByAccepts(g):
		return GroupConnection
	case g.tree:
		return GroupPerTask
	case len(g.threads) == g.maxAlive || bornInBursts(g):
		return GroupFixed
	}
	return GroupPerTask
}

// onlyStd reports whether a group was started by library code and runs
// nothing else: no probe hit has a frame of the program in its stack.
func onlyStd(t *Trace, g *group) bool {
	if fs := t.Sites[g.created].Frames; len(fs) == 0 || !fs[0].Std {
		return false
	}
	for _, th := range g.threads {
		for _, r := range th.Records {
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

// startedByAccepts reports whether every thread of the group was started
// after another connection was accepted.
func startedByAccepts(g *group) bool {
	member := map[uint64]bool{}
	for _, th := range g.threads {
		member[uint64(th.ID)] = true
	}
	for _, th := range g.parent.threads {
		accepted := false
		for i := range th.Records {
			r := &th.Records[i]
			switch {
			case r.Op == OpAccept && r.End:
				accepted = true
			case r.Op == OpSpawn && member[r.Value]:
				if !accepted {
					return false
				}
				accepted = false
			}
		}
	}
	return true
}

func startedByTimer(frames []Frame) bool {
	for _, f := range frames {
		if f.Function == "time.goFunc" {
			return true
		}
	}
	return false
}

// bornInBursts reports whether the group is a pool that is renewed as a whole
// again and again: when a generation is born the last one has done its work,
// and the generations are equally large. The pool is then as large as they.
func bornInBursts(g *group) bool {
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
	g.maxAlive = size
	return true
}

// generationsOf splits the threads, in order of birth, where all earlier ones
// are finished, and returns the sizes.
func generationsOf(g *group) []int {
	ths := slices.Clone(g.threads)
	slices.SortStableFunc(ths, func(a, b *Thread) int { return cmp.Compare(a.Born, b.Born) })
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
func finished(th *Thread) int64 {
	if th.Ended == 0 {
		return 1<<63 - 1
	}
	for i := len(th.Records) - 1; i >= 0; i-- {
		if r := &th.Records[i]; !r.End && r.Op != OpThreadEnd && r.Op != OpThreadBegin {
			return r.Time
		}
	}
	return th.Ended
}

// nameGroups gives every group a short unique name: the start function
// without its package path.
func nameGroups(gs []*group) {
	used := map[string]bool{}
	for _, g := range gs {
		name := shortFunction(g.function)
		if g.kind == GroupMain && name == "" {
			name = "main"
		}
		if name == "" {
			name = "thread"
		}
		// Pools with the same function are told apart by where they are started.
		for base, n := name, 1; used[name]; n++ {
			if name = fmt.Sprintf("%s@%d", base, g.place.Line); n > 1 {
				name = fmt.Sprintf("%s #%d", name, n)
			}
		}
		used[name] = true
		g.name = name
	}
}

// programFunction returns the outermost function of the program on the stacks
// of a group: where a wrapper such as (*sync.WaitGroup).Go starts the thread,
// the function that was passed to it.
func programFunction(t *Trace, g *group) string {
	return cmp.Or(outermost(t, g, func(f Frame) bool { return !f.Std }), g.start)
}

// outermost returns the outermost function of a kind on the stacks of a group, ""
// if there is none.
func outermost(t *Trace, g *group, is func(Frame) bool) string {
	for _, th := range g.threads {
		for _, r := range th.Records {
			for _, f := range slices.Backward(framesAt(t.Sites, r.Site)) {
				if is(f) {
					return f.Function
				}
			}
		}
	}
	return ""
}

// shortFunction returns the function without package path and, for package
// main, without "main.".
func shortFunction(f string) string {
	f = f[strings.LastIndexByte(f, '/')+1:]
	if s := strings.TrimPrefix(f, "main."); s != "" {
		f = s
	}
	return f
}
