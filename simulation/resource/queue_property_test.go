package resource

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tierscope/core"
)

// plainQueues is queues as slices of items, and one line of wishes: what
// blocked threads want from any of the queues, in order of arrival.
type plainQueues struct {
	j      *journal
	queues []*plainQueue
	line   []wish
}

type plainQueue struct {
	QueueConfig
	closed bool
	items  []Case // Item and Rank
}

// wish is a blocked thread with the cases that would end its wait; Queue in a
// case is not used, at says which one.
type wish struct {
	t     Thread
	cases []plainCase
}

type plainCase struct {
	at   int
	send bool
	item int32
	rank int32
}

// first finds the oldest wish with a case on queue at.
func (p *plainQueues) first(at int, send bool) (int, int) {
	for i, w := range p.line {
		for k := range w.cases {
			if c := w.cases[k]; c.at == at && c.send == send {
				return i, k
			}
		}
	}
	return -1, -1
}

func (p *plainQueues) complete(i int, o Outcome, item int32) {
	p.j.Resume(p.line[i].t, o, item)
	p.line = slices.Delete(slices.Clone(p.line), i, i+1)
}

func (q *plainQueue) insert(c plainCase) { q.items = append(q.items, Case{Item: c.item, Rank: c.rank}) }

// send answers Blocked without effect when the queue is full.
func (p *plainQueues) send(c plainCase) Outcome {
	q := p.queues[c.at]
	if q.closed {
		return SendOnClosed
	}
	if i, _ := p.first(c.at, false); i >= 0 {
		p.complete(i, Granted, c.item)
		return Granted
	}
	if q.Capacity == core.Unbounded || len(q.items) < q.Capacity {
		q.insert(c)
		return Granted
	}
	return Blocked
}

// next is the index of the item that the discipline serves next.
func (q *plainQueue) next() int {
	switch q.Discipline {
	case core.LIFO:
		return len(q.items) - 1
	case core.Priority:
		best := slices.MinFunc(q.items, func(a, b Case) int { return cmp.Compare(a.Rank, b.Rank) })
		return slices.IndexFunc(q.items, func(c Case) bool { return c.Rank == best.Rank })
	case core.FIFO:
	}
	return 0
}

// refill lets the first blocked sender put its item into the free place.
func (p *plainQueues) refill(at int) {
	if i, k := p.first(at, true); i >= 0 {
		p.queues[at].insert(p.line[i].cases[k])
		p.complete(i, Granted, NoItem)
	}
}

// receive answers Failed when there is nothing.
func (p *plainQueues) receive(at int) (int32, Outcome) {
	q := p.queues[at]
	if len(q.items) > 0 {
		i := q.next()
		item := q.items[i].Item
		q.items = slices.Delete(q.items, i, i+1)
		p.refill(at)
		return item, Granted
	}
	if i, k := p.first(at, true); i >= 0 {
		item := p.line[i].cases[k].item
		p.complete(i, Granted, NoItem)
		return item, Granted
	}
	if q.closed {
		return NoItem, Closed
	}
	return NoItem, Failed
}

func (p *plainQueues) close(at int) Outcome {
	q := p.queues[at]
	if q.closed {
		return ClosedTwice
	}
	q.closed = true
	for i, _ := p.first(at, false); i >= 0; i, _ = p.first(at, false) {
		p.complete(i, Closed, NoItem)
	}
	for i, _ := p.first(at, true); i >= 0; i, _ = p.first(at, true) {
		p.complete(i, SendOnClosed, NoItem)
	}
	return Granted
}

func (p *plainQueues) remove(at int, item int32) bool {
	q := p.queues[at]
	i := slices.IndexFunc(q.items, func(c Case) bool { return c.Item == item })
	if i < 0 {
		return false
	}
	q.items = slices.Delete(q.items, i, i+1)
	p.refill(at)
	return true
}

// Queues, channels and selects agree with plain slices in every random program,
// and no task is lost or doubled: what was accepted has been received, has left
// impatiently, or is in a buffer.
func TestQueuesAgreeWithPlainSlicesAndConserveTasks(t *testing.T) {
	t.Parallel()
	configs := []QueueConfig{
		{},
		{Capacity: 1},
		{Capacity: 2, Discipline: core.LIFO, Tracked: true},
		{Capacity: 3, Discipline: core.Priority, Ranks: 3, Tracked: true},
		{Capacity: core.Unbounded, Discipline: core.Priority, Ranks: 3},
		{Capacity: 2, Drop: true, Tracked: true},
		{Drop: true},
	}
	rapid.Check(t, func(t *rapid.T) {
		h := &queueRun{T: t, received: map[int32]bool{}}
		h.tab = NewTable(&h.got, programThreads)
		h.ref.j = &h.want
		for i := range 2 {
			c := rapid.SampledFrom(configs).Draw(t, fmt.Sprint("queue", i))
			h.queues = append(h.queues, NewQueue(h.tab, c))
			h.ref.queues = append(h.ref.queues, &plainQueue{QueueConfig: c})
		}
		for _, word := range rapid.SliceOfN(rapid.Uint32(), 20, 60).Draw(t, "program") {
			h.step(word)
		}
	})
}

