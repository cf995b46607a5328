package hotspot_test

import (
	"context"
	"testing"
	"time"

	"tierscope/analysis/java/hotspot"
	"tierscope/analysis/trace"
)

// server is one whose compilers take a share of its CPU time that is different
// in every window of load.
type server struct {
	shares []float64
	window int
	c1, ex time.Duration
	seeds  map[uint64]bool
}

func (s *server) drive(_ context.Context, l trace.Load) error {
	if s.seeds == nil {
		s.seeds = map[uint64]bool{}
	}
	s.seeds[l.Seed] = true
	used := time.Duration(l.Duration * float64(time.Second))
	share := 0.0
	if s.window < len(s.shares) {
		share = s.shares[s.window]
	}
	s.window++
	s.c1 += time.Duration(share * float64(used))
	s.ex += time.Duration((1 - share) * float64(used))
	return nil
}

func (s *server) threads() []hotspot.Thread {
	return []hotspot.Thread{{ID: 1, Name: "C1 CompilerThre", CPU: time.Second + s.c1}, {ID: 2, Name: "exec-1", CPU: s.ex}}
}

// Windows last 2 s. A pause of the compilers is not their end: two quiet windows
// in a row are.
func TestAServerIsWarmWhenItsCompilersRest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		shares []float64
		want   time.Duration
		warm   bool
	}{
		{"falls", []float64{0.6, 0.3, 0.1, 0.02, 0.01}, 10 * time.Second, true},
		{"comes again", []float64{0.5, 0.03, 0.4, 0.01, 0.02}, 10 * time.Second, true},
		{"never", func() (s []float64) {
			for range 100 {
				s = append(s, 0.3)
			}
			return s
		}(), time.Minute, false},
	} {
		s := &server{shares: c.shares}
		w, err := hotspot.Warm(t.Context(), trace.Load{}, s.drive, s.threads)
		if err != nil || w.Warm != c.warm || w.Time != c.want || w.CPU != c.want {
			t.Errorf("%s: %+v, %v; want %v of load and of CPU, warm %v", c.name, w, err, c.want, c.warm)
		}
		if s.seeds[0] || len(s.seeds) != s.window {
			t.Errorf("%s: %d windows asked for the same as others or the work phase, with seeds %v", c.name, s.window, s.seeds)
		}
	}
}

// A program without compilers, of Go or C, is not loaded at all.
func TestWhatDoesNotCompileIsWarm(t *testing.T) {
	t.Parallel()
	s := &server{}
	w, err := hotspot.Warm(t.Context(), trace.Load{}, s.drive, func() []hotspot.Thread { return []hotspot.Thread{{Name: "main", CPU: time.Second}} })
	if err != nil || s.window != 0 || w != (hotspot.Warmth{}) {
		t.Errorf("%d windows of load, %+v, %v; want none", s.window, w, err)
	}
}
