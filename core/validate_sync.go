package core

import (
	"fmt"
	"slices"
)

func (c *graphChecker) sync(where string, f *Fragment) {
	s := f.Sync
	if !one(c.checker, where, "sync: op", s.Op, syncOps...) {
		return
	}
	c.law(where, "sync: timeout_s", s.Timeout, false)
	if !s.Timeout.IsZero() && !s.Op.blocks() {
		c.add(where, "sync: timeout_s is given but %q never waits; remove it", s.Op)
	}
	if s.N < 0 {
		c.add(where, "sync: n is %d; give at least 1", s.N)
	}
	c.law(where, "sync: permits", s.Permits, false)
	if !s.Permits.IsZero() && s.N != 0 {
		c.add(where, "sync: both n and permits are given; remove one")
	}
	c.earlier(where+": sync", s.Lock, s.Earlier)
	if s.OnTimeout != "" {
		c.refers(where, "sync: on_timeout", s.OnTimeout, "fragment", c.fragments)
		if s.Timeout.IsZero() && s.Op != Do {
			c.add(where, "sync: on_timeout is given without timeout_s; give a timeout, constant 0 for a try")
		}
	}
	if s.Op == Select {
		c.selects(where, f)
		return
	}
	if len(s.Cases) > 0 || s.Default != "" {
		c.add(where, "sync: cases or default are given but op is %q; remove them or use op %q", s.Op, Select)
	}
	if s.Op == Make {
		c.makes(where, s)
		return
	}
	if _, isQueue := c.queues[s.Lock]; isQueue && s.Op == Close {
		c.use(s.Lock, Close)
		return
	}
	if !c.refers(where, "sync: lock", s.Lock, "lock", c.locks) {
		return
	}
	lock := &c.m.Locks[c.locks[s.Lock]]
	kind, known := lockKinds[lock.Kind]
	if !known {
		return // reported with the lock
	}
	if !slices.Contains(kind.ops, s.Op) {
		c.add(where, "sync: lock %q is of kind %q, which has no operation %q; use one of %s", s.Lock, lock.Kind, s.Op, quoteAll(kind.ops))
		return
	}
	c.use(s.Lock, s.Op)
	counted := s.Op.counts() && !lock.Kind.Exclusive()
	if s.N > 1 && !counted {
		c.add(where, "sync: n is %d but %q of a lock of kind %q counts one; remove it", s.N, s.Op, lock.Kind)
	}
	if !s.Permits.IsZero() && !lock.Kind.Rationed() {
		c.add(where, "sync: permits are given but lock %q is of kind %q; remove them or use a %q", s.Lock, lock.Kind, Semaphore)
	}
	if lock.Kind.Rationed() && s.Op == Enter && s.N > lock.Permits && !c.released(s.Lock) {
		c.add(where, "sync: n is %d but semaphore %q has only %d permits and nobody adds any; lower n or raise permits", s.N, s.Lock, lock.Permits)
	}
	c.monitor(where, s, lock)
}

// makes checks that what a call makes anew belongs to the call.
func (c *graphChecker) makes(where string, s *Sync) {
	if !c.refers(where, "sync: lock", s.Lock, "lock or queue", c.locks, c.queues) {
		return
	}
	if c.scope(s.Lock) != PerCall {
		c.add(where, "sync: op is %q but %q is not of scope %q; set its scope or remove the fragment", Make, s.Lock, PerCall)
	}
}

// scope is that of a lock or queue.
func (c *graphChecker) scope(id string) Scope {
	if i, isLock := c.locks[id]; isLock {
		return c.m.Locks[i].Scope
	}
	if i, isQueue := c.queues[id]; isQueue {
		return c.m.Queues[i].Scope
	}
	return PerProgram
}

// earlier checks that there are several of which an operation uses an earlier one.
func (c *graphChecker) earlier(where, lock string, n int) {
	switch {
	case n == 0:
	case n < 0:
		c.add(where, "earlier is %d; give a number ≥ 0", n)
	case c.scope(lock) != PerCall:
		c.add(where, "earlier is given but %q is not of scope %q, so that there is only one; remove it", lock, PerCall)
	}
}

