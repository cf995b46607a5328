package waits

import (
	"cmp"
	"slices"

	"tierscope/analysis/diskio"
)

// turns counts how operations ask a disk for more than one thing.
type turns struct{ after, before int } // the one before was complete

// count adds the requests of an operation.
func (t *turns) count(requests []*diskio.Request) {
	asked := func(r *diskio.Request) int64 { return min(r.Queued, r.Issued) }
	slices.SortFunc(requests, func(a, b *diskio.Request) int { return cmp.Compare(asked(a), asked(b)) })
	for i := 1; i < len(requests); i++ {
		if asked(requests[i]) >= requests[i-1].Completed {
			t.after++
		} else {
			t.before++
		}
	}
}

// most reports whether they mostly ask for one after the other.
func (t *turns) most() bool { return t.after > t.before }
