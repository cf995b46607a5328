package java

import (
	"testing"

	"tierscope/analysis/trace"
)

// forkEvents writes events of a thread as text: "w" a call that waits begins, "W"
// it ends, "t" a task begins, "T" it ends; one every 10 ns.
func forkEvents(text string) (es []forkEvent) {
	for i, c := range text {
		if c == '.' {
			continue
		}
		e := forkEvent{hit24: hit24{time: int64(10 * (i + 1)), cpu: int64(10 * (i + 1)), end: c == 'W' || c == 'T'}, waits: c == 'w' || c == 'W'}
		es = append(es, e)
	}
	return es
}

// A caller waits from 10 to 80 ns, and works on a task meanwhile, inside of which
// it waits for another one that it executes itself. That is one call, and two
// pieces of work: until the inner task begins, and from there on. A worker has
// two tasks in that time, and one later for which nobody waits.
func TestTasksThatRunInsideOfTasksArePiecesOfWork(t *testing.T) {
	t.Parallel()
	caller := forkEvents("wtwtTWTW")
	regions := regionsOf(1, caller)
	if len(regions) != 1 || regions[0].begin.time != 10 || regions[0].end.time != 80 {
		t.Fatalf("calls that wait: %+v, want one from 10 to 80 ns", regions)
	}
	var begins, ends []int64
	for _, p := range piecesOf(caller, regions) {
		begins, ends = append(begins, p.begin.time), append(ends, p.end.time)
	}
	if len(begins) != 2 || begins[0] != 20 || ends[0] != 40 || begins[1] != 40 || ends[1] != 70 {
		t.Errorf("pieces of the caller from %v to %v ns, want 20 to 40 and 40 to 70", begins, ends)
	}
	ps := piecesOf(forkEvents("tTtT....tT"), regions)
	if len(ps) != 2 || ps[1].idle.time != 20 || ps[1].begin.time != 30 {
		t.Errorf("pieces of the worker: %+v, want two, the second begun at 30 ns after it was idle since 20", ps)
	}
	if regions[0].pieces != 4 {
		t.Errorf("the call waited for %d pieces, want 4", regions[0].pieces)
	}
}

// Of a pool of two threads, one waits from 30 to 100 ns for a task that the other has begun: it computed for 20 ns, from 10
// to 30 ns. Meanwhile a spare computes from 40 to 90 ns. Two threads did all of it: 20 ns and then 50 ns of the spare's,
// beside the 90 ns of the other.
func TestWhatSparesDidGoesToThoseThatStoodStill(t *testing.T) {
	t.Parallel()
	j := &journal{forkers: map[int64]forker{2: {7, 2}, 3: {7, 2}, 4: {7, 2}}}
	d := &decoder{log: j, thread: map[int64]*jthread{}}
	region := &forkRegion{begin: hit24{time: 5}, end: hit24{time: 105}}
	piece := func(from, to, cpu int64) forkPiece {
		return forkPiece{begin: forkEvent{hit24: hit24{time: from}}, end: forkEvent{hit24: hit24{time: to, cpu: cpu}}, region: region}
	}
	worker := func(id int64, ps ...forkPiece) forkWorker {
		d.thread[id] = &jthread{}
		d.thread[id].ID = id
		return forkWorker{d.thread[id], ps}
	}
	ws := d.asMany([]forkWorker{worker(2, piece(10, 100, 20)), worker(3, piece(12, 102, 90)), worker(4, piece(40, 90, 50))})
	if len(ws) != 2 || d.thread[4] != nil {
		t.Fatalf("%d workers, want as many as the pool has at work, 2", len(ws))
	}
	for _, w := range ws {
		want := map[int64][]int64{2: {20, 70}, 3: {90}}[w.thread.ID]
		if d.thread[w.thread.ID] != w.thread {
			t.Errorf("thread %d of the trace is not the one that does the work", w.thread.ID)
		}
		if len(w.pieces) != len(want) {
			t.Fatalf("thread %d has %d pieces, want CPU times at their ends of %v ns", w.thread.ID, len(w.pieces), want)
		}
		for i, p := range w.pieces {
			if p.end.cpu != want[i] {
				t.Errorf("thread %d had computed for %d ns at the end of piece %d, want %d", w.thread.ID, p.end.cpu, i, want[i])
			}
		}
		if p := w.pieces; len(p) == 2 && (p[0].end.time != 30 || p[1].begin.time != 40 || p[1].end.time != 90) {
			t.Errorf("pieces of thread %d end at %d ns and lie from %d to %d, want 30, and 40 to 90", w.thread.ID, p[0].end.time, p[1].begin.time, p[1].end.time)
		}
	}
}

// A pool of three threads of which two were started has three all the same: with more to do, the third works too.
func TestAForkJoinPoolIsAsLargeAsItsParallelism(t *testing.T) {
	t.Parallel()
	j := &journal{forkers: map[int64]forker{2: {7, 3}, 3: {7, 3}}}
	d := &decoder{log: j, thread: map[int64]*jthread{}, in: &instrumented{probes: make([]probe, 1)}, bySite: map[place]int32{}, trace: &trace.Trace{}}
	region := &forkRegion{begin: hit24{time: 5}, end: hit24{time: 105}}
	p := forkPiece{begin: forkEvent{hit24: hit24{time: 10}}, end: forkEvent{hit24: hit24{time: 20, cpu: 10}}, region: region}
	two, three := &jthread{}, &jthread{}
	two.ID, three.ID = 2, 3
	ws := d.asMany([]forkWorker{{two, []forkPiece{p}}, {three, []forkPiece{p}}})
	if len(ws) != 3 || len(ws[2].thread.Records) != 1 || ws[2].thread.Records[0].Op != trace.OpReceive {
		t.Errorf("%d workers, want 3, the last of which waits for work", len(ws))
	}
}
