package java

import (
	"testing"

	"tierscope/analysis/trace"
)

// A server that is loaded until it is warm starts workers of its pool meanwhile, when nothing
// but the starts of threads is recorded. Such a thread is a worker like those that were
// started before, as soon as it takes tasks; its first task is not known.
func TestAThreadThatTakesTasksIsAWorkerOfTheExecutor(t *testing.T) {
	t.Parallel()
	const executor, worker = 5, 19
	stack := func(function string, std bool) []trace.Frame {
		return []trace.Frame{{Function: function, Std: std}}
	}
	j := &journal{main: 1,
		made:   []made{{identity: executor, kind: "executor", capacity: -1, stack: stack("Server.main", false)}},
		spawns: []spawned{{parent: 1, child: worker, class: "java/lang/Thread", stack: stack("ThreadPoolExecutor.addWorker", true)}}}
	in := &instrumented{probes: []probe{{}, {frame: trace.Frame{Function: "ThreadPoolExecutor.getTask", Std: true}, op: trace.OpReceive, kind: "executor"}}}
	d := &decoder{rec: &recording{}, log: j, in: in, trace: &trace.Trace{}, sites: map[string]int32{}, bySite: map[place]int32{},
		thread: map[int64]*jthread{}, named: map[uint32]int64{}, objects: map[uint32]*made{}, firsts: map[int64]*spawned{}}
	d.readLog()
	th := d.threadOf(worker)
	rec := trace.Record{Time: 100, Op: trace.OpReceive, Object: executor}
	d.adjust(th, &in.probes[1], &rec, &hit24{probe: 1, object: executor}, &hit24{object: executor}, map[uint64]int{})
	if th.executor != executor || d.trace.Sites[th.Creator].Frames[0].Function != "Server.main" {
		t.Errorf("worker of executor %d, started at %v", th.executor, d.trace.Sites[th.Creator].Frames)
	}
	if len(th.Records) != 0 {
		t.Errorf("%d records of a first task that nobody saw", len(th.Records))
	}
}
