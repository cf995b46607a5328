package resource

// Join lets threads wait until the threads of one pool have ended:
// pthread_join, Thread.join, and a WaitGroup around go statements. Await waits
// for the children that the caller itself has started, AwaitAll for everybody's.
type Join struct {
	tab    *Table
	family []kin // by thread
	alive  int
	own    list
	all    list
}

// kin is what a Join knows of one thread, as a parent and as a child.
type kin struct {
	children int32  // alive
	life     uint32 // of the thread index, which a simulator may use again
	parent   Thread
	of       uint32 // life of the parent when it started this child
}

// NewJoin returns a Join of a pool without threads.
func NewJoin(tab *Table) *Join { return &Join{tab: tab, own: newList(), all: newList()} }

// Start says that parent has started child, a thread of the pool. The parent
// is NoThread for a thread that exists from the start.
func (j *Join) Start(parent, child Thread) {
	for int(max(parent, child)) >= len(j.family) {
		j.family = append(j.family, kin{parent: NoThread})
	}
	j.alive++
	c := &j.family[child]
	c.parent = parent
	if parent != NoThread {
		p := &j.family[parent]
		p.children++
		c.of = p.life
	}
}

// End says that child, started before, has ended.
func (j *Join) End(child Thread) {
	j.alive--
	if t := j.family[child].parent; t != NoThread && j.family[t].life == j.family[child].of {
		p := &j.family[t]
		p.children--
		if p.children == 0 && j.tab.remove(&j.own, t) {
			j.tab.grant(t)
		}
	}
	if j.alive == 0 {
		j.tab.finishAll(&j.all, Granted)
	}
}

// Forget says that the index of a thread that has ended may name a new one,
// which does not inherit the children.
func (j *Join) Forget(t Thread) {
	if int(t) < len(j.family) {
		j.family[t].children = 0
		j.family[t].life++
	}
}

// Call waits, if there is anything to wait for.
func (j *Join) Call(t Thread, op Op, n int32) Outcome {
	o := j.Try(t, op, n)
	if o != Failed {
		return o
	}
	if op == Await {
		j.tab.pushBack(&j.own, t)
	} else {
		j.tab.pushBack(&j.all, t)
	}
	return Blocked
}

// Try asks whether all have ended.
func (j *Join) Try(t Thread, op Op, n int32) Outcome {
	var left int
	switch op {
	case Await:
		if int(t) < len(j.family) {
			left = int(j.family[t].children)
		}
	case AwaitAll:
		left = j.alive
	default:
		return Unsupported
	}
	if left > 0 {
		return Failed
	}
	return Granted
}

// Retry panics: a join never wakes a thread to compete.
func (j *Join) Retry(Thread) Outcome { panic("resource: retry on a join") }

// Cancel ends the wait of t.
func (j *Join) Cancel(t Thread) Outcome {
	if !j.tab.remove(&j.own, t) {
		j.tab.remove(&j.all, t)
	}
	return Failed
}

// Waiting is the number of threads that wait for others to end.
func (j *Join) Waiting() int { return j.own.len + j.all.len }

// Held is the number of threads of the pool that are alive.
func (j *Join) Held() int { return j.alive }

// Holders yields nobody: the simulator knows the pool.
func (j *Join) Holders(func(Thread) bool) {}
