package resource

import (
	"math"

	"tierscope/core"
)

// Queue carries items between threads: a task queue whose items are tasks, a
// Go channel, or a bounded or unbounded blocking queue of tokens. Its rules are
// those of Go's channels (runtime/chan.go), which differ from other blocking
// queues only in names:
//
//   - an item that meets a waiting receiver goes straight to it;
//   - a receive from a full queue takes the oldest item and lets the first
//     blocked sender put its item in;
//   - capacity 0 hands over from sender to receiver, whoever comes last;
//   - after a close, receivers get what is left and then Closed; a send is a
//     defect of the model, also one that is blocked when the queue closes.
//
// Receivers and blocked senders are served in order of arrival.
type Queue struct {
	len       int // items in all rings
	room      int // of a plain queue: length below which an item has a place without more ado
	capacity  int // math.MaxInt: unbounded
	receivers nodeList
	senders   nodeList
	first     itemRing   // of rank 0
	others    []itemRing // of rank 1 and on
	plain     bool       // one ring, oldest first, untracked, open
	closed    bool
	lifo      bool
	drop      bool
	tracked   bool // items are distinct, and Remove finds them
	dropped   int64
	places    []place // by item, of a tracked queue
	tab       *Table
}

// QueueConfig describes a Queue. The zero value is an unbuffered channel.
type QueueConfig struct {
	Capacity   int // 0: hand-off; core.Unbounded
	Discipline core.Discipline
	// Ranks is the number of priorities of a core.Priority queue; 0 means 1.
	Ranks int
	// Drop loses an item that finds the queue full; otherwise its sender waits.
	Drop bool
	// Tracked makes Remove possible: items are then distinct small numbers.
	Tracked bool
}

func queueOf(tab *Table, l core.Lock, _ Lock) Lock {
	return NewQueue(tab, QueueConfig{Capacity: l.Capacity})
}

// NewQueue returns an empty queue.
func NewQueue(tab *Table, c QueueConfig) *Queue {
	ranks := 1
	if c.Discipline == core.Priority {
		ranks = max(1, c.Ranks)
	}
	if c.Capacity < 0 {
		c.Capacity = math.MaxInt
	}
	lifo := c.Discipline == core.LIFO
	return &Queue{
		tab: tab, capacity: c.Capacity, lifo: lifo, drop: c.Drop, tracked: c.Tracked,
		others: make([]itemRing, ranks-1), plain: ranks == 1 && !lifo && !c.Tracked,
	}
}

// Add is Put of an item of rank 0 where that is simple: there is room, and nobody
// waits for an item. It reports whether it did so. Add and Take are small enough to
// become part of their callers.
func (q *Queue) Add(item int32) bool {
	if q.len >= q.room || q.receivers.head != 0 {
		return false
	}
	q.len++
	q.first.items[q.first.tail&uint32(len(q.first.items)-1)] = item
	q.first.tail++
	return true
}

// Take is Get where that is simple: there is an item, and nobody waits to send
// one. It reports whether it did so.
func (q *Queue) Take() (int32, bool) {
	if q.len == 0 || !q.plain || q.senders.head != 0 {
		return NoItem, false
	}
	q.len--
	return q.first.pop(), true
}

// Put sends an item for t. Items of a lower rank are received first when the
// discipline is core.Priority; otherwise rank is 0. Failed means that the
// queue is full and drops.
func (q *Queue) Put(t Thread, item, rank int32) Outcome {
	if q.Add(item) {
		return Granted
	}
	if q.plain {
		switch {
		case q.receivers.head != 0:
			q.tab.finish(q.receivers.head, Granted, item)
			return Granted
		case q.len < q.capacity:
			q.first.push(item)
			q.len++
			q.room = min(q.capacity, len(q.first.items))
			return Granted
		}
	}
	o := q.offer(item, rank)
	if o != Blocked {
		return o
	}
	if q.drop {
		q.dropped++
		return Failed
	}
	n := q.tab.enqueue(&q.senders, t)
	n.item, n.rank = item, rank
	return Blocked
}

// TryPut is Put without waiting: Failed means that the queue is full.
func (q *Queue) TryPut(item, rank int32) Outcome {
	o := q.offer(item, rank)
	if o == Blocked {
		if q.drop {
			q.dropped++
		}
		return Failed
	}
	return o
}

// offer gives the item to a receiver or puts it into the buffer, or answers
// Blocked without effect.
func (q *Queue) offer(item, rank int32) Outcome {
	switch {
	case q.closed:
		return SendOnClosed
	case q.receivers.head != 0:
		q.tab.finish(q.receivers.head, Granted, item)
	case q.len < q.capacity:
		q.push(item, rank)
	default:
		return Blocked
	}
	return Granted
}

