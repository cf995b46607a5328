package simulation

import (
	"slices"

	"tierscope/core"
)

// Threads of a pool may have a channel each, which they close when they have sent all:
//
//	for s := range sources { out := make(chan item); go func() { defer close(out); … out <- x … }(); outs = append(outs, out) }
//
// In a model these are one, that is closed when the last of the threads has closed it. So what each thread of a pool closes
// on every way through its graph is closed by the last of those that were started. Otherwise the first of them would close
// it under the others. What one thread of a pool closes, and the others do not, is closed once, however many here do what that one did.

// findClosers finds the pools each of whose threads closes a queue or channel.
func (c *compiler) findClosers() {
	for at := range c.fragments {
		f := &c.fragments[at]
		if !c.closes(int32(at)) {
			continue
		}
		o := &c.objects[f.object]
		if o.scope != "" && o.scope != core.PerProgram || o.stripes > 1 {
			continue
		}
		for p := range c.pools {
			if pool := int32(p); c.pools[p].graph == f.graph && !slices.Contains(o.closers, pool) && c.alwaysCloses(c.graphs[f.graph].entry, f.object) {
				o.closers = append(o.closers, pool)
			}
		}
	}
}

// alwaysCloses reports whether no thread that begins at a fragment comes to its end without closing an object.
func (c *compiler) alwaysCloses(from, object int32) bool {
	seen := map[int32]bool{from: true}
	for todo := []int32{from}; len(todo) > 0; todo = todo[1:] {
		f := &c.fragments[todo[0]]
		if c.closes(todo[0]) && f.object == object {
			continue
		}
		next := f.successors()
		if len(next) == 0 {
			return false
		}
		for _, to := range next {
			if !seen[to] {
				seen[to] = true
				todo = append(todo, to)
			}
		}
	}
	return true
}

// othersClose counts a close, and reports whether it is another thread's: one that has yet to close the object too, or one that has
// done it for those of its pool.
func (r *replica) othersClose(th *thread, f *fragment) bool {
	def, o := &r.program.objects[f.object], &r.objects[f.object]
	if r.closesItsOwn(th) {
		return false
	}
	if !slices.Contains(def.closers, th.pool) {
		done := o.closedBy == th.pool+1 && r.pools[th.pool].begun > 1 && !scoped(def.scope) && def.stripes == 1
		o.closedBy = th.pool + 1
		return done
	}
	o.closes++
	begun := int64(0)
	for _, p := range def.closers {
		begun += r.pools[p].begun
	}
	return o.closes < begun
}
