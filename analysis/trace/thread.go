package trace

import (
	"cmp"
	"slices"
)

// ReadyUntil is how long a thread was ready without a core before its last record up to a time.
func (th *Thread) ReadyUntil(at int64) int64 {
	n, _ := slices.BinarySearchFunc(th.Records, at, func(r Record, at int64) int {
		return cmp.Or(cmp.Compare(r.Time, at), -1) // at the same time: before
	})
	if n == 0 {
		return 0
	}
	return th.Records[n-1].Ready
}
