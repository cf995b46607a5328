package normalise

import (
	"cmp"
	"fmt"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core/quantity"
)

// Many programs start others and wait for them: linters ask the go command what there
// is to check, build tools run compilers. What a child computes competes with the
// program for the same cores. The records know how much it was (Record.Arg at the end
// of an OpExternal); in the model the thread that waits does it.

// ChildWait is a wait of a thread for a process to end.
type ChildWait struct {
	thread, record int // of the start of the wait
	from, to       int64
	cpu            int64 // ns that the child used
}

// ChildrenCompute returns the trace in which threads that wait for processes use the
// CPU time of these. What is left of a wait is a delay: the time that the child would
// have needed beyond its CPU time had it had a core whenever it could use one. Where
// more children than cores were waited for, their cores are taken to have been shared
// equally, and it is delayed no longer than some core had nothing to do for any of them. A child that computed on several cores at a time is as slow as on those that
// it had.
func ChildrenCompute(t *trace.Trace) *trace.Trace {
	waits := ChildWaits(t)
	if len(waits) == 0 {
		return t
	}
	out := *t
	out.Threads = slices.Clone(t.Threads)
	stretch := stretches(waits, max(t.Cores, 1))
	for i := 0; i < len(waits); {
		th := &out.Threads[waits[i].thread]
		rs := slices.Clone(th.Records)
		sum, from := int64(0), 0
		for ; i < len(waits) && &out.Threads[waits[i].thread] == th; i++ {
			w := waits[i]
			later(rs[from:w.record], sum)
			used := min(w.cpu, w.to-w.from)
			sum += used
			needs := max(int64(float64(used)*stretch[i]), w.to-w.from-idle(t, w, waits))
			start := &rs[w.record]
			start.Time = max(w.from, min(w.to, w.from+needs))
			later(rs[w.record:w.record+1], sum)
			from = w.record + 1
		}
		later(rs[from:], sum)
		th.Records = rs
	}
	return &out
}

// assumeChildren says what the model does for processes that the program starts.
func assumeChildren(tr *trail.Trail) {
	waits := ChildWaits(tr.Input.Trace)
	cpu := 0.0
	for _, w := range waits {
		cpu += 1e-9 * float64(w.cpu)
	}
	if len(waits) > 0 {
		tr.Assume(fmt.Sprintf("the program waits %d times for another process; together these used %s of CPU, which the threads that wait use in the model", len(waits), quantity.Format(cpu, "s")))
	}
}

// later adds CPU time to the records.
func later(rs []trace.Record, cpu int64) {
	for i := range rs {
		rs[i].CPU += cpu
	}
}

// ChildWaits lists the waits for children that computed, by thread and time.
func ChildWaits(t *trace.Trace) (waits []ChildWait) {
	for i := range t.Threads {
		rs := t.Threads[i].Records
		for k := range rs[:max(len(rs)-1, 0)] {
			if end := &rs[k+1]; rs[k].Op == trace.OpExternal && !rs[k].End && end.Op == trace.OpExternal && end.End && end.Arg > 0 {
				waits = append(waits, ChildWait{i, k, rs[k].Time, end.Time, end.Arg})
			}
		}
	}
	return waits
}

// stretches returns by which factor the children ran slower than alone because there
// were more of them than cores: the mean over each wait.
func stretches(waits []ChildWait, cores int) []float64 {
	type change struct {
		at    int64
		which int
		more  int
	}
	var changes []change
	for i, w := range waits {
		changes = append(changes, change{w.from, i, 1}, change{w.to, i, -1})
	}
	slices.SortFunc(changes, func(a, b change) int { return cmp.Or(cmp.Compare(a.at, b.at), a.more-b.more) })
	sum := make([]float64, len(waits))
	begun := make([]float64, len(waits))
	total, last, active := 0.0, int64(0), 0 // total: ns, each as long as the children needed for it
	for _, c := range changes {
		total += float64(c.at-last) * max(1, float64(active)/float64(cores))
		last = c.at
		active += c.more
		if c.more > 0 {
			begun[c.which] = total
		} else {
			sum[c.which] = total - begun[c.which]
		}
	}
	for i, w := range waits {
		sum[i] /= float64(max(w.to-w.from, 1))
	}
	return sum
}

// idle is how much time of cores neither the threads of the program nor the children used while
// one of these was waited for, ns.
func idle(t *trace.Trace, w ChildWait, all []ChildWait) int64 {
	left := int64(max(t.Cores, 1)) * (w.to - w.from)
	for i := range t.Threads {
		th := &t.Threads[i]
		if n := len(th.Records); n > 0 && th.Born < w.to && th.Records[n-1].Time > w.from {
			left -= cpuAt(th, w.to) - cpuAt(th, w.from)
		}
	}
	for _, c := range all {
		if together := min(c.to, w.to) - max(c.from, w.from); together > 0 {
			left -= int64(float64(min(c.cpu, c.to-c.from)) * float64(together) / float64(c.to-c.from))
		}
	}
	return max(left, 0)
}

// cpuAt is the CPU time that a thread had used at a time, spread evenly between records.
func cpuAt(th *trace.Thread, at int64) int64 {
	rs := th.Records
	k, _ := slices.BinarySearchFunc(rs, at, func(r trace.Record, at int64) int { return cmp.Compare(r.Time, at) })
	if k == len(rs) {
		return rs[k-1].CPU
	}
	since, used := th.Born, int64(0)
	if k > 0 {
		since, used = rs[k-1].Time, rs[k-1].CPU
	}
	next := &rs[k]
	return used + int64(float64(next.CPU-used)*float64(max(0, at-since))/float64(max(1, next.Time-since)))
}
