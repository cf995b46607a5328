package resource

import "tierscope/simulation/des"

// Table holds the links of all threads in the waiter lists of all locks. A
// thread waits for one thing at a time, so one pair of links per thread serves
// every lock: waiting and waking never allocate, and a lock costs no memory
// per thread. (A select waits in several queues; its nodes are in Queue.)
type Table struct {
	host  Host
	slots []slot
	nodes []node // waiters of queues
	free  int32  // 1 + first free node
}

// slot is what the resources know of one thread.
type slot struct {
	next, prev Thread
	on         *list    // the list that it is in
	since      des.Time // when its wait began
	n          int32    // argument of its operation
	item       int32    // what its last operation brought
	node       int32    // 1 + its first node in a queue
	chosen     int32    // case of its last select
	op         Op
}

// NewTable returns a table for threads 0 … threads−1.
func NewTable(host Host, threads int) *Table {
	tab := &Table{host: host}
	tab.Grow(threads)
	return tab
}

// Grow makes room for threads 0 … threads−1.
func (tab *Table) Grow(threads int) {
	for len(tab.slots) < threads {
		tab.slots = append(tab.slots, slot{next: NoThread, prev: NoThread, item: NoItem})
	}
}

// Item returns what the last receive or exchange of t brought.
func (tab *Table) Item(t Thread) int32 { return tab.slots[t].item }

// Chosen returns the case that ended the last blocking select of t.
func (tab *Table) Chosen(t Thread) int { return int(tab.slots[t].chosen) }

// resume completes the wait of t with an item.
func (tab *Table) resume(t Thread, o Outcome, item int32) {
	tab.slots[t].item = item
	tab.host.Resume(t, o, item)
}

// grant completes the wait of t.
func (tab *Table) grant(t Thread) { tab.host.Resume(t, Granted, NoItem) }

// wake lets t compete once it runs.
func (tab *Table) wake(t Thread) { tab.host.Resume(t, Retry, NoItem) }

// list is a doubly linked list of waiting threads, oldest first.
type list struct {
	head, tail Thread
	len        int
}

func newList() list { return list{head: NoThread, tail: NoThread} }

// pushBack appends t, which is in no list.
func (tab *Table) pushBack(l *list, t Thread) {
	s := &tab.slots[t]
	s.on, s.prev, s.next = l, l.tail, NoThread
	if l.tail == NoThread {
		l.head = t
	} else {
		tab.slots[l.tail].next = t
	}
	l.tail = t
	l.len++
}

// pushFront puts t, which is in no list, before all others.
func (tab *Table) pushFront(l *list, t Thread) {
	s := &tab.slots[t]
	s.on, s.prev, s.next = l, NoThread, l.head
	if l.head == NoThread {
		l.tail = t
	} else {
		tab.slots[l.head].prev = t
	}
	l.head = t
	l.len++
}

// remove takes t out of l and reports whether it was in it.
func (tab *Table) remove(l *list, t Thread) bool {
	s := &tab.slots[t]
	if s.on != l {
		return false
	}
	if s.prev == NoThread {
		l.head = s.next
	} else {
		tab.slots[s.prev].next = s.next
	}
	if s.next == NoThread {
		l.tail = s.prev
	} else {
		tab.slots[s.next].prev = s.prev
	}
	s.on = nil
	l.len--
	return true
}

// popFront takes out the oldest thread of l, or returns NoThread.
func (tab *Table) popFront(l *list) Thread {
	t := l.head
	if t != NoThread {
		tab.remove(l, t)
	}
	return t
}

// grantAll completes the wait of all threads of l, oldest first, with o.
func (tab *Table) finishAll(l *list, o Outcome) {
	for t := tab.popFront(l); t != NoThread; t = tab.popFront(l) {
		tab.host.Resume(t, o, NoItem)
	}
}
