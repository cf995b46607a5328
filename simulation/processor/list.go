package processor

// list is a FIFO queue of threads, linked through thread.next.
type list struct {
	head, tail int32
	len        int
}

func newList() list { return list{head: None, tail: None} }

func (l *list) push(threads []thread, t int32) {
	threads[t].next = None
	if l.head == None {
		l.head = t
	} else {
		threads[l.tail].next = t
	}
	l.tail = t
	l.len++
}

// exchange pushes t and pops from a list that is not empty.
func (l *list) exchange(threads []thread, t int32) int32 {
	first := l.head
	threads[t].next = None
	threads[l.tail].next = t
	l.tail = t
	l.head = threads[first].next
	return first
}

func (l *list) pop(threads []thread) int32 {
	t := l.head
	if t == None {
		return None
	}
	l.head = threads[t].next
	if l.head == None {
		l.tail = None
	}
	l.len--
	return t
}
