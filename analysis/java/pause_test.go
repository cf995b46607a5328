package java

import (
	"testing"

	"tierscope/analysis/diskio"
)

// Between 100 and 200 ns nothing was recorded. A thread that was in an operation
// from 90 to 210 used 50 ns of CPU meanwhile, which is taken out; what it
// used before and after stays.
func TestWhatIsUsedInTheGapIsTakenOut(t *testing.T) {
	t.Parallel()
	hits := []hit24{{time: 10, cpu: 5}, {time: 90, cpu: 20, ready: 1}, {time: 210, cpu: 70, ready: 11}, {time: 300, cpu: 80, ready: 12}}
	gap{from: 100, to: 200}.close(hits)
	for i, want := range []hit24{{cpu: 5}, {cpu: 20, ready: 1}, {cpu: 20, ready: 1}, {cpu: 30, ready: 2}} {
		if hits[i].cpu != want.cpu || hits[i].ready != want.ready {
			t.Errorf("hit %d: CPU %d, ready %d; want %d, %d", i, hits[i].cpu, hits[i].ready, want.cpu, want.ready)
		}
	}
}

// The log tells of the first objects of a place; of a read-write lock made there
// later the recording has the read lock and then the write lock.
func TestObjectsMadeAtAKnownPlaceAreLikeTheFirst(t *testing.T) {
	t.Parallel()
	j := &journal{made: []made{{time: 1, identity: 7, kind: "rwlock", part: 8, other: 9, place: 3}}}
	j.again([]remade{{time: 5, place: 3, identity: 17, part: 18}, {time: 5, place: 3, identity: 17, part: 19}, {time: 6, place: 4, identity: 27}})
	if len(j.made) != 2 {
		t.Fatalf("%d objects, want 2: of the third the place is not known", len(j.made))
	}
	if m := j.made[1]; m.time != 5 || m.identity != 17 || m.kind != "rwlock" || m.part != 18 || m.other != 19 {
		t.Errorf("the second is %+v", m)
	}
}

// The load of the work phase had ended at 250 ns after the start of the recording, at 1000
// of the clock: what is recorded later, by turns, is no part of the trace.
func TestWhatComesAfterTheWorkPhaseIsNoPartOfTheRecording(t *testing.T) {
	t.Parallel()
	r := &recording{zero: 1000, threads: map[int64][]hit24{1: {{time: 10}, {time: 249}, {time: 250}, {time: 400}}, 2: {{time: 300}}, 3: {{time: 1}}}}
	r.cut(1250)
	for id, want := range map[int64]int{1: 2, 2: 0, 3: 1} {
		if got := len(r.threads[id]); got != want {
			t.Errorf("thread %d has %d hits, want %d", id, got, want)
		}
	}
}

// Requests to a disk in the gap belong to no operation that was recorded: of those from
// 100 to 200 ns, 250 to 350, 450 to 550 and 620 to 700, the recording began at 0 and was
// interrupted from 300 to 500, the first and the last are left.
func TestRequestsToDisksInTheGapAreNoneOfTheRecording(t *testing.T) {
	t.Parallel()
	log := diskio.Log{Requests: []diskio.Request{{Issued: 1100, Completed: 1200}, {Issued: 1250, Completed: 1350}, {Issued: 1450, Completed: 1550}, {Issued: 1620, Completed: 1700}}}
	if got := (gap{300, 500}).outside(log, 1000).Requests; len(got) != 2 || got[0] != log.Requests[0] || got[1] != log.Requests[3] {
		t.Errorf("%+v are left", got)
	}
	if got := (gap{}).outside(log, 1000).Requests; len(got) != 4 {
		t.Errorf("without a gap %d are left, want 4", len(got))
	}
}
