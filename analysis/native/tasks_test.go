package native

import (
	"testing"

	"tierscope/analysis/native/recorder"
	"tierscope/analysis/trace"
)

// The program fails if a task is lost, gets arguments that are not its own, or where they do not belong (tasks.cc). Its tasks are pieces
// that its teams take.
func TestTasksOfOpenMPAreExecutedAsTheyAre(t *testing.T) {
	t.Parallel()
	exe := compiled(t, "g++", "tasks.cc", "-O2", "-fopenmp")
	_, tr, err := recordedRun(t, exe, []string{"3"})
	if err != nil {
		t.Fatal(err)
	}
	got := 0
	for _, th := range tr.Threads {
		for _, r := range th.Records {
			if r.Op == trace.OpTryReceive && r.End && r.Arg == 1 {
				got++
			}
		}
	}
	// 8 trees of 2·(2⁶ − 1) tasks and a chain of 50; what is final or not deferred is executed where it is made, and is a task all the same,
	// unless what contains it is final: the library makes none then.
	if least, most := 8*2*(1<<3)+50, 8*2*(1<<6)+50+3; got < least || got > most {
		t.Errorf("%d pieces were taken, want %d to %d", got, least, most)
	}
}

// CPU time of a thread that looks for tasks is none of its work, the meeting to which it has come is after those that it finds there,
// and one that found none where others did has looked.
func TestTasksArePiecesBeforeTheMeetingInWhichTheyAreExecuted(t *testing.T) {
	t.Parallel()
	r := &recording{threads: map[int64]*recorded{1: {}, 2: {}}}
	add := func(id, at int64, op trace.Op, end bool, context uint32) {
		r.threads[id].hits = append(r.threads[id].hits, hit{time: 10 * at, cpu: at, op: op, end: end, object: 5, context: context})
	}
	for id := range r.threads {
		add(id, 0, recorder.Team, false, 1)
		add(id, 10, recorder.Meet, false, 2)
	}
	add(1, 15, recorder.Task, false, 3) // for 5 it looked for one
	add(1, 25, recorder.Task, true, 3)
	add(1, 26, recorder.Task, false, 3)
	add(1, 30, recorder.Task, false, 4) // in a wait inside of the other one
	add(1, 34, recorder.Task, true, 4)
	add(1, 36, recorder.Task, true, 3)
	for id := range r.threads {
		add(id, 50, recorder.Meet, true, 2)
		add(id, 60, recorder.Team, true, 1)
	}
	r.takeTasks()
	for id, want := range map[int64][]hit{
		1: {{op: recorder.Team}, {op: recorder.Piece, time: 150, cpu: 10}, {op: recorder.Piece, time: 260, cpu: 20}, {op: recorder.Piece, time: 300, cpu: 24},
			{op: recorder.Piece, time: 360, cpu: 30, arg: -1}, {op: recorder.Meet, time: 360, cpu: 30}, {op: recorder.Meet, end: true, time: 500, cpu: 44}, {op: recorder.Team, end: true, time: 600, cpu: 54}},
		2: {{op: recorder.Team}, {op: recorder.Piece, time: 100, cpu: 10, arg: -1}, {op: recorder.Meet, time: 100, cpu: 10}, {op: recorder.Meet, end: true, time: 500, cpu: 50}, {op: recorder.Team, end: true, time: 600, cpu: 60}},
	} {
		hits := r.threads[id].hits
		if len(hits) != len(want) {
			t.Fatalf("thread %d: %d records %+v, want %d", id, len(hits), hits, len(want))
		}
		for i, h := range hits {
			if w := want[i]; h.op != w.op || h.end != w.end || h.time != w.time || h.cpu != w.cpu || h.op == recorder.Piece && h.arg != w.arg {
				t.Errorf("thread %d, record %d: %+v, want %+v", id, i, h, w)
			}
		}
	}
	if r.looking != 6 {
		t.Errorf("threads looked for tasks for %d ns, want 6", r.looking)
	}
}
