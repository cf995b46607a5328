package ownership

import (
	"cmp"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// A lock may belong to something of which there are many at a time, and which one thread
// works on with the threads that it starts:
//
//	for _, pkg := range packages {
//		go func() {                            // a thread for each package
//			for _, file := range pkg.files {
//				go func() { … pkg.mu.Lock() … }()  // and for each of its files
//			}
//		}()
//	}
//
// No constructor tells, as that of a channel does. But all who use one of these locks
// descend from one thread, and those who use another one from another thread: they belong
// to calls (core.PerCall), and are made when the first of them gets to it.

// life is the time from the first to the last use of an object. Memory is used again, so
// that what has one address may be several objects.
type life struct {
	first, last int64
	threads     []int64
	uses        []trail.Use
}

// birth is the making of an object that no constructor reported.
type birth struct {
	at int64
	of *trail.Resource
}

// makeBefore lets a thread make its locks, each before what it does next.
func makeBefore(q *trail.Sequence, bs []birth, nodes *trail.NodeTable) {
	if len(bs) == 0 {
		return
	}
	q.Rewrite(func(i int, s trail.Step) []trail.Step {
		var by []trail.Step
		for i > 0 && len(bs) > 0 && bs[0].at <= s.Start {
			m := trail.Mark(nodes.Virtual(trail.Made+" "+bs[0].of.ID, s.Node, core.SyncFragment), &s)
			m.Node.Makes, m.Lock = true, bs[0].of
			by, bs = append(by, m), bs[1:]
		}
		return append(by, s)
	})
}

// DropOrphans takes out the makings of locks of which nothing else is left.
func DropOrphans(tr *trail.Trail) {
	tr.CollectUses()
	used := map[*trail.Resource]bool{}
	for _, r := range tr.Resources {
		used[r] = slices.ContainsFunc(r.Uses, func(u trail.Use) bool { return !u.Step().Node.Makes })
	}
	for _, g := range tr.Modelled {
		for _, q := range g.Sequences {
			q.Rewrite(func(_ int, s trail.Step) []trail.Step {
				if s.Node.Makes && !used[s.Lock] {
					return nil
				}
				return []trail.Step{s}
			})
		}
	}
	tr.CollectUses()
}

// Kin knows who started whom.
type Kin struct {
	Threads map[int64]*trace.Thread
	groups  map[int64]*trail.Pool
	Ends    []int64 // of collections, in order
}

// threadTreeLocks finds the locks that belong to what threads do together with those that
// they start, and returns by thread when they make one.
func threadTreeLocks(tr *trail.Trail) map[int64][]birth {
	k := Kin{Threads: map[int64]*trace.Thread{}, groups: trail.ThreadsOf(tr.Pools)}
	for i := range tr.Trace.Threads {
		k.Threads[tr.Trace.Threads[i].ID] = &tr.Trace.Threads[i]
	}
	for _, c := range tr.Trace.GC {
		k.Ends = append(k.Ends, c.End)
	}
	slices.Sort(k.Ends)
	monitors := map[*trail.Resource]bool{}
	for _, r := range tr.Resources {
		if r.Monitor != nil {
			monitors[r.Monitor] = true
		}
	}
	births := map[int64][]birth{}
	for _, r := range tr.Resources {
		if r.Kind != core.Mutex && r.Kind != core.RWLock || monitors[r] || r.Together < 2 || r.Scope == core.PerThread {
			continue
		}
		found := k.owners(r)
		if found == nil {
			continue
		}
		r.Scope = core.PerCall
		for id, ats := range found {
			for _, at := range ats {
				births[id] = append(births[id], birth{at, r})
			}
		}
	}
	for _, bs := range births {
		slices.SortStableFunc(bs, func(x, y birth) int { return cmp.Compare(x.at, y.at) })
	}
	return births
}

// owners returns the threads to which the lives of r's objects belong, with the times at
// which each first has one; nil: they do not belong to any, or to main.
func (k *Kin) owners(r *trail.Resource) map[int64][]int64 {
	lives := k.LivesOf(r)
	var of *trail.Pool
	for _, l := range lives {
		if len(l.threads) < 2 {
			continue
		}
		g := k.groups[k.ancestor(l.threads)]
		if g == nil || g.Kind == trail.PoolMain || g.Kind == trail.PoolPerConnection || of != nil && g != of {
			return nil
		}
		of = g
	}
	if of == nil {
		return nil
	}
	owned := map[int64][]*life{}
	for _, l := range lives {
		id := k.in(of, l.threads[0])
		if id == 0 || slices.ContainsFunc(l.threads, func(t int64) bool { return k.in(of, t) != id }) {
			return nil
		}
		owned[id] = append(owned[id], l)
	}
	begins := map[int64][]int64{}
	for id, ls := range owned {
		slices.SortFunc(ls, func(x, y *life) int { return cmp.Compare(x.first, y.first) })
		for i, l := range ls {
			begin := k.begin(l, id)
			if i > 0 && begin <= ls[i-1].last {
				return nil // several at a time
			}
			begins[id] = append(begins[id], begin)
		}
	}
	return begins
}

// LivesOf splits the uses of every object where all who have used it are gone and a
// collection has freed what they had.
func (k *Kin) LivesOf(r *trail.Resource) []*life {
	uses := map[uint64][]trail.Use{}
	for _, u := range r.Uses {
		uses[u.Step().Object] = append(uses[u.Step().Object], u)
	}
	var lives []*life
	for _, o := range r.Objects {
		us := uses[o.ID]
		slices.SortStableFunc(us, func(x, y trail.Use) int { return cmp.Compare(x.Step().Start, y.Step().Start) })
		var l *life
		for _, u := range us {
			s := u.Step()
			if l == nil || k.gone(l, s.Start) {
				l = &life{first: s.Start}
				lives = append(lives, l)
			}
			if id := u.Sequence.Thread.ID; !slices.Contains(l.threads, id) {
				l.threads = append(l.threads, id)
			}
			l.last = max(l.last, s.End)
			l.uses = append(l.uses, u)
		}
	}
	return lives
}

// gone reports whether nobody can have an object any more at a time.
func (k *Kin) gone(l *life, at int64) bool {
	i, _ := slices.BinarySearch(k.Ends, l.last)
	if i == len(k.Ends) || k.Ends[i] > at {
		return false
	}
	return !slices.ContainsFunc(l.threads, func(id int64) bool {
		th := k.Threads[id]
		return th.Ended == 0 || th.Ended > at
	})
}

// line returns a thread with those from which it descends, main last.
func (k *Kin) line(id int64) (ids []int64) {
	for th := k.Threads[id]; th != nil && len(ids) <= len(k.Threads); th = k.Threads[th.Parent] {
		ids = append(ids, th.ID)
	}
	return ids
}

// ancestor returns the nearest thread from which all descend, one of them perhaps; 0: none.
func (k *Kin) ancestor(ids []int64) int64 {
	common := k.line(ids[0])
	for _, id := range ids[1:] {
		line := k.line(id)
		common = slices.DeleteFunc(common, func(a int64) bool { return !slices.Contains(line, a) })
	}
	if len(common) == 0 {
		return 0
	}
	return common[0]
}

// in returns the thread of a pool from which a thread descends, or which it is; 0: none.
func (k *Kin) in(g *trail.Pool, id int64) int64 {
	for _, a := range k.line(id) {
		if k.groups[a] == g {
			return a
		}
	}
	return 0
}

// begin returns when the owner of an object first uses it or starts a thread whose
// descendants do.
func (k *Kin) begin(l *life, owner int64) int64 {
	first := l.first
	for _, id := range l.threads {
		for _, a := range k.line(id) {
			if th := k.Threads[a]; th.Parent == owner {
				first = min(first, th.Born)
			}
		}
	}
	return first
}

// ThreadTreeLocks lets threads make such locks.
func ThreadTreeLocks(tr *trail.Trail) {
	births := threadTreeLocks(tr)
	for _, g := range tr.Modelled {
		for _, q := range g.Sequences {
			makeBefore(q, births[q.Thread.ID], tr.Nodes)
		}
	}
}
