package diskio

import (
	"cmp"
	"slices"
	"sort"
)

// Operation is one execution of an I/O fragment by a thread, from the probe
// before its system call to the probe after it.
type Operation struct {
	Thread     int64 // of the system; 0: not known
	Start, End int64 // ns, the clock of the log
	Writes     bool  // it may wait for requests that other threads issue for it: a write, an fsync
	CPU        int64 // time that the thread computed meanwhile, ns; 0: not known
}

// nobody is the operation of a request that belongs to none.
const nobody = -1

// Attribution says which operation every request of a log belongs to.
type Attribution struct {
	Of      []int  // by request: index of the operation, −1: none
	Late    []bool // by request: it completed after its operation, which did not wait for it
	Foreign int    // requests by threads that execute none of the operations
	Lost    int    // requests by threads of the program outside of all their operations
}

// Attribute gives each request to the operation with the largest intersection
// in time (Tarvo & Reiss 2014, §4.3.2) among those of the thread that asked for
// it. A request that another thread issued, such as the journal's, goes to the
// operation that contains it and waits for such things, the shortest if there
// are several. Operations that get none hit the cache: k = 0.
func Attribute(operations []Operation, requests []Request) Attribution {
	a := Attribution{Of: make([]int, len(requests)), Late: make([]bool, len(requests))}
	byThread := map[int64][]int{}
	var writes []int
	for i, o := range operations {
		byThread[o.Thread] = append(byThread[o.Thread], i)
		if o.Writes {
			writes = append(writes, i)
		}
	}
	byStart := func(x, y int) int { return cmp.Compare(operations[x].Start, operations[y].Start) }
	for _, is := range byThread {
		slices.SortFunc(is, byStart)
	}
	slices.SortFunc(writes, byStart)
	for i := range requests {
		r := &requests[i]
		begin := first(r.Queued, r.Inserted, r.Issued)
		own, ours := byThread[r.Thread]
		ours = ours && r.Thread != 0
		at := nobody
		if ours {
			at = largest(operations, own, begin, r.Completed)
		}
		if at == nobody && (r.Type == Write || r.Type == Flush) {
			at = around(operations, writes, begin, r.Completed)
		}
		a.Of[i] = at
		switch {
		case at != nobody:
			a.Late[i] = r.Completed > operations[at].End
		case ours:
			a.Lost++
		default:
			a.Foreign++
		}
	}
	return a
}

// largest returns the operation of one thread, ascending and disjoint, with the
// largest intersection with a time.
func largest(operations []Operation, own []int, begin, end int64) int {
	best, most := nobody, int64(-1)
	for k := sort.Search(len(own), func(k int) bool { return operations[own[k]].End >= begin }); k < len(own); k++ {
		o := &operations[own[k]]
		if o.Start > end {
			break
		}
		if common := min(o.End, end) - max(o.Start, begin); common > most {
			best, most = own[k], common
		}
	}
	return best
}

// around returns the shortest operation that contains a time.
func around(operations []Operation, candidates []int, begin, end int64) int {
	best := nobody
	for _, k := range candidates[:sort.Search(len(candidates), func(k int) bool { return operations[candidates[k]].Start > begin })] {
		o := &operations[k]
		if o.End >= end && (best == nobody || o.End-o.Start < operations[best].End-operations[best].Start) {
			best = k
		}
	}
	return best
}
