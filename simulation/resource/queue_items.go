package resource

// itemRing is the items of one rank: those from head to before tail, oldest
// first, in places modulo the size, a power of two. A removed item leaves a
// hole.
type itemRing struct {
	items      []int32
	head, tail uint32
}

// hole is the place of an item that was removed.
const hole int32 = -2

// place is where an item of a tracked queue is.
type place struct {
	in   bool
	rank int32
	at   uint32
}

// push appends an item.
func (r *itemRing) push(item int32) {
	if int(r.tail-r.head) == len(r.items) {
		r.grow()
	}
	r.items[r.tail&uint32(len(r.items)-1)] = item
	r.tail++
}

// pop takes the oldest item out of a ring that is not empty.
func (r *itemRing) pop() int32 {
	item := r.items[r.head&uint32(len(r.items)-1)]
	r.head++
	return item
}

// grow doubles the ring. Items keep their places.
func (r *itemRing) grow() {
	items := make([]int32, max(8, 2*len(r.items)))
	for at := r.head; at != r.tail; at++ {
		items[at&uint32(len(items)-1)] = r.items[at&uint32(len(r.items)-1)]
	}
	r.items = items
}

// ring returns the ring of a rank; all items of a queue that does not serve by
// priority are of one.
func (q *Queue) ring(rank int32) *itemRing {
	if rank == 0 || len(q.others) == 0 {
		return &q.first
	}
	return &q.others[rank-1]
}

// push puts an item into the buffer.
func (q *Queue) push(item, rank int32) {
	r := q.ring(rank)
	if q.tracked {
		if int(r.tail-r.head) == len(r.items) {
			q.closeHoles(r)
		}
		q.track(item, place{true, rank, r.tail})
	}
	r.push(item)
	q.len++
}

// pop takes the item out of the buffer that the discipline serves next.
func (q *Queue) pop() int32 {
	for i := range int32(1 + len(q.others)) {
		for r := q.ring(i); r.head != r.tail; {
			var item int32
			if q.lifo {
				r.tail--
				item = r.items[r.tail&uint32(len(r.items)-1)]
			} else {
				item = r.pop()
			}
			if item == hole {
				continue
			}
			q.len--
			if q.tracked {
				q.places[item].in = false
			}
			return item
		}
	}
	panic("resource: pop of an empty queue")
}

// take removes an item from wherever it is in the buffer of a tracked queue,
// and reports whether it was there.
func (q *Queue) take(item int32) bool {
	if int(item) >= len(q.places) || !q.places[item].in {
		return false
	}
	p := &q.places[item]
	r := q.ring(p.rank)
	r.items[p.at&uint32(len(r.items)-1)] = hole
	p.in = false
	q.len--
	return true
}

func (q *Queue) track(item int32, p place) {
	for int(item) >= len(q.places) {
		q.places = append(q.places, place{})
	}
	q.places[item] = p
}

// closeHoles moves the items of a full ring together, if many are holes.
func (q *Queue) closeHoles(r *itemRing) {
	if 2*q.len > len(r.items) {
		return
	}
	mask, to := uint32(len(r.items)-1), r.head
	for at := r.head; at != r.tail; at++ {
		if item := r.items[at&mask]; item != hole {
			r.items[to&mask] = item
			q.places[item].at = to
			to++
		}
	}
	r.tail = to
}
