package session

import (
	"cmp"
	"slices"

	"tierscope/analysis"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// deed is when a thread did something that may let another one go on.
type deed struct {
	at     int64 // ns
	thread int
	op     trace.Op
}

// thing is what it did that at.
type thing struct {
	resource *trail.Resource
	object   uint64
}

// wakers know who let the threads of a recorded run go on.
type wakers struct {
	threads []analysis.RecordedThread
	deeds   map[thing][]deed // in order of time
	index   map[int64]int    // of threads, by ID
}

func wakersOf(threads []analysis.RecordedThread) *wakers {
	w := &wakers{threads: threads, deeds: map[thing][]deed{}, index: map[int64]int{}}
	for n, th := range threads {
		w.index[th.Thread.ID] = n
		for i := range th.Steps {
			if step := &th.Steps[i]; step.Lock != nil && trace.Wakes(step.Node.Op) {
				of := thing{step.Lock, step.Object}
				w.deeds[of] = append(w.deeds[of], deed{takesEffect(step), n, step.Node.Op})
			}
		}
	}
	for _, all := range w.deeds {
		slices.SortStableFunc(all, func(a, b deed) int { return cmp.Compare(a.at, b.at) })
	}
	return w
}

// takesEffect is from when on others may go on: who passes something on has done so at the end, who leaves or arrives at the
// beginning.
func takesEffect(step *trail.Step) int64 {
	switch step.Node.Op {
	case trace.OpSend, trace.OpReceive, trace.OpTrySend, trace.OpTryReceive, trace.OpSelect:
		return step.End
	}
	return step.Start
}

// starter is who started a thread, −1: not known.
func (w *wakers) starter(n int) int {
	if parent, ok := w.index[w.threads[n].Thread.Parent]; ok && parent != n {
		return parent
	}
	return -1
}

// ender is who ended the wait of a thread in a step, −1: not known. It is the one that did the last thing there before that lets
// such a wait end; who waits for threads goes on when the last one ends that it has started.
func (w *wakers) ender(n int, step *trail.Step) int {
	all := w.deeds[thing{step.Lock, step.Object}]
	i, _ := slices.BinarySearchFunc(all, step.End+1, func(d deed, t int64) int { return cmp.Compare(d.at, t) })
	for i--; step.Lock != nil && i >= 0 && all[i].at > step.Start; i-- {
		if d := all[i]; d.thread != n && (d.op != step.Node.Op || d.op == trace.OpBarrier || d.op == trace.OpSelect) {
			return d.thread
		}
	}
	if step.Node.Class != core.JoinFragment {
		return -1
	}
	last, ended := -1, step.Start
	for i, th := range w.threads {
		if th.Thread.Parent == w.threads[n].Thread.ID && th.Thread.Ended > ended && th.Thread.Ended <= step.End {
			last, ended = i, th.Thread.Ended
		}
	}
	return last
}
