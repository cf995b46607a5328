package analysis

import (
	"slices"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// permits lets a thread take or give back n permits of semaphore 1.
func (a *actor) permits(op trace.Op, site string, n int64) *actor {
	a.hit(op, site, false, 1, n, 0)
	a.hit(op, site, true, 1, 1, 0)
	return a
}

// semaphore is a program of a thread that takes one to three of four permits for
// threads that give them back, and then all of them.
func semaphore() *script {
	s := newScript()
	s.trace.Objects = append(s.trace.Objects, trace.Object{ID: 1, Kind: "semaphore", Capacity: 4, Site: -1})
	main := s.thread("main", nil, 0)
	for n := range int64(12) {
		permits := n%3 + 1
		main.compute(100_000).permits(trace.OpAcquire, "acquire", permits)
		w := s.thread("worker", main, main.now)
		w.compute(900_000).permits(trace.OpRelease, "release", permits).ends()
		main.now = w.now
	}
	main.permits(trace.OpAcquire, "all", 4).compute(100_000).ends()
	return s
}

// A thread takes one, three and two of four permits for threads that give them
// back, then all four, to wait for them: golang.org/x/sync/semaphore, example
// workerPool. The simulation draws what an acquire takes and gives back what was
// taken; with another number of permits all of them are that many, and three
// there must be.
func TestPermitsOfASemaphoreMayDiffer(t *testing.T) {
	t.Parallel()
	m, _ := semaphore().build(t, trail.Options{})
	var takes, all, gives *core.Sync
	for _, g := range m.Graphs {
		for i := range g.Fragments {
			switch f := &g.Fragments[i]; {
			case f.Sync == nil:
			case f.Sync.Op == core.Exit:
				gives = f.Sync
			case f.Sync.N > 0:
				all = f.Sync
			default:
				takes = f.Sync
			}
		}
	}
	if takes == nil || all == nil || gives == nil {
		t.Fatalf("the model takes %+v, then %+v, and gives back %+v; want all three", takes, all, gives)
	}
	if got := takes.Permits.Values; !slices.Equal(got, []float64{1, 2, 3}) || all.N != 4 || gives.Permits.IsZero() {
		t.Errorf("takes %v permits, then %d, gives back what was taken: %v; want 1 to 3, 4, true", got, all.N, !gives.Permits.IsZero())
	}
	for _, p := range m.Parameters {
		if p.Unit != "permits" {
			continue
		}
		if len(p.Targets) != 2 || p.Min != 3 {
			t.Errorf("the size of the semaphore sets %v and is at least %v; want it to set what takes all too, and 3", p.Targets, p.Min)
		}
		return
	}
	t.Error("the size of the semaphore is no parameter")
}

// Gofmt bounds the bytes that it works on: 2 MiB for each core.
func TestPermitsMayBeBytes(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.trace.Objects = append(s.trace.Objects, trace.Object{ID: 1, Kind: "semaphore", Capacity: 4 << 20, Site: -1})
	main := s.thread("main", nil, 0)
	for n := range int64(4) {
		main.permits(trace.OpAcquire, "acquire", 1000*(n+1)).compute(1_000_000).permits(trace.OpRelease, "release", 1000*(n+1))
	}
	main.ends()
	m, _ := s.build(t, trail.Options{}) // is valid
	for _, p := range m.Parameters {
		if p.Unit == "permits" && (p.Default != 4<<20 || p.Max < 8*p.Default) {
			t.Errorf("the semaphore has %g permits, %g at most; want %d, and 8 times as many", p.Default, p.Max, 4<<20)
		}
	}
}
