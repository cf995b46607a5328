package java

import (
	"testing"
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
