package java

import (
	"testing"

	"tierscope/analysis/trace"
)

// An executor starts a worker for each of its first tasks: here one where a task is submitted at line 30, later one at line 31,
// and the tasks are different. They are one pool all the same: that of the executor. A worker of another executor stays.
func TestTheWorkersOfAnExecutorAreOnePool(t *testing.T) {
	t.Parallel()
	worker := func(id int64, start string, creator int32) *jthread {
		th := &jthread{}
		th.ID, th.Start, th.Creator = id, start, creator
		return th
	}
	main := &jthread{}
	main.Records = []trace.Record{{Op: trace.OpSpawn, Value: 2, Site: 30}, {Op: trace.OpSpawn, Value: 3, Site: 31}, {Op: trace.OpSpawn, Value: 9, Site: 50}}
	d := &decoder{thread: map[int64]*jthread{1: main, 2: worker(2, "Price.run", 30), 3: worker(3, "Stock.run", 31), 4: worker(4, "Stock.run", 31), 9: worker(9, "Other.run", 50)},
		workers: map[uint32][]int64{7: {3, 2, 4}, 8: {9}}, firsts: map[int64]*spawned{2: {time: 10}, 3: {time: 20}, 4: {time: 30}, 9: {time: 5}}}
	d.uniteWorkers(nil)
	for _, id := range []int64{2, 3, 4} {
		if th := d.thread[id]; th.Start != "Stock.run" || th.Creator != 30 {
			t.Errorf("worker %d runs %s and was started at %d, want what most run, Stock.run, where the first was, 30", id, th.Start, th.Creator)
		}
	}
	if th := d.thread[9]; th.Start != "Other.run" || th.Creator != 50 || main.Records[2].Site != 50 {
		t.Errorf("the worker of another executor runs %s and was started at %d", th.Start, th.Creator)
	}
	if main.Records[1].Site != 30 {
		t.Errorf("the second is started at %d, want 30, as the first", main.Records[1].Site)
	}
}

// A worker that submits a task while the executor has too few workers starts another one: in the model who started the first
// starts that one too, at the same time.
func TestAWorkerDoesNotStartOthersOfItsExecutor(t *testing.T) {
	t.Parallel()
	worker := func(id, parent int64, creator int32) *jthread {
		th := &jthread{}
		th.ID, th.Parent, th.Start, th.Creator, th.Born = id, parent, "Stock.run", creator, 100*id
		return th
	}
	main := &jthread{}
	main.ID = 1
	main.Records = []trace.Record{{Op: trace.OpSpawn, Value: 2, Site: 30, Time: 200}, {Op: trace.OpSend, Object: 7, Time: 210}}
	second := worker(3, 2, 31)
	second.Records = []trace.Record{{Op: trace.OpSpawn, Value: 4, Site: 31, Time: 400}}
	first := worker(2, 1, 30)
	first.Records = []trace.Record{{Op: trace.OpSpawn, Value: 3, Site: 31, Time: 300}}
	d := &decoder{thread: map[int64]*jthread{1: main, 2: first, 3: second, 4: worker(4, 3, 31)},
		workers: map[uint32][]int64{7: {2, 3, 4}}, firsts: map[int64]*spawned{2: {time: 200}, 3: {time: 300}, 4: {time: 400}}}
	d.uniteWorkers(nil)
	for _, id := range []int64{2, 3, 4} {
		if th := d.thread[id]; th.Parent != 1 || th.Born != 200 || len(th.Records) != 0 {
			t.Errorf("worker %d was started by %d at %d ns and does %v, want by main at 200 ns", id, th.Parent, th.Born, th.Records)
		}
	}
	if n := len(main.Records); n != 4 || main.Records[1].Op != trace.OpSpawn || main.Records[2].Op != trace.OpSpawn || main.Records[2].Time != 200 {
		t.Errorf("main does %v, want three starts and what it sends", main.Records)
	}
}

// The first task of a worker is the one with whose submission it was started, and it waits for that from where its executor was made on.
func TestTheFirstTaskOfAWorkerIsTheOneThatStartedIt(t *testing.T) {
	t.Parallel()
	const executor = 7
	worker := func(id int64) *jthread {
		th := &jthread{}
		th.ID, th.Parent, th.Born = id, 1, 50
		th.Records = []trace.Record{{Time: 50, Op: trace.OpReceive, Object: executor}, {Time: 50, Op: trace.OpReceive, Object: executor, End: true, Arg: 1}}
		return th
	}
	client := &jthread{}
	for k, value := range []uint64{11, 12, 13} {
		at := 100 * int64(k+1)
		client.Records = append(client.Records, trace.Record{Time: at, Op: trace.OpSend, Object: executor}, trace.Record{Time: at + 40, Op: trace.OpSend, Object: executor, End: true, Value: value})
	}
	d := &decoder{thread: map[int64]*jthread{9: client, 2: worker(2), 3: worker(3), 4: worker(4)}, workers: map[uint32][]int64{executor: {3, 2, 4}},
		firsts: map[int64]*spawned{2: {parent: 9, time: 120}, 3: {parent: 9, time: 330}, 4: {parent: 9, time: 170}}}
	d.knowFirstTasks()
	for id, want := range map[int64]trace.Record{2: {Value: 11, Time: 120}, 3: {Value: 13, Time: 330}, 4: {Value: 0, Time: 50}} {
		if got := d.thread[id].Records[1]; got.Value != want.Value || got.Time != want.Time {
			t.Errorf("worker %d gets task %d at %d ns first, want %d at %d", id, got.Value, got.Time, want.Value, want.Time)
		}
	}
}