// queueRun is one random program over two queues.
type queueRun struct {
	*rapid.T
	tab       *Table
	queues    []*Queue
	ref       plainQueues
	got, want journal
	blocked   [programThreads]bool
	next      int32 // item
	accepted  int   // items that a queue or a receiver took
	left      int   // impatient items
	received  map[int32]bool
}

func (h *queueRun) step(word uint32) {
	h.got.events, h.want.events = h.got.events[:0], h.want.events[:0]
	take := func(n uint32) int { d := word % n; word /= n; return int(d) }
	t, at, rank := Thread(take(programThreads)), take(2), int32(take(3))
	q := h.queues[at]
	c := plainCase{at: at, send: true, item: h.next, rank: rank}
	h.next++
	var got, want Outcome
	gotItem, wantItem := NoItem, NoItem
	what := take(16)
	switch {
	case h.blocked[t]:
		if what > 3 {
			return
		}
		got, want = q.Cancel(t), Failed
		h.ref.line = slices.DeleteFunc(slices.Clone(h.ref.line), func(w wish) bool { return w.t == t })
		h.blocked[t] = false
	case what < 4:
		if got, want = q.Put(t, c.item, rank), h.ref.send(c); want == Blocked {
			if h.ref.queues[at].Drop {
				want = Failed
			} else {
				h.ref.line = append(h.ref.line, wish{t, []plainCase{c}})
			}
		}
	case what < 6:
		if got, want = q.TryPut(c.item, rank), h.ref.send(c); want == Blocked {
			want = Failed
		}
	case what < 9:
		gotItem, got = q.Get(t)
		if wantItem, want = h.ref.receive(at); want == Failed {
			want = Blocked
			h.ref.line = append(h.ref.line, wish{t, []plainCase{{at: at}}})
		}
	case what < 11:
		gotItem, got = q.TryGet()
		wantItem, want = h.ref.receive(at)
	case what < 12:
		item := max(0, h.next-1-int32(take(8)))
		if removed, should := q.Remove(item), q.tracked && h.ref.remove(at, item); removed != should {
			h.Fatalf("leaving of item %d: %t, the reference says %t", item, removed, should)
		} else if removed {
			h.left++
		}
	case what < 13:
		if take(4) > 0 {
			return // close seldom
		}
		got, want = q.Close(), h.ref.close(at)
	default:
		got, want = h.choose(t, take(4), take(2) == 0, take(2) == 0, c)
		gotItem, wantItem = h.tab.Item(t), h.tab.Item(t)
	}
	if got != want || gotItem != wantItem || !slices.Equal(h.got.events, h.want.events) {
		h.Fatalf("thread %d, action %d: %v %d %v, the reference says %v %d %v",
			t, what, got, gotItem, h.got.events, want, wantItem, h.want.events)
	}
	if got == Granted && what != 11 && what != 12 {
		h.move(gotItem)
	}
	h.blocked[t] = got == Blocked
	for _, r := range h.got.events {
		if !h.blocked[r.thread] {
			h.Fatalf("thread %d resumed without being blocked", r.thread)
		}
		h.blocked[r.thread] = false
		if r.o == Granted {
			h.move(r.item)
		}
	}
	if inside := h.queues[0].Len() + h.queues[1].Len(); h.accepted != len(h.received)+h.left+inside {
		h.Fatalf("%d items accepted, but %d received, %d left and %d in buffers", h.accepted, len(h.received), h.left, inside)
	}
}

// move counts a granted communication: a send without, a receive with an item.
func (h *queueRun) move(item int32) {
	if item == NoItem {
		h.accepted++
		return
	}
	if h.received[item] {
		h.Fatalf("item %d received twice", item)
	}
	h.received[item] = true
}

// choose does a select over both queues, in one of four kinds of directions.
func (h *queueRun) choose(t Thread, directions int, swap, block bool, c plainCase) (Outcome, Outcome) {
	plain := []plainCase{{at: 0}, {at: 1}}
	for i := range plain {
		if directions>>i&1 == 1 {
			plain[i] = plainCase{at: i, send: true, item: c.item, rank: c.rank}
		}
	}
	var cases []Case
	for _, p := range plain {
		cases = append(cases, Case{Queue: h.queues[p.at], Send: p.send, Item: p.item, Rank: p.rank})
	}
	order := []int32{0, 1}
	if swap {
		order = []int32{1, 0}
	}
	chosen, got := h.tab.Select(t, cases, order, block)
	for _, i := range order {
		var o Outcome
		item := NoItem
		if plain[i].send {
			o = h.ref.send(plain[i])
		} else if item, o = h.ref.receive(plain[i].at); o == Failed {
			o = Blocked
		}
		if o == Blocked {
			continue
		}
		if chosen != int(i) || h.tab.Item(t) != item {
			h.Fatalf("select chose case %d with item %d, the reference case %d with %d", chosen, h.tab.Item(t), i, item)
		}
		return got, o
	}
	if !block {
		return got, Failed
	}
	h.ref.line = append(h.ref.line, wish{t, plain})
	return got, Blocked
}
