package simulation

import (
	"tierscope/core"
	"tierscope/simulation/variate"
)

// cacheDef is a cache of the model: how often its objects are asked for, the most popular first.
type cacheDef struct {
	core.Cache
	popularity variate.Alias
}

// cacheState is a cache at run time: its objects in a ring by when they were last asked for, the last one after the head,
// which is number Items.
type cacheState struct {
	after, before []int32 // none: the object is not there
	free          int     // objects that still fit
	lookups, hits int64
}

// makeCaches begins with the most popular objects, which is what a cache has most of in the long run.
func (r *replica) makeCaches() {
	r.caches = make([]cacheState, len(r.program.caches))
	for i := range r.caches {
		def, c := &r.program.caches[i], &r.caches[i]
		head := int32(def.Items)
		c.after, c.before = make([]int32, def.Items+1), make([]int32, def.Items+1)
		for k := range c.after {
			c.after[k] = none
		}
		c.after[head], c.before[head], c.free = head, head, def.Size
		for k := int32(min(def.Size, def.Items)) - 1; k >= 0; k-- {
			c.bring(k)
		}
	}
}

// ask reports whether a cache has an object, which it has then.
func (c *cacheState) ask(object int32) (hit bool) {
	c.lookups++
	if c.after[object] == none {
		c.bring(object)
		return false
	}
	c.hits++
	c.drop(object)
	c.insert(object)
	return true
}

// bring puts an object in, in the place of the one that was asked for the longest ago.
func (c *cacheState) bring(object int32) {
	if c.free > 0 {
		c.free--
	} else {
		c.drop(c.before[len(c.before)-1])
	}
	c.insert(object)
}

func (c *cacheState) insert(object int32) {
	head := int32(len(c.after) - 1)
	first := c.after[head]
	c.after[object], c.before[object] = first, head
	c.before[first], c.after[head] = object, object
}

func (c *cacheState) drop(object int32) {
	after, before := c.after[object], c.before[object]
	c.after[before], c.before[after] = after, before
	c.after[object] = none
}

// lookup is the successor of a lookup in a cache: the first target after a hit, else the second.
func (r *replica) lookup(f *fragment) int32 {
	object := r.program.caches[f.cache].popularity.Draw(&r.random[f.stream])
	if r.caches[f.cache].ask(object) {
		return f.targets[0]
	}
	return f.targets[1]
}

func (r *replica) restartCaches() {
	for i := range r.caches {
		r.caches[i].lookups, r.caches[i].hits = 0, 0
	}
}

func (r *replica) tallyCaches(t *tallies) {
	for i := range r.caches {
		t.add("H", "cache/"+r.program.caches[i].ID, "mean", "1", float64(r.caches[i].hits), float64(r.caches[i].lookups))
	}
}

// compileCaches must come before the fragments that use them.
func (c *compiler) compileCaches() {
	at := order(c.ids.caches)
	c.cacheAt = inverse(at, 0)
	for _, i := range at {
		x := c.m.Caches[i]
		c.caches = append(c.caches, cacheDef{x, variate.NewAlias(x.Popularity())})
	}
}

// compileLookup gives a fragment the successors of a hit and a miss.
func (c *compiler) compileLookup(f *fragment, src *core.Fragment, local func(string) int32) {
	f.cache = c.cacheAt[c.ix.caches[src.Lookup.Cache]]
	hit, miss := src.Next[0].To, src.Next[1].To
	if hit != src.Lookup.Hit {
		hit, miss = miss, hit
	}
	f.targets = []int32{local(hit), local(miss)}
	f.next = f.targets[0]
}
