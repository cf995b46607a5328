package trace

import (
	"cmp"
	"slices"
)

// Change is a step of a number that grows and falls in time: threads that are alive, items in a queue.
type Change struct {
	At int64 // ns
	By int
}

// Running returns the least and the largest value that a number has which begins at 0. What happens at one
// moment happens in the order of the changes, or, leaving, falls before it grows.
func Running(changes []Change, leaving bool) (least, most int) {
	slices.SortStableFunc(changes, func(a, b Change) int {
		if leaving {
			return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.By, b.By))
		}
		return cmp.Compare(a.At, b.At)
	})
	n := 0
	for _, c := range changes {
		n += c.By
		least, most = min(least, n), max(most, n)
	}
	return least, most
}