// Get receives an item for t: Granted with the item, Closed, or Blocked.
func (q *Queue) Get(t Thread) (int32, Outcome) {
	if item, ok := q.Take(); ok {
		return item, Granted
	}
	if !q.plain || q.senders.head != 0 {
		if item, o := q.TryGet(); o != Failed {
			return item, o
		}
	}
	q.tab.enqueue(&q.receivers, t)
	return NoItem, Blocked
}

// Wait lets t wait for an item of a queue that has none, where that is simple: it is
// open, and nobody waits to send one. It reports whether it did so.
func (q *Queue) Wait(t Thread) bool {
	if q.len > 0 || !q.plain || q.senders.head != 0 {
		return false
	}
	q.tab.enqueue(&q.receivers, t)
	return true
}

// Receiver returns the thread that will get the next item, or NoThread. It is
// small enough to become part of its callers.
func (q *Queue) Receiver() Thread {
	if q.receivers.head == 0 {
		return NoThread
	}
	return q.tab.nodes[q.receivers.head-1].thread
}

// TryGet is Get without waiting: Failed means that there is no item.
func (q *Queue) TryGet() (int32, Outcome) {
	switch {
	case q.len > 0:
		item := q.pop()
		if q.senders.head != 0 {
			q.admit()
		}
		return item, Granted
	case q.senders.head != 0:
		item := q.tab.nodes[q.senders.head-1].item
		q.tab.finish(q.senders.head, Granted, NoItem)
		return item, Granted
	case q.closed:
		return NoItem, Closed
	}
	return NoItem, Failed
}

// Close ends the flow of items.
func (q *Queue) Close() Outcome {
	if q.closed {
		return ClosedTwice
	}
	q.closed, q.plain, q.room = true, false, 0
	for q.receivers.head != 0 {
		q.tab.finish(q.receivers.head, Closed, NoItem)
	}
	for q.senders.head != 0 {
		q.tab.finish(q.senders.head, SendOnClosed, NoItem)
	}
	return Granted
}

// Remove takes an item out of the buffer of a tracked queue, because its
// patience has ended, and reports whether it was there. A blocked sender puts
// its item in instead.
func (q *Queue) Remove(item int32) bool {
	if !q.take(item) {
		return false
	}
	if q.senders.head != 0 {
		q.admit()
	}
	return true
}

// admit lets the first blocked sender put its item into the buffer.
func (q *Queue) admit() {
	first := q.senders.head
	n := &q.tab.nodes[first-1]
	q.push(n.item, n.rank)
	q.tab.finish(first, Granted, NoItem)
}

// Len is the number of items in the buffer.
func (q *Queue) Len() int { return q.len }

// Senders is the number of blocked senders, each with an item.
func (q *Queue) Senders() int { return q.senders.len }

// Receivers is the number of waiting receivers.
func (q *Queue) Receivers() int { return q.receivers.len }

// Dropped is the number of items lost because the queue was full.
func (q *Queue) Dropped() int64 { return q.dropped }

// Closed reports whether the queue is closed.
func (q *Queue) Closed() bool { return q.closed }

// Call makes a queue a Lock: Send of item n, Receive, and Close.
func (q *Queue) Call(t Thread, op Op, n int32) Outcome {
	switch op {
	case Send:
		return q.Put(t, n, 0)
	case Receive:
		item, o := q.Get(t)
		q.tab.slots[t].item = item
		return o
	case Close:
		return q.Close()
	}
	return Unsupported
}

// Try is Call without waiting.
func (q *Queue) Try(t Thread, op Op, n int32) Outcome {
	switch op {
	case Send:
		return q.TryPut(n, 0)
	case Receive:
		item, o := q.TryGet()
		q.tab.slots[t].item = item
		return o
	}
	return q.Call(t, op, n)
}

// Retry panics: a queue never wakes a thread to compete.
func (q *Queue) Retry(Thread) Outcome { panic("resource: retry on a queue") }

// Cancel ends the wait of t in this queue, or in all queues of its select.
func (q *Queue) Cancel(t Thread) Outcome {
	q.tab.Leave(t)
	return Failed
}

// Waiting returns how many threads wait to send or to receive, selects included.
func (q *Queue) Waiting() int { return q.senders.len + q.receivers.len }

// Held returns the number of items in the queue.
func (q *Queue) Held() int { return q.len }

// Holders yields no thread: nobody owns a queue.
func (q *Queue) Holders(func(Thread) bool) {}
