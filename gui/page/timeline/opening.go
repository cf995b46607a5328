package timeline

import (
	"cmp"
	"slices"

	"tierscope/simulation/des"
	recording "tierscope/simulation/timeline"
)

// opened is how many tasks a timeline shows at first: each can be told from the
// next.
const opened = 20

// open shows some tasks in the middle of the recording, all of it if there are
// no more.
func (v *View) open() {
	v.Fit()
	if v.rec == nil {
		return
	}
	type extent struct{ from, to des.Time }
	tasks := map[int64]extent{}
	for _, l := range v.rec.Lanes {
		if l.Group != recording.Threads {
			continue
		}
		for _, s := range l.Spans {
			if s.Task == recording.NoTask {
				continue
			}
			e, ok := tasks[s.Task]
			if !ok {
				e = extent{s.Start, s.End}
			}
			tasks[s.Task] = extent{min(e.from, s.Start), max(e.to, s.End)}
		}
	}
	if len(tasks) <= opened {
		return
	}
	var all []extent
	for _, e := range tasks {
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b extent) int { return cmp.Compare(a.from, b.from) })
	some := all[(len(all)-opened)/2:][:opened]
	from, to := some[0].from, some[0].to
	for _, e := range some {
		to = max(to, e.to)
	}
	v.show(from, to-from)
}

// SetPath highlights a chain of what threads did, nil for none.
func (v *View) SetPath(path []recording.Segment) {
	v.path, v.turns = nil, along(path)
	if len(path) > 0 {
		v.path = map[string][]recording.Segment{}
		for _, s := range path {
			v.path[s.Thread] = append(v.path[s.Thread], s)
		}
	}
	v.redraw()
}

// SetCursor shows a moment, and what was before and after it.
func (v *View) SetCursor(at des.Time) {
	v.cursor = at
	v.point()
	if at < v.from || at > v.to {
		v.show(at-(v.to-v.from)/2, v.to-v.from)
	}
	v.redraw()
}
