package resource

// Case is one communication of a select.
type Case struct {
	Queue *Queue // nil is never ready, as a nil channel
	Send  bool
	Item  int32 // to send
	Rank  int32
}

// Select executes one ready case, tried in the given order: a permutation of
// the cases that the caller has drawn, uniformly for Go's rule. If none is
// ready it answers Failed without block (the default case), and Blocked with
// it: the first queue that becomes ready then ends the wait, and Table.Chosen
// tells its case. A received item is in Table.Item.
func (tab *Table) Select(t Thread, cases []Case, order []int32, block bool) (int, Outcome) {
	for _, i := range order {
		c := &cases[i]
		if c.Queue == nil {
			continue
		}
		var o Outcome
		item := NoItem
		if c.Send {
			if o = c.Queue.offer(c.Item, c.Rank); o == Blocked {
				o = Failed
			}
		} else {
			item, o = c.Queue.TryGet()
		}
		if o != Failed {
			tab.slots[t].item = item
			tab.slots[t].chosen = i
			return int(i), o
		}
	}
	if !block {
		return -1, Failed
	}
	for i := range cases {
		c := &cases[i]
		if c.Queue == nil {
			continue
		}
		l := &c.Queue.receivers
		if c.Send {
			l = &c.Queue.senders
		}
		tab.enqueue(l, node{thread: t, queue: c.Queue, choice: int32(i), item: c.Item, rank: c.Rank, send: c.Send})
	}
	return -1, Blocked
}

// node is one thread waiting in one queue (Go's sudog). A thread in a select
// has one node for every case. Links are 1 + index, 0 is none.
type node struct {
	next, prev int32 // in the queue
	sibling    int32 // of the same thread
	thread     Thread
	queue      *Queue
	choice     int32 // case of the select
	item, rank int32 // to send
	send       bool
}

// nodeList is the waiting receivers or senders of a queue, oldest first.
type nodeList struct {
	head, tail int32
	len        int
}

// enqueue appends a waiting thread to a list of a queue.
func (tab *Table) enqueue(l *nodeList, x node) {
	i := tab.free
	if i != 0 {
		tab.free = tab.nodes[i-1].next
	} else {
		tab.nodes = append(tab.nodes, node{})
		i = int32(len(tab.nodes))
	}
	s := &tab.slots[x.thread]
	x.prev, x.sibling = l.tail, s.node
	s.node = i
	tab.nodes[i-1] = x
	if l.tail == 0 {
		l.head = i
	} else {
		tab.nodes[l.tail-1].next = i
	}
	l.tail = i
	l.len++
}

// finish completes the wait of the thread of node i, in all its queues.
func (tab *Table) finish(i int32, o Outcome, item int32) {
	t := tab.nodes[i-1].thread
	tab.slots[t].chosen = tab.nodes[i-1].choice
	tab.leave(t)
	tab.resume(t, o, item)
}

// leave takes t out of all queues in which it waits.
func (tab *Table) leave(t Thread) {
	s := &tab.slots[t]
	for i := s.node; i != 0; { // one, except in a select
		x := &tab.nodes[i-1]
		l := &x.queue.receivers
		if x.send {
			l = &x.queue.senders
		}
		if x.prev == 0 {
			l.head = x.next
		} else {
			tab.nodes[x.prev-1].next = x.next
		}
		if x.next == 0 {
			l.tail = x.prev
		} else {
			tab.nodes[x.next-1].prev = x.prev
		}
		l.len--
		i, x.sibling = x.sibling, 0
		x.queue = nil
		x.next = tab.free
		tab.free = s.node
		s.node = i
	}
}
