package analysis

// The passes over the records of a trace: each puts records in the place of others, and leaves
// the trace that it is given as it is.

func (b *build) childrenCompute() {
	b.assumeChildren()
	b.t = childrenCompute(b.t)
}

func (b *build) sharedTickers() { b.t = sharedTickers(b.t) }

func (b *build) onceCalls() { b.t = onceCalls(b.t) }

func (b *build) polledPermits() {
	t, told := polledPermits(b.t)
	b.t = t
	b.assumed = append(b.assumed, told...)
}

func (b *build) counterQueues() { b.t = counterQueues(b.t) }

func (b *build) monitorQueues() { b.t = monitorQueues(b.t) }

func (b *build) waitOnce() { b.t = waitOnce(b.t) }

func (b *build) closeSentinels() { b.t = closePoisoned(b.t) }

func (b *build) polledJoins() {
	t, told := polledJoins(b.t)
	b.t = t
	b.assumed = append(b.assumed, told...)
}
