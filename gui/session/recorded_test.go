package session

import (
	"slices"
	"strings"
	"testing"

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
