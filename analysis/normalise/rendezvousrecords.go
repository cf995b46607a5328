package normalise

import (
	"cmp"
	"slices"

	"tierscope/analysis/trace"
)

// apart reports whether edits of threads do not overlap with each other, nor with others.
func apart(all ...map[int][]edit) bool {
	by := map[int][]edit{}
	for _, edits := range all {
		for i, es := range edits {
			by[i] = append(by[i], es...)
		}
	}
	for _, es := range by {
		slices.SortStableFunc(es, byPlace)
		for k := 1; k < len(es); k++ {
			if es[k].first < es[k-1].past {
				return false
			}
		}
	}
	return true
}

// arrivals puts arrivals at a barrier in the place of the waits, and where others come last.
func (m *meeting) arrivals(t *trace.Trace, object uint64) map[int][]edit {
	edits := map[int][]edit{}
	used, waits := map[message]bool{}, map[int][]look{}
	for _, r := range m.rounds {
		for _, l := range r {
			waits[l.thread] = append(waits[l.thread], l)
		}
	}
	for _, ls := range waits {
		slices.SortFunc(ls, func(a, b look) int { return cmp.Compare(a.first, b.first) })
	}
	for _, r := range m.rounds {
		site, here := r.site(t), map[int]bool{}
		arrives := func(first, last trace.Record) []trace.Record {
			for _, x := range []*trace.Record{&first, &last} {
				x.Op, x.Object, x.Site, x.Arg, x.Value = trace.OpBarrier, object, site, 0, 0
			}
			first.End, last.End = false, true
			return []trace.Record{first, last}
		}
		for _, l := range r {
			rs := t.Threads[l.thread].Records
			here[l.thread] = true
			edits[l.thread] = append(edits[l.thread], edit{l.first, l.past, arrives(rs[l.first], rs[l.past-1])})
		}
		for _, i := range m.threads {
			th := &t.Threads[i]
			if here[i] || th.Born > r.over() || len(th.Records) == 0 {
				continue
			}
			if k := m.wakesIn(t, r, i); k >= 0 && !used[message{i, k}] {
				used[message{i, k}] = true
				edits[i] = append(edits[i], edit{k - 1, k + 1, arrives(th.Records[k-1], th.Records[k])})
				continue
			}
			at := comes(th, r.over())
			k, _ := slices.BinarySearchFunc(waits[i], at, func(l look, at int) int { return cmp.Compare(l.past, at+1) })
			if k < len(waits[i]) && waits[i][k].first < at { // it had been looking for what came next already
				at = waits[i][k].first
			}
			edits[i] = append(edits[i], edit{at, at, arrives(between(th, at, r.over()), between(th, at, r.over()))})
		}
	}
	for i, ks := range m.wakes {
		for _, k := range ks {
			if !used[message{i, k}] {
				edits[i] = append(edits[i], edit{k - 1, k + 1, nil})
			}
		}
	}
	return edits
}

// wakesIn is the record with which a thread wakes those that wait in a round; −1: there is none.
func (m *meeting) wakesIn(t *trace.Trace, r meetingRound, thread int) int {
	begun, ended := r[len(r)-1].begin, slices.MaxFunc(r, func(a, b look) int { return cmp.Compare(a.end, b.end) }).end
	rs, ks := t.Threads[thread].Records, m.wakes[thread]
	i, _ := slices.BinarySearchFunc(ks, begun, func(k int, at int64) int { return cmp.Compare(rs[k].Time, at) })
	if i < len(ks) && rs[ks[i]].Time <= ended {
		return ks[i]
	}
	return -1
}

// comes is the record of a thread before which something was done at a time, in none of its operations.
func comes(th *trace.Thread, at int64) int {
	k, _ := slices.BinarySearchFunc(th.Records, at+1, func(r trace.Record, at int64) int { return cmp.Compare(r.Time, at) })
	for k > 0 && k < len(th.Records) && th.Records[k].End {
		k--
	}
	return k
}

// between is a record of a thread before its k-th, at a time or as near to it as can be.
func between(th *trace.Thread, k int, at int64) (r trace.Record) {
	if k > 0 {
		r = th.Records[k-1]
		at = max(at, r.Time)
	}
	if k < len(th.Records) {
		at = min(at, th.Records[k].Time)
	}
	r.Time, r.CPU = at, max(r.CPU, cpuAt(th, at))
	return r
}
