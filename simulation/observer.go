package simulation

import "tierscope/simulation/des"

// Observer is told what every simulated thread does, as the probes in a real
// program would be. Its methods are called in the order of simulated time,
// from one goroutine.
type Observer interface {
	// ThreadStarted is called when a thread of a pool starts, ThreadEnded when
	// it ends. Numbers of threads are given again after an end.
	ThreadStarted(at des.Time, thread int32, pool string, parent int32)
	ThreadEnded(at des.Time, thread int32)
	// FragmentStarted and FragmentEnded enclose every execution of a fragment.
	FragmentStarted(at des.Time, thread int32, f FragmentRun)
	FragmentEnded(at des.Time, thread int32, f FragmentRun)
}

// FragmentRun is one execution of a code fragment by a simulated thread.
type FragmentRun struct {
	Graph, Fragment string
	Object          string   // lock, queue, pool, disk or sink that it addresses, "" if none
	Instance        int32    // of a striped or scoped lock or queue; 0 otherwise
	Task            int64    // number of the task that the thread works on, −1: none
	CPU             des.Time // used by the thread in this execution so far
	Failed          bool     // at the end: timed out, or found nothing
}

// observedCopy is the instance of a lock or queue that a thread waits for or,
// of a lock, the one that it holds.
func (r *replica) observedCopy(th *thread, f *fragment) int32 {
	if th.waitsFor != none {
		return th.waitsFor
	}
	if f.op == opLock {
		for k := len(th.held) - 1; k >= 0; k-- {
			if th.held[k].object == f.object {
				return th.held[k].copy
			}
		}
	}
	return none
}

// observed describes the present execution of a thread.
func (r *replica) observed(t int32, th *thread) FragmentRun {
	f := &r.fragments[th.at]
	x := FragmentRun{Graph: r.graphs[f.graph].id, Fragment: f.id, Task: -1, CPU: th.used, Failed: th.failed}
	if th.task != none {
		x.Task = r.tasks[th.task].number
	}
	switch f.op {
	case opLock, opIn, opSend, opClose, opMake:
		x.Object = r.program.objects[f.object].id
	case opNew, opFinish:
		if f.object != none {
			x.Object = r.program.objects[f.object].id
		}
	case opSpawn, opJoin:
		x.Object = r.program.pools[f.object].id
	case opIO:
		x.Object = r.program.disks[f.object].ID
	case opCPU, opDispatch, opMark, opDelay, opSelect, opLoop:
	}
	if copy := r.observedCopy(th, f); copy != none {
		x.Instance = copy - r.objects[r.copies[copy].object].first
	}
	return x
}
