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
		if c.Send {
			n := tab.enqueue(&c.Queue.senders, t)
			n.choice, n.item, n.rank = int32(i), c.Item, c.Rank
		} else {
			tab.enqueue(&c.Queue.receivers, t).choice = int32(i)
		}
	}
	return -1, Blocked
}

// node is one thread waiting in one queue (Go's sudog). A thread in a select
// has one node for every case. Links are 1 + index, 0 is none.
type node struct {
	next, prev int32 // in the queue
	sibling    int32 // of the same thread
	thread     Thread
	list       *nodeList
	choice     int32 // case of the select
	item, rank int32 // to send
}

// nodeList is the waiting receivers or senders of a queue, oldest first.
type nodeList struct {
	head, tail int32
	len        int
}

// enqueue appends a waiting thread to a list of a queue and returns its node.
func (tab *Table) enqueue(l *nodeList, t Thread) *node {
	if tab.free == 0 {
		tab.nodes = append(tab.nodes, node{})
		tab.free = int32(len(tab.nodes))
	}
	i, s := tab.free, &tab.slots[t]
	n := &tab.nodes[i-1]
	tab.free = n.next
	n.next, n.prev, n.sibling, n.thread = 0, l.tail, s.node, t
	n.list, n.choice = l, 0
	s.node = i
	if l.tail == 0 {
		l.head = i
	} else {
		tab.nodes[l.tail-1].next = i
	}
	l.tail = i
	l.len++
	return n
}

// finish completes the wait of the thread of node i, in all its queues.
func (tab *Table) finish(i int32, o Outcome, item int32) {
	n := &tab.nodes[i-1]
	t := n.thread
	tab.slots[t].chosen = n.choice
	tab.Leave(t)
	tab.resume(t, o, item)
}

// Leave takes t out of all queues in which it waits.
func (tab *Table) Leave(t Thread) {
	s := &tab.slots[t]
	for i := s.node; i != 0; { // one, except in a select
		n := &tab.nodes[i-1]
		l := n.list
		if n.prev == 0 {
			l.head = n.next
		} else {
			tab.nodes[n.prev-1].next = n.next
		}
		if n.next == 0 {
			l.tail = n.prev
		} else {
			tab.nodes[n.next-1].prev = n.prev
		}
		l.len--
		n.next = tab.free
		tab.free = i
		i = n.sibling
	}
	s.node = 0
}
