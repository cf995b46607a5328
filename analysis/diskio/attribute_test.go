package diskio_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tierscope/analysis/diskio"
)

func request(thread int64, kind string, queued, completed int64) diskio.Request {
	return diskio.Request{Thread: thread, Type: kind, Queued: queued, Issued: queued + 1, Completed: completed, Bytes: 4096}
}

// One thread: a hit 0–10, a miss 20–120 with a request of its own inside, which
// also reads ahead, 100–160; the read-ahead is met again by the operation 130–170.
// Of its 60 ns, 20 lie in the miss and 30 in the later operation.
func TestARequestGoesToTheOperationWithTheLargestIntersection(t *testing.T) {
	t.Parallel()
	operations := []diskio.Operation{{Thread: 7, Start: 0, End: 10}, {Thread: 7, Start: 20, End: 120}, {Thread: 7, Start: 130, End: 170}}
	a := diskio.Attribute(operations, []diskio.Request{
		request(7, diskio.Read, 30, 110),
		request(7, diskio.ReadAhead, 100, 160),
		request(7, diskio.ReadAhead, 165, 400), // nobody waits for it
		request(7, diskio.Read, 500, 600),      // outside of all: a page fault
		request(9, diskio.Read, 30, 110),       // another program's
	})
	if want := []int{1, 2, 2, -1, -1}; !slices.Equal(a.Of, want) {
		t.Errorf("operations %v, want %v", a.Of, want)
	}
	if want := []bool{false, false, true, false, false}; !slices.Equal(a.Late, want) {
		t.Errorf("late %v, want %v", a.Late, want)
	}
	if a.Lost != 1 || a.Foreign != 1 {
		t.Errorf("%d lost and %d foreign, want 1 and 1", a.Lost, a.Foreign)
	}
}

// The journal's thread writes for an fsync. A write to the disk belongs to the
// fsync that waits meanwhile; a read by a stranger belongs to nobody.
func TestWhatTheJournalWritesBelongsToTheFsyncThatWaits(t *testing.T) {
	t.Parallel()
	operations := []diskio.Operation{{Thread: 1, Start: 0, End: 1000}, {Thread: 2, Start: 100, End: 500, Writes: true}, {Thread: 3, Start: 50, End: 900, Writes: true}}
	a := diskio.Attribute(operations, []diskio.Request{
		request(99, diskio.Write, 120, 400), request(99, diskio.Flush, 450, 800), request(99, diskio.Read, 120, 400), request(99, diskio.Write, 20, 400)})
	if want := []int{1, 2, -1, -1}; !slices.Equal(a.Of, want) {
		t.Errorf("operations %v, want %v", a.Of, want)
	}
}

// The obvious algorithm looks at every operation of the thread.
func TestAttributionAgreesWithTryingEveryOperation(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var operations []diskio.Operation
		for thread := range int64(3) {
			now := int64(0)
			for range rapid.IntRange(0, 8).Draw(t, "operations") {
				start := now + rapid.Int64Range(1, 20).Draw(t, "pause")
				now = start + rapid.Int64Range(1, 20).Draw(t, "length")
				operations = append(operations, diskio.Operation{Thread: thread + 1, Start: start, End: now})
			}
		}
		thread := rapid.Int64Range(1, 4).Draw(t, "thread")
		begin := rapid.Int64Range(1, 200).Draw(t, "begin")
		r := request(thread, diskio.Read, begin, begin+rapid.Int64Range(1, 60).Draw(t, "service"))
		got := diskio.Attribute(operations, []diskio.Request{r}).Of[0]
		common := func(i int) int64 {
			return min(operations[i].End, r.Completed) - max(operations[i].Start, r.Queued)
		}
		for i, o := range operations {
			if o.Thread == thread && common(i) >= 0 && (got < 0 || common(i) > common(got)) {
				t.Fatalf("request %d–%d: operation %d, but %d has a larger intersection", r.Queued, r.Completed, got, i)
			}
		}
	})
}
