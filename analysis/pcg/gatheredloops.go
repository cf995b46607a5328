package pcg

import (
	"cmp"
	"slices"

	"tierscope/analysis/trail"
	"tierscope/core"
)

// fewestGroups is how many groups of tasks a loop has to have gone through. Theory: what was as many as were taken each time in ten
// groups of two sizes at random is that in one of a thousand.
const fewestGroups = 10

// isGathered reports whether a loop goes round once for each task that its thread has taken since it was there last, as that of
// who has gathered tasks answers them: as often always, and not as often each time.
func isGathered(l *trail.Loop) bool {
	entries := slices.Clone(l.Entries)
	slices.SortStableFunc(entries, func(a, b trail.Iteration) int { return cmp.Compare(a.First, b.First) })
	since := map[*trail.Sequence]int{} // step from which on takes count
	groups, sizes := 0, map[int64]bool{}
	for _, e := range entries {
		switch {
		case e.Broken || taken(e.Seq, e.First, e.Past) > 0:
			return false
		case !e.Ended: // the recording ends here
			continue
		case taken(e.Seq, since[e.Seq], e.First) != e.Count():
			return false
		}
		since[e.Seq] = e.Past
		groups++
		sizes[e.Count()] = true
	}
	return groups >= fewestGroups && len(sizes) > 1
}

// taken is how many tasks a thread takes in some of its steps.
func taken(q *trail.Sequence, from, to int) (n int64) {
	for i := from; i < to; i++ {
		if q.Steps[i].Node.Class == core.FetchFragment {
			n++
		}
	}
	return n
}
