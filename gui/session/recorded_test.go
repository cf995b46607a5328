package session

import (
	"slices"
	"strings"
	"testing"

	"tierscope/simulation/des"
	"tierscope/simulation/timeline"
)

// The cache is a main thread and three workers that take pieces of work and share one lock, which has one holder at a
// time: the workload of the recording says -workers 3, the source has the names.
func TestARecordedRunIsATimelineOfItsThreads(t *testing.T) {
	t.Parallel()
	simulated := timeline.New(0)
	for _, name := range []string{"garbage collector #0", "main #1", "workers #2", "workers #3", "workers #7"} {
		simulated.Lane(timeline.Threads, name)
	}
	r, err := recorded("../../testdata/traces/cache.tier", simulated)
	if err != nil {
		t.Fatal(err)
	}
	workers, locks, names := []string{}, 0, []string{}
	for _, l := range r.Lanes {
		names = append(names, l.Name)
		if len(l.Spans) == 0 {
			t.Errorf("%s: nothing was recorded", l.Name)
		}
		for i, s := range l.Spans {
			if s.End < s.Start || i > 0 && s.Start < l.Spans[i-1].End {
				t.Fatalf("%s: span %d from %d to %d after %v", l.Name, i, s.Start, s.End, l.Spans[max(i-1, 0)])
			}
			if l.Group == timeline.Threads && i > 0 && s.Start != l.Spans[i-1].End {
				t.Fatalf("%s: nothing is known from %d to %d", l.Name, l.Spans[i-1].End, s.Start)
			}
			if holder := r.LabelText(s.Label); l.Group == timeline.Locks && !strings.HasPrefix(holder, "workers #") && !strings.HasPrefix(holder, "main #") {
				t.Fatalf("%s is held by %q, which is no thread", l.Name, holder)
			}
		}
		switch {
		case l.Group == timeline.Locks:
			locks++
		case strings.HasPrefix(l.Name, "workers #"):
			workers = append(workers, l.Name)
		}
	}
	if !slices.Equal(workers, []string{"workers #2", "workers #3", "workers #7"}) || locks == 0 {
		t.Errorf("lanes are %q, want those of three workers, called as in the simulated run, and of the lock", names)
	}
}

// The main thread waits for room in the channel of pieces until a worker has taken one, workers for the lock until another one
// has left it, and main at last for the workers: nearly all of the critical path is what threads do, and not what they wait for.
func TestARecordedRunSaysWhoEndedEachWait(t *testing.T) {
	t.Parallel()
	r, err := recorded("../../testdata/traces/cache.tier", timeline.New(0))
	if err != nil {
		t.Fatal(err)
	}
	long, known := 0, 0
	for _, l := range r.Lanes {
		for _, s := range l.Spans {
			if s.State != timeline.LockWait && s.State != timeline.QueueWait && s.State != timeline.SignalWait || s.End-s.Start < 50*des.Microsecond {
				continue
			}
			long++
			if by := l.Waker(s.End); by != nil && by != l {
				known++
			}
		}
	}
	if long < 20 || known < long*9/10 {
		t.Errorf("of %d waits longer than 50 µs it is known of %d who ended them; want nine of ten of at least 20", long, known)
	}
	path := r.Critical()
	running, all := des.Time(0), des.Time(0)
	for _, share := range r.Sum(path) {
		if all += share.Time; share.State == timeline.Running {
			running += share.Time
		}
	}
	if len(path) < 100 || float64(all) < .95*float64(r.Until) || float64(running) < .95*float64(all) {
		t.Errorf("a critical path of %d parts and %v of %v, %v of it running; want 95 %%", len(path), all, r.Until, running)
	}
}
