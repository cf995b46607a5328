package normalise

import (
	"cmp"
	"slices"

	"tierscope/analysis/trace"
)

// edit puts other records in the place of those from first to before past.
type edit struct {
	first, past int
	with        []trace.Record
}

// byPlace orders edits: what is put before a record comes before what takes its place.
func byPlace(a, b edit) int {
	return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.past, b.past))
}

// edited returns the trace with edits of its threads, by index; those of one
// thread do not overlap. The trace itself stays what it is.
func edited(t *trace.Trace, edits map[int][]edit) *trace.Trace {
	out := *t
	out.Threads = slices.Clone(t.Threads)
	for thread, es := range edits {
		slices.SortStableFunc(es, byPlace)
		rs := t.Threads[thread].Records
		var with []trace.Record
		from := 0
		for _, e := range es {
			if e.first > from { // what is put into what another edit takes out comes behind it
				with = append(with, rs[from:e.first]...)
			}
			with = append(with, e.with...)
			from = max(from, e.past)
		}
		out.Threads[thread].Records = append(with, rs[from:]...)
	}
	return &out
}
