package resource

// once runs something exactly once: the first to come is told First and calls
// Done when it has finished; whoever comes meanwhile waits for that, later ones
// pass (Go's sync.Once, C++ call_once, Java's class initialisation).
type once struct {
	tab    *Table
	runner Thread
	done   bool
	wait   list
}

func newOnce(tab *Table) *once { return &once{tab: tab, runner: NoThread, wait: newList()} }

func (c *once) Call(t Thread, op Op, n int32) Outcome {
	switch op {
	case Do:
		switch {
		case c.done:
			return Granted
		case c.runner == NoThread:
			c.runner = t
			return First
		}
		c.tab.pushBack(&c.wait, t)
		return Blocked
	case Done:
		if c.runner != t {
			return NotHeld
		}
		c.runner, c.done = NoThread, true
		c.tab.finishAll(&c.wait, Granted)
		return Granted
	}
	return Unsupported
}

func (c *once) Try(t Thread, op Op, n int32) Outcome {
	if op == Do && c.runner != NoThread {
		return Failed
	}
	return c.Call(t, op, n)
}

// Retry panics: a once never wakes a thread to compete.
func (c *once) Retry(Thread) Outcome { panic("resource: retry on a once") }

func (c *once) Cancel(t Thread) Outcome {
	c.tab.remove(&c.wait, t)
	return Failed
}

func (c *once) Waiting() int                    { return c.wait.len }
func (c *once) Held() int                       { return held(c.runner) }
func (c *once) Holders(yield func(Thread) bool) { holder(c.runner, yield) }
