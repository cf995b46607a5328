package des_test

import (
	"sort"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"tierscope/simulation/des"
)

// Two events of one time have no order in nature; the engine gives them one, so
// that a run can be repeated.
func TestEventsRunInTimeThenScheduleOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		times := rapid.SliceOf(rapid.Int64Range(0, 9)).Draw(t, "times")
		var e des.Engine
		want := make([]int, len(times))
		for i, at := range times {
			e.Schedule(des.Time(at), 0, int32(i))
			want[i] = i
		}
		sort.SliceStable(want, func(a, b int) bool { return times[want[a]] < times[want[b]] })
		for _, w := range want {
			ev, ok := e.Next()
			if !ok || int(ev.Target) != w || e.Now() != des.Time(times[w]) {
				t.Fatalf("next event is %d at %v, want %d at %d; times %v", ev.Target, e.Now(), w, times[w], times)
			}
		}
		if _, ok := e.Next(); ok {
			t.Fatal("an event is left over")
		}
	})
}

// The heap with lazy root and removal behaves as a sorted list does.
func TestEventSetIsASortedListWithRemoval(t *testing.T) {
	t.Parallel()
	type pending struct {
		at    des.Time
		id    int32
		timer des.Timer
	}
	rapid.Check(t, func(t *rapid.T) {
		var e des.Engine
		var list []pending // in schedule order
		var gone []des.Timer
		id := int32(0)
		t.Repeat(map[string]func(*rapid.T){
			"schedule": func(t *rapid.T) {
				at := e.Now() + des.Time(rapid.IntRange(0, 20).Draw(t, "delay"))
				id++
				list = append(list, pending{at, id, e.Schedule(at, 1, id)})
			},
			"cancel": func(t *rapid.T) {
				if len(list) == 0 {
					t.Skip("nothing to cancel")
				}
				i := rapid.IntRange(0, len(list)-1).Draw(t, "which")
				if !e.Cancel(list[i].timer) {
					t.Fatal("a pending event cannot be cancelled")
				}
				gone = append(gone, list[i].timer)
				list = append(list[:i], list[i+1:]...)
			},
			"next": func(t *rapid.T) {
				first := -1
				for i, p := range list {
					if first < 0 || p.at < list[first].at {
						first = i
					}
				}
				ev, ok := e.Next()
				if ok != (first >= 0) {
					t.Fatalf("Next reports %v with %d events pending", ok, len(list))
				}
				if !ok {
					return
				}
				if ev.Target != list[first].id || e.Now() != list[first].at {
					t.Fatalf("event %d at %v ran, want %d at %v", ev.Target, e.Now(), list[first].id, list[first].at)
				}
				gone = append(gone, list[first].timer)
				list = append(list[:first], list[first+1:]...)
			},
			"": func(t *rapid.T) {
				if e.Pending() != len(list) {
					t.Fatalf("%d events are pending, want %d", e.Pending(), len(list))
				}
				next := des.Never
				for _, p := range list {
					next = min(next, p.at)
				}
				if e.Upcoming() != next {
					t.Fatalf("the next event is said to happen at %v, want %v", e.Upcoming(), next)
				}
				for _, timer := range gone {
					if e.IsPending(timer) || e.Cancel(timer) {
						t.Fatal("the timer of an event that is gone names another event")
					}
				}
			},
		})
	})
}

// With hundreds of pending events, most of them far away, and as many cancelled
// ones, the order is still that of time, then of scheduling.
func TestManyPendingEventsRunInOrder(t *testing.T) {
	t.Parallel()
	type pending struct {
		at    des.Time
		id    int32
		timer des.Timer
	}
	for seed := range uint64(20) {
		random := des.NewStream(seed, 0, 0)
		var e des.Engine
		var list []pending // in schedule order
		for id := range int32(5000) {
			for range random.Uint32n(3) { // 0 to 2 new ones, at times that often coincide
				horizon := uint32(1) << (2 * random.Uint32n(8))
				at := e.Now() + des.Time(random.Uint32n(horizon))
				list = append(list, pending{at, id, e.Schedule(at, 1, id)})
			}
			if n := len(list); n > 0 && random.Uint32n(4) == 0 {
				i := int(random.Uint32n(uint32(n)))
				if !e.Cancel(list[i].timer) {
					t.Fatalf("seed %d: a pending event cannot be cancelled", seed)
				}
				list = append(list[:i], list[i+1:]...)
			}
			if e.Pending() != len(list) {
				t.Fatalf("seed %d: %d events are pending, want %d", seed, e.Pending(), len(list))
			}
			if len(list) == 0 || len(list) < 300 && random.Uint32n(3) > 0 {
				continue
			}
			first := 0
			for i := range list {
				if list[i].at < list[first].at {
					first = i
				}
			}
			if ev, ok := e.Next(); !ok || ev.Target != list[first].id || e.Now() != list[first].at {
				t.Fatalf("seed %d: event %d at %v ran, want %d at %v", seed, ev.Target, e.Now(), list[first].id, list[first].at)
			}
			list = append(list[:first], list[first+1:]...)
		}
	}
}

func TestSchedulingInThePastPanics(t *testing.T) {
	t.Parallel()
	var e des.Engine
	e.Schedule(3*des.Millisecond, 0, 0)
	e.Next()
	defer func() {
		if got, want := recover(), "des: event scheduled 3ms before now"; got != want {
			t.Errorf("panic is %v, want %q", got, want)
		}
	}()
	e.Schedule(0, 0, 0)
}

// Equal runs have equal fingerprints; a change of one event changes it.
func TestFingerprintTellsTrajectoriesApart(t *testing.T) {
	t.Parallel()
	run := func(at des.Time, kind des.Kind, target int32) uint64 {
		var e des.Engine
		e.Schedule(1, 1, 1)
		e.Schedule(at, kind, target)
		for _, ok := e.Next(); ok; _, ok = e.Next() {
		}
		return e.Fingerprint()
	}
	base := run(5, 1, 2)
	if run(5, 1, 2) != base {
		t.Error("equal runs have different fingerprints")
	}
	for _, other := range []uint64{run(6, 1, 2), run(5, 2, 2), run(5, 1, 3)} {
		if other == base {
			t.Error("different runs have equal fingerprints")
		}
	}
}

// The hold model (Vaucher & Duval 1975): n pending events; each, when executed,
// schedules its successor.
func BenchmarkHold(b *testing.B) {
	for _, n := range []int32{1, 4, 64, 4096} {
		b.Run("pending="+strconv.Itoa(int(n)), func(b *testing.B) {
			var e des.Engine
			s := des.NewStream(1, 0, 0)
			for i := range n {
				e.Schedule(s.Round(1e6*s.Exponential()), 0, i)
			}
			b.ReportAllocs()
			for b.Loop() {
				ev, _ := e.Next()
				e.After(des.Time(1e6*s.Exponential()), 0, ev.Target)
			}
		})
	}
}
