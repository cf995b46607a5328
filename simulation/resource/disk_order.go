package resource

import (
	"math"
	"slices"

	"tierscope/core"
	"tierscope/simulation/des"
	"tierscope/simulation/variate"
)

// diskQueue is the queue of the I/O scheduler.
type diskQueue struct {
	order  core.DiskOrder
	random des.Stream

	waiting []waitingRequest // in order of arrival, from head
	head    int
	arrived int64 // requests so far

	dispatched int64
	placed     bool     // requests have positions: for the order or for the law
	places     []places // by law
	position   float64  // of the head
	ahead      []ascending
	behind     []ascending // for the next sweep
}

// places is where requests go; the zero value is uniformly anywhere.
type places struct {
	known   bool
	sampler variate.Sampler
}

// placesOf takes the places of a law, if it has its own, or those of its disk.
func placesOf(disk, law core.Distribution) places {
	for _, d := range []core.Distribution{law, disk} {
		if !d.IsZero() {
			return places{true, variate.Compile(d, 1)}
		}
	}
	return places{}
}

// waitingRequest is a request in the scheduler queue; number counts arrivals.
type waitingRequest struct {
	number   int64
	request  int32
	position float64 // 0…1 of the disk
}

// ascending is a request in the elevator's heap.
type ascending struct {
	position float64
	number   int64
}

func (q *diskQueue) len() int { return len(q.waiting) - q.head }

// push adds a request, the last to arrive, that is served by a law.
func (q *diskQueue) push(request, law int32) {
	if q.head > 64 && q.head > len(q.waiting)/2 {
		q.waiting = q.waiting[:copy(q.waiting, q.waiting[q.head:])]
		q.head = 0
	}
	position := q.place(law)
	q.waiting = append(q.waiting, waitingRequest{q.arrived, request, position})
	if q.order == core.DiskElevator {
		x := ascending{position, q.arrived}
		if x.position >= q.position {
			q.ahead = pushAscending(q.ahead, x)
		} else {
			q.behind = pushAscending(q.behind, x)
		}
	}
	q.arrived++
}

// place draws the position of a request that is served by a law.
func (q *diskQueue) place(law int32) float64 {
	if !q.placed && q.order != core.DiskElevator && q.order != core.DiskNearest {
		return 0
	}
	if q.placed && q.places[law].known {
		return q.places[law].sampler.Draw(&q.random)
	}
	return q.random.Float64()
}

// first takes out the oldest request.
func (q *diskQueue) first() int32 {
	i := q.waiting[q.head].request
	q.head++
	return i
}

// pop takes out the request to dispatch, counts those that overtook it (of the
// dispatched ones, those that did not arrive before it), and tells how far the
// head moves.
func (q *diskQueue) pop() (request, overtaken int32, distance float64) {
	i := q.head
	switch q.order {
	case core.DiskRandom:
		i += int(q.random.Uint32n(uint32(q.len())))
	case core.DiskElevator:
		if len(q.ahead) == 0 {
			q.ahead, q.behind = q.behind, q.ahead
		}
		var x ascending
		x, q.ahead = popAscending(q.ahead)
		i, _ = slices.BinarySearchFunc(q.waiting[q.head:], x.number, func(w waitingRequest, n int64) int {
			return int(w.number - n)
		})
		i += q.head
	case core.DiskNearest:
		for k := i + 1; k < len(q.waiting); k++ {
			if math.Abs(q.waiting[k].position-q.position) < math.Abs(q.waiting[i].position-q.position) {
				i = k
			}
		}
	case core.DiskFIFO, "":
	}
	w := q.waiting[i]
	distance = math.Abs(w.position - q.position)
	q.position = w.position
	before := w.number - int64(i-q.head) // arrived before it and are gone
	overtaken = int32(q.dispatched - before)
	q.dispatched++
	if i > q.head {
		copy(q.waiting[q.head+1:i+1], q.waiting[q.head:i])
	}
	q.head++
	return w.request, overtaken, distance
}

// pushAscending and popAscending are a binary heap by position.
func pushAscending(h []ascending, x ascending) []ascending {
	h = append(h, x)
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if h[up].position <= h[i].position {
			break
		}
		h[up], h[i] = h[i], h[up]
		i = up
	}
	return h
}

func popAscending(h []ascending) (ascending, []ascending) {
	first := h[0]
	last := len(h) - 1
	h[0] = h[last]
	h = h[:last]
	for i := 0; ; {
		c := 2*i + 1
		if c >= last {
			break
		}
		if c+1 < last && h[c+1].position < h[c].position {
			c++
		}
		if h[i].position <= h[c].position {
			break
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
	return first, h
}