// released reports whether any fragment releases the lock.
func (c *checker) released(lock string) bool {
	for i := range c.m.Graphs {
		for j := range c.m.Graphs[i].Fragments {
			if s := c.m.Graphs[i].Fragments[j].Sync; s != nil && s.Lock == lock && s.Op == Exit {
				return true
			}
		}
	}
	return false
}

func (c *graphChecker) monitor(where string, s *Sync, lock *Lock) {
	switch {
	case s.Op == Wait && lock.Kind.OfAnother():
		if !c.refers(where, "sync: monitor", s.Monitor, "lock", c.locks) {
			return
		}
		if kind := c.m.Locks[c.locks[s.Monitor]].Kind; !kind.Exclusive() {
			c.add(where, "sync: monitor %q is of kind %q; a condition variable releases one of %s", s.Monitor, kind, quoteAll(kindsThat(LockKind.Exclusive)))
		}
	case s.Monitor != "":
		c.add(where, "sync: monitor is given but only %q on a lock of kind %q releases one; remove it", Wait, Condition)
	}
}

func (c *graphChecker) selects(where string, f *Fragment) {
	s := f.Sync
	if s.Lock != "" {
		c.add(where, "sync: lock is given but op is %q; name the locks in cases", Select)
	}
	if len(s.Cases) == 0 && s.Default == "" {
		c.add(where, "sync: cases is empty, so that the thread would block for ever; give at least one case")
	}
	if s.Default != "" {
		c.refers(where, "sync: default", s.Default, "fragment", c.fragments)
		if !s.Timeout.IsZero() {
			c.add(where, "sync: both default and timeout_s are given, but a select with default never waits; remove one")
		}
	}
	if len(f.Next) > 0 && s.Timeout.IsZero() {
		c.add(where, "next is given but the cases of a select name their own successors; remove next")
	}
	for i, k := range s.Cases {
		at := fmt.Sprintf("%s: sync: cases[%d]", where, i)
		c.refers(at, "to", k.To, "fragment", c.fragments)
		if k.Closed != "" {
			c.refers(at, "closed", k.Closed, "fragment", c.fragments)
			if k.Op != Receive {
				c.add(at, "closed is given but op is %q; only a %q notices that a channel is closed", k.Op, Receive)
			}
		}
		if !one(c.checker, at, "op", k.Op, Send, Receive) || !c.refers(at, "lock", k.Lock, "lock or queue", c.locks, c.queues) {
			continue
		}
		c.use(k.Lock, k.Op)
		c.earlier(at, k.Lock, k.Earlier)
		if j, isLock := c.locks[k.Lock]; isLock {
			if kind := c.m.Locks[j].Kind; !kind.Does(k.Op) {
				c.add(at, "lock %q is of kind %q; select communicates over a queue or one of %s", k.Lock, kind, quoteAll(kindsThat(func(k LockKind) bool { return k.Does(Send) })))
			}
		}
	}
}

// use counts an operation on a lock or queue.
func (c *checker) use(lock string, op SyncOp) {
	if c.uses[lock] == nil {
		c.uses[lock] = map[SyncOp]int{}
	}
	c.uses[lock][op]++
}

// pairing reports locks whose operations cannot belong together: taken and
// never given back, waited for and never signalled.
func (c *checker) pairing() {
	for i := range c.m.Locks {
		l := &c.m.Locks[i]
		uses := c.uses[l.ID]
		where := fmt.Sprintf("lock %q", l.ID)
		has := func(op SyncOp) bool { return uses[op] > 0 }
		if l.Kind.Exclusive() {
			for _, pair := range [][2]SyncOp{{Enter, Exit}, {EnterRead, ExitRead}} {
				switch {
				case has(pair[0]) && !has(pair[1]):
					c.add(where, "is taken by %q and never released; add a fragment with %q", pair[0], pair[1])
				case has(pair[1]) && !has(pair[0]):
					c.add(where, "is released by %q and never taken; add a fragment with %q", pair[1], pair[0])
				}
			}
		}
		if hangs := lockKinds[l.Kind].hangs; hangs != nil {
			if why := hangs(l, has); why != "" {
				c.add(where, "%s", why)
			}
		}
	}
}

var syncOps = []SyncOp{Enter, Exit, EnterRead, ExitRead, Await, Arrive, Register, Leave, CountDown, Add, Wait, Notify,
	NotifyAll, Do, Done, Send, Receive, Close, Select, ParkOp, Unpark, Exchange, Make}
