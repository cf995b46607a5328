package session

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"tierscope/analysis"
	"tierscope/analysis/stage"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
	"tierscope/simulation/des"
	"tierscope/simulation/timeline"
)

// HasRecording reports whether the project has kept the run that its model was made from.
func (s *Session) HasRecording() bool {
	if s.project == nil {
		return false
	}
	_, err := os.Stat(s.project.Path("analysis", "trace"))
	return err == nil
}

// recorded reads the run that the model in a project was made from as a timeline: what every thread did, and who held
// which lock. It has no lanes of cores, and does not tell computing from waiting for a core. The threads of a pool are
// called like those of a simulated run, whose lanes begin with the same.
func recorded(dir string, simulated *timeline.Recording) (*timeline.Recording, error) {
	in, err := stage.Inputs(dir)
	if err != nil {
		return nil, err
	}
	threads, err := analysis.Recorded(in)
	if err != nil {
		return nil, err
	}
	names := map[string][]string{} // by pool
	for _, l := range simulated.Lanes {
		if i := strings.LastIndex(l.Name, " #"); l.Group == timeline.Threads && i > 0 {
			names[l.Name[:i]] = append(names[l.Name[:i]], l.Name)
		}
	}
	r := timeline.New(mostSpans)
	var lanes []int32
	var called []string
	for n, th := range threads {
		name := fmt.Sprintf("%s #%d, recorded only", th.Pool, n)
		if free := names[th.Pool]; len(free) > 0 {
			name, names[th.Pool] = free[0], free[1:]
		}
		lanes, called = append(lanes, r.Lane(timeline.Threads, name)), append(called, name)
	}
	wakers := wakersOf(threads)
	woke := func(n int, at int64, by int) {
		if by >= 0 {
			r.Woke(lanes[n], des.Time(at), lanes[by])
		}
	}
	held := map[*trail.Resource][]holding{}
	end := des.Time(0)
	for n, th := range threads {
		at := th.Steps[0].End
		woke(n, at, wakers.starter(n))
		for i := range th.Steps[1:] {
			step := &th.Steps[i+1]
			r.Set(lanes[n], des.Time(at), timeline.Running, r.Label("computes"), timeline.NoTask)
			state, label := stateOf(step)
			r.Set(lanes[n], des.Time(step.Start), state, r.Label(label), timeline.NoTask)
			if at = step.End; state != timeline.Running {
				woke(n, at, wakers.ender(n, step))
			}
		}
		r.Clear(lanes[n], des.Time(at))
		end = max(end, des.Time(at))
		for _, in := range (&trail.Sequence{Steps: th.Steps}).Regions() {
			held[in.Lock] = append(held[in.Lock], holding{called[n], des.Time(th.Steps[in.First].End), des.Time(th.Steps[in.Last].Start)})
		}
	}
	locks := make([]*trail.Resource, 0, len(held))
	for lock := range held {
		if lock != nil && lock.Kind.Exclusive() && len(lock.Objects) == 1 { // several have several holders at a time
			locks = append(locks, lock)
		}
	}
	slices.SortFunc(locks, func(a, b *trail.Resource) int { return cmp.Compare(a.ID, b.ID) })
	for _, lock := range locks {
		lane := r.Lane(timeline.Locks, lock.ID)
		slices.SortFunc(held[lock], func(a, b holding) int { return cmp.Compare(a.from, b.from) })
		last := des.Time(0)
		for _, h := range held[lock] {
			if h.from < last || h.to < h.from { // readers beside each other
				continue
			}
			r.Set(lane, h.from, timeline.Running, r.Label(h.by), timeline.NoTask)
			r.Clear(lane, h.to)
			last = h.to
		}
	}
	r.Finish(end)
	return r, nil
}

// holding is who held a lock from when to when.
type holding struct {
	by       string
	from, to des.Time
}

// stateOf is what a thread does during an operation, and what it is about.
func stateOf(step *trail.Step) (timeline.State, string) {
	what := step.Node.Op.String()
	if step.Lock != nil {
		what = step.Lock.ID
	}
	switch step.Node.Class {
	case core.SyncFragment:
		switch {
		case trace.Releases(step.Node.Op):
			return timeline.Running, what
		case step.Lock != nil && step.Lock.Task:
			return timeline.QueueWait, what
		}
		if step.Lock != nil && step.Lock.Kind.Held() && step.Node.Op != trace.OpCondWait {
			return timeline.LockWait, what
		}
		return timeline.SignalWait, what
	case core.InFragment, core.OutFragment:
		return timeline.QueueWait, what
	case core.IOFragment:
		return timeline.DiskService, what
	case core.DelayFragment:
		return timeline.Delay, what
	case core.JoinFragment:
		return timeline.Other, what
	case core.CPUFragment, core.FetchFragment, core.NoFetchFragment, core.LoopFragment, core.SpawnFragment, core.DispatchFragment:
	}
	return timeline.Running, what
}
