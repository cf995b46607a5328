package diskio

import (
	"cmp"
	"slices"
)

// Observation is a request with what it met on its way, on its own device.
type Observation struct {
	Request
	Overtaken int     // requests that were inserted later and issued earlier
	AtIssue   int     // requests in the device when it was issued, itself included
	InFlight  float64 // the same number averaged over its service
	Paced     bool    // of a load with pauses, in which what serves the device sleeps more deeply

	// With a number of servers assumed, as Model does:
	Start    int64   // when one began to serve it, ns
	Way      int64   // from Start on, to the device and back, ns
	AtStart  int     // requests in the device then, itself included
	Place    float64 // where it goes, 0…1 of the sectors in use
	Distance float64 // how far the head moved for it, in the same unit
}

// Observe finds what every complete request of a log met, in order of issue.
// Devices are independent of each other.
func Observe(requests []Request) []Observation {
	byDevice := map[uint64][]Observation{}
	var devices []uint64
	for _, r := range requests {
		if r.Issued == 0 || r.Completed < r.Issued || r.Type == "" {
			continue
		}
		if byDevice[r.Device] == nil {
			devices = append(devices, r.Device)
		}
		byDevice[r.Device] = append(byDevice[r.Device], Observation{Request: r})
	}
	slices.Sort(devices)
	var all []Observation
	for _, d := range devices {
		o := byDevice[d]
		slices.SortStableFunc(o, func(a, b Observation) int { return cmp.Compare(a.Issued, b.Issued) })
		countOvertaken(o, (*Observation).arrived, func(o *Observation) int64 { return o.Issued })
		countInFlight(o)
		all = append(all, o...)
	}
	return all
}

// countOvertaken counts, for every request, those that arrived later and left
// the queue earlier: inversions, by a Fenwick tree over the ranks of arrival.
func countOvertaken(requests []Observation, arrived, left func(*Observation) int64) {
	o := make([]*Observation, len(requests))
	for i := range requests {
		o[i] = &requests[i]
	}
	slices.SortStableFunc(o, func(a, b *Observation) int { return cmp.Compare(left(a), left(b)) })
	times := make([]int64, len(o))
	for i := range o {
		times[i] = arrived(o[i])
	}
	slices.Sort(times)
	tree := make([]int, len(o)+1)
	for i := range o {
		rank, _ := slices.BinarySearch(times, arrived(o[i])+1) // those that arrived no later
		before := 0
		for k := rank; k > 0; k -= k & -k {
			before += tree[k]
		}
		o[i].Overtaken = i - before
		for k := max(rank, 1); k <= len(o); k += k & -k {
			tree[k]++
		}
	}
}

// countInFlight follows the number in the device through all issues and
// completions.
func countInFlight(o []Observation) {
	type edge struct {
		at    int64
		rank  int // at the same time one leaves before the next enters, unless it has just entered
		which int
	}
	const (
		leaves = iota
		enters
		vanishes
	)
	edges := make([]edge, 0, 2*len(o))
	for i := range o {
		end := leaves
		if o[i].Service() == 0 {
			end = vanishes
		}
		edges = append(edges, edge{o[i].Issued, enters, i}, edge{o[i].Completed, end, i})
	}
	slices.SortFunc(edges, func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.rank, b.rank), cmp.Compare(a.which, b.which))
	})
	n, last, area := 0, int64(0), 0.0
	for _, e := range edges {
		if n > 0 {
			area += float64(n) * float64(e.at-last)
		}
		last = e.at
		r := &o[e.which]
		switch e.rank {
		case enters:
			n++
			r.AtIssue, r.InFlight = n, -area
		case leaves:
			n--
			r.InFlight = (r.InFlight + area) / float64(r.Service())
		case vanishes:
			n--
			r.InFlight = float64(r.AtIssue)
		}
	}
}
