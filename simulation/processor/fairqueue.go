package processor

import (
	"slices"

	"tierscope/simulation/des"
)

// epsilon is the rounding error of virtual times, in ns.
const epsilon = 1e-3

// fairQueue is the run queue of one core: the waiting threads in two heaps,
// those that were eligible by deadline, and the others by virtual time. As V
// moves in both directions a thread at a top may be in the wrong heap; it is
// moved when it is looked at, so every operation costs O(log n) amortized.
type fairQueue struct {
	eligible []int32 // heap by deadline
	later    []int32 // heap by v
	weight   float64 // Σ weight
	moment   float64 // Σ weight·v
	delayed  debtors
	updated  des.Time
	phase    des.Time // of the tick
	epoch    uint32   // how often the core has been idle
}

// debtors are threads that blocked when they had had more than their share: they count until they are eligible again, or nobody else is
// there (DELAY_DEQUEUE).
type debtors struct {
	threads        []int32
	weight, moment float64 // sums of theirs
}

func (d *debtors) add(threads []thread, t int32) {
	x := &threads[t]
	x.fair.owes = true
	d.threads = append(d.threads, t)
	d.weight += x.weight
	d.moment += x.weight * x.fair.v
}

func (d *debtors) remove(threads []thread, t int32) {
	x := &threads[t]
	if x.fair.owes = false; len(d.threads) == 1 {
		d.clear(threads) // and forget rounding errors
		return
	}
	i := slices.Index(d.threads, t)
	d.threads = slices.Delete(d.threads, i, i+1)
	d.weight -= x.weight
	d.moment -= x.weight * x.fair.v
}

func (d *debtors) clear(threads []thread) {
	for _, t := range d.threads {
		threads[t].fair.owes = false
	}
	*d = debtors{threads: d.threads[:0]}
}

// eligible returns one that is, given V, or None.
func (d *debtors) eligible(threads []thread, mean float64) int32 {
	for _, t := range d.threads {
		if threads[t].fair.v <= mean+epsilon {
			return t
		}
	}
	return None
}

func (q *fairQueue) len() int { return len(q.eligible) + len(q.later) }

// tickFrom returns the first tick at or after t.
func (q *fairQueue) tickFrom(t, tick des.Time) des.Time {
	if t <= q.phase {
		return q.phase
	}
	return q.phase + (t-q.phase+tick-1)/tick*tick
}

func (q *fairQueue) add(threads []thread, t int32) {
	x := &threads[t]
	q.weight += x.weight
	q.moment += x.weight * x.fair.v
	q.later = append(q.later, t)
	up(threads, q.later, len(q.later)-1, byTime)
}

// drop takes t, which has left its heap, out of the sums.
func (q *fairQueue) drop(threads []thread, t int32) {
	if q.len() == 0 { // forget rounding errors
		q.weight, q.moment = 0, 0
		return
	}
	x := &threads[t]
	q.weight -= x.weight
	q.moment -= x.weight * x.fair.v
}

// best returns the eligible thread with the earliest deadline, given V.
func (q *fairQueue) best(threads []thread, mean float64) int32 {
	for len(q.later) > 0 && threads[q.later[0]].fair.v <= mean+epsilon {
		t := pop(threads, &q.later, byTime)
		q.eligible = append(q.eligible, t)
		up(threads, q.eligible, len(q.eligible)-1, byDeadline)
	}
	for len(q.eligible) > 0 && threads[q.eligible[0]].fair.v > mean+epsilon {
		t := pop(threads, &q.eligible, byDeadline)
		q.later = append(q.later, t)
		up(threads, q.later, len(q.later)-1, byTime)
	}
	if len(q.eligible) > 0 {
		return q.eligible[0]
	}
	if len(q.later) > 0 {
		return q.later[0]
	}
	return None
}

// take removes the best thread and returns it.
func (q *fairQueue) take(threads []thread, mean float64) int32 {
	t := q.best(threads, mean)
	if len(q.eligible) > 0 {
		pop(threads, &q.eligible, byDeadline)
	} else {
		pop(threads, &q.later, byTime)
	}
	q.drop(threads, t)
	return t
}

// takeLast removes the thread that is likely to wait longest.
func (q *fairQueue) takeLast(threads []thread) int32 {
	heap := &q.later
	if len(*heap) == 0 {
		heap = &q.eligible
	}
	last := len(*heap) - 1
	t := (*heap)[last]
	*heap = (*heap)[:last]
	q.drop(threads, t)
	return t
}

// takeCold removes a thread that has not run since a time, likely the one that would wait longest, or returns None.
func (q *fairQueue) takeCold(threads []thread, since des.Time) int32 {
	for _, heap := range []*[]int32{&q.later, &q.eligible} {
		less := byTime
		if heap == &q.eligible {
			less = byDeadline
		}
		for i := len(*heap) - 1; i >= 0; i-- {
			t := (*heap)[i]
			if threads[t].ran > since {
				continue
			}
			remove(threads, heap, i, less)
			q.drop(threads, t)
			return t
		}
	}
	return None
}

// remove takes element i out of a binary heap.
func remove(threads []thread, heap *[]int32, i int, less func(a, b *thread) bool) {
	h := *heap
	last := len(h) - 1
	t := h[last]
	h = h[:last]
	*heap = h
	if i == last {
		return
	}
	h[i] = t
	down(threads, h, i, less)
	if h[i] == t {
		up(threads, h, i, less)
	}
}

func byTime(a, b *thread) bool     { return a.fair.v < b.fair.v }
func byDeadline(a, b *thread) bool { return a.fair.deadline < b.fair.deadline }

// up restores a binary heap in which element i may come before those above it.
func up(threads []thread, heap []int32, i int, less func(a, b *thread) bool) {
	t := heap[i]
	for i > 0 {
		parent := (i - 1) / 2
		if !less(&threads[t], &threads[heap[parent]]) {
			break
		}
		heap[i] = heap[parent]
		i = parent
	}
	heap[i] = t
}

// down restores a binary heap in which element i may come after those below it.
func down(threads []thread, heap []int32, i int, less func(a, b *thread) bool) {
	t := heap[i]
	for {
		child := 2*i + 1
		if child >= len(heap) {
			break
		}
		if child+1 < len(heap) && less(&threads[heap[child+1]], &threads[heap[child]]) {
			child++
		}
		if !less(&threads[heap[child]], &threads[t]) {
			break
		}
		heap[i] = heap[child]
		i = child
	}
	heap[i] = t
}

// pop removes the top of a binary heap.
func pop(threads []thread, heap *[]int32, less func(a, b *thread) bool) int32 {
	top := (*heap)[0]
	remove(threads, heap, 0, less)
	return top
}
