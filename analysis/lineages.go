package analysis

import (
	"cmp"
	"slices"

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
	uses        []use
}

// birth is the making of an object that no constructor reported.
type birth struct {
	at int64
	of *resource
}

// makeBefore lets a thread make its locks, each before what it does next.
func (q *sequence) makeBefore(bs []birth, nodes *nodeTable) {
	if len(bs) == 0 {
		return
	}
	q.rewrite(func(i int, s step) []step {
		var by []step
		for i > 0 && len(bs) > 0 && bs[0].at <= s.start {
			m := mark(nodes.virtual(made+" "+bs[0].of.id, s.node, core.SyncFragment), &s)
			m.node.makes, m.lock = true, bs[0].of
			by, bs = append(by, m), bs[1:]
		}
		return append(by, s)
	})
}

// dropOrphans takes out the makings of locks of which nothing else is left.
func (b *build) dropOrphans() {
	b.collectUses()
	used := map[*resource]bool{}
	for _, r := range b.resources {
		used[r] = slices.ContainsFunc(r.uses, func(u use) bool { return !u.of().node.makes })
	}
	for _, g := range b.modelled {
		for _, q := range g.seqs {
			q.rewrite(func(_ int, s step) []step {
				if s.node.makes && !used[s.lock] {
					return nil
				}
				return []step{s}
			})
		}
	}
	b.collectUses()
}

// kin knows who started whom.
type kin struct {
	threads map[int64]*Thread
	groups  map[int64]*group
	ends    []int64 // of collections, in order
}

// findLineages finds the locks that belong to what threads do together with those that
// they start, and returns by thread when they make one.
func (b *build) findLineages() map[int64][]birth {
	k := kin{threads: map[int64]*Thread{}, groups: threadsOf(b.groups)}
	for i := range b.t.Threads {
		k.threads[b.t.Threads[i].ID] = &b.t.Threads[i]
	}
	for _, c := range b.t.GC {
		k.ends = append(k.ends, c.End)
	}
	slices.Sort(k.ends)
	monitors := map[*resource]bool{}
	for _, r := range b.resources {
		if r.monitor != nil {
			monitors[r.monitor] = true
		}
	}
	births := map[int64][]birth{}
	for _, r := range b.resources {
		if r.kind != core.Mutex && r.kind != core.RWLock || monitors[r] || r.together < 2 || r.scope == core.PerThread {
			continue
		}
		found := k.owners(r)
		if found == nil {
			continue
		}
		r.scope = core.PerCall
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
func (k *kin) owners(r *resource) map[int64][]int64 {
	lives := k.livesOf(r)
	var of *group
	for _, l := range lives {
		if len(l.threads) < 2 {
			continue
		}
		g := k.groups[k.ancestor(l.threads)]
		if g == nil || g.kind == GroupMain || g.kind == GroupConnection || of != nil && g != of {
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

// livesOf splits the uses of every object where all who have used it are gone and a
// collection has freed what they had.
func (k *kin) livesOf(r *resource) []*life {
	uses := map[uint64][]use{}
	for _, u := range r.uses {
		uses[u.of().object] = append(uses[u.of().object], u)
	}
	var lives []*life
	for _, o := range r.objects {
		us := uses[o.id]
		slices.SortStableFunc(us, func(x, y use) int { return cmp.Compare(x.of().start, y.of().start) })
		var l *life
		for _, u := range us {
			s := u.of()
			if l == nil || k.gone(l, s.start) {
				l = &life{first: s.start}
				lives = append(lives, l)
			}
			if id := u.seq.thread.ID; !slices.Contains(l.threads, id) {
				l.threads = append(l.threads, id)
			}
			l.last = max(l.last, s.end)
			l.uses = append(l.uses, u)
		}
	}
	return lives
}

// gone reports whether nobody can have an object any more at a time.
func (k *kin) gone(l *life, at int64) bool {
	i, _ := slices.BinarySearch(k.ends, l.last)
	if i == len(k.ends) || k.ends[i] > at {
		return false
	}
	return !slices.ContainsFunc(l.threads, func(id int64) bool {
		th := k.threads[id]
		return th.Ended == 0 || th.Ended > at
	})
}

// line returns a thread with those from which it descends, main last.
func (k *kin) line(id int64) (ids []int64) {
	for th := k.threads[id]; th != nil && len(ids) <= len(k.threads); th = k.threads[th.Parent] {
		ids = append(ids, th.ID)
	}
	return ids
}

// ancestor returns the nearest thread from which all descend, one of them perhaps; 0: none.
func (k *kin) ancestor(ids []int64) int64 {
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

// in returns the thread of a group from which a thread descends, or which it is; 0: none.
func (k *kin) in(g *group, id int64) int64 {
	for _, a := range k.line(id) {
		if k.groups[a] == g {
			return a
		}
	}
	return 0
}

// begin returns when the owner of an object first uses it or starts a thread whose
// descendants do.
func (k *kin) begin(l *life, owner int64) int64 {
	first := l.first
	for _, id := range l.threads {
		for _, a := range k.line(id) {
			if th := k.threads[a]; th.Parent == owner {
				first = min(first, th.Born)
			}
		}
	}
	return first
}

// makeLineages lets threads make such locks.
func (b *build) makeLineages() {
	births := b.findLineages()
	for _, g := range b.modelled {
		for _, q := range g.seqs {
			q.makeBefore(births[q.thread.ID], b.nodes)
		}
	}
}
