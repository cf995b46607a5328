package resource

// entry is an item in the buffer of a queue. Links are 1 + index, 0 is none.
type entry struct {
	next, prev int32
	item, rank int32
}

// itemList is the items of one rank, oldest first.
type itemList struct{ head, tail int32 }

// push puts an item into the buffer.
func (q *Queue) push(item, rank int32) {
	e := q.free
	if e != 0 {
		q.free = q.entries[e-1].next
	} else {
		q.entries = append(q.entries, entry{})
		e = int32(len(q.entries))
	}
	if len(q.levels) == 1 {
		rank = 0
	}
	l := &q.levels[rank]
	q.entries[e-1] = entry{prev: l.tail, item: item, rank: rank}
	if l.tail == 0 {
		l.head = e
	} else {
		q.entries[l.tail-1].next = e
	}
	l.tail = e
	q.len++
	if q.tracked {
		for int(item) >= len(q.at) {
			q.at = append(q.at, 0)
		}
		q.at[item] = e
	}
}

// pop takes the item out of the buffer that the discipline serves next.
func (q *Queue) pop() int32 {
	for r := range q.levels {
		e := q.levels[r].head
		if q.lifo {
			e = q.levels[r].tail
		}
		if e != 0 {
			return q.unlink(e)
		}
	}
	panic("resource: pop of an empty queue")
}

// unlink takes entry e out of the buffer and returns its item.
func (q *Queue) unlink(e int32) int32 {
	x := q.entries[e-1]
	l := &q.levels[x.rank]
	if x.prev == 0 {
		l.head = x.next
	} else {
		q.entries[x.prev-1].next = x.next
	}
	if x.next == 0 {
		l.tail = x.prev
	} else {
		q.entries[x.next-1].prev = x.prev
	}
	q.entries[e-1].next = q.free
	q.free = e
	q.len--
	if q.tracked {
		q.at[x.item] = 0
	}
	return x.item
}
