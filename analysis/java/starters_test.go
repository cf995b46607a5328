package java

import (
	"testing"

	"tierscope/analysis/trace"
)

// Main submits a producer and a consumer to an executor, each of which starts a worker, at 10 and 20 ns. Both are at work when
// the last one is submitted: the executor only starts threads, each of its own kind, where its task is submitted. If a third task
// is submitted, which a worker takes later, or the first was over before the second began, they are workers of a pool.
func TestAnExecutorThatOnlyStartsThreadsIsNone(t *testing.T) {
	t.Parallel()
	const executor = 7
	pair := func(op trace.Op, from, to, got int64) []trace.Record {
		return []trace.Record{{Time: from, Op: op, Object: executor, Site: 1}, {Time: to, Op: op, Object: executor, Site: 1, End: true, Arg: got}}
	}
	for _, c := range []struct {
		name    string
		over    int64 // when the first task is
		third   bool
		starter bool
	}{{"two tasks at a time", 90, false, true}, {"one more task than workers", 90, true, false}, {"one task after the other", 15, false, false}} {
		main := &jthread{}
		main.ID = 1
		main.Records = append([]trace.Record{{Op: trace.OpSpawn, Value: 2, Site: 30}, {Op: trace.OpSpawn, Value: 3, Site: 31}}, append(pair(trace.OpSend, 10, 12, 1), pair(trace.OpSend, 20, 22, 1)...)...)
		worker := func(id int64, start string, over int64) *jthread {
			th := &jthread{}
			th.ID, th.Start, th.Ended = id, start, 100
			th.Records = append(pair(trace.OpReceive, 0, 0, 1), pair(trace.OpReceive, over, 95, 0)...)
			return th
		}
		if c.third {
			main.Records = append(main.Records, pair(trace.OpSend, 40, 41, 1)...)
		}
		d := &decoder{thread: map[int64]*jthread{1: main, 2: worker(2, "Producer.run", c.over), 3: worker(3, "Consumer.run", 90)},
			workers: map[uint32][]int64{executor: {2, 3}}, firsts: map[int64]*spawned{2: {time: 11}, 3: {time: 21}}}
		found := d.starters()
		if (len(found) == 1) != c.starter {
			t.Errorf("%s: it only starts threads is %t, want %t", c.name, len(found) == 1, c.starter)
			continue
		}
		d.uniteWorkers(found)
		tr := &trace.Trace{Threads: []trace.Thread{main.Thread, d.thread[2].Thread, d.thread[3].Thread}}
		startThreads(tr, found)
		if !c.starter {
			continue
		}
		rs := tr.Threads[0].Records
		if len(rs) != 2 || rs[0].Op != trace.OpSpawn || rs[0].Time != 10 || rs[0].Value != 2 || rs[1].Time != 20 || rs[1].Value != 3 || rs[1].Site != 31 {
			t.Errorf("%s: main does %+v, want two starts at 10 and 20 ns", c.name, rs)
		}
		for i, want := range []trace.Thread{{Start: "Producer.run", Born: 10}, {Start: "Consumer.run", Born: 20}} {
			if th := tr.Threads[i+1]; th.Start != want.Start || th.Born != want.Born || len(th.Records) != 0 {
				t.Errorf("%s: a worker runs %s from %d ns on and does %+v, want %s from %d ns", c.name, th.Start, th.Born, th.Records, want.Start, want.Born)
			}
		}
	}
}
