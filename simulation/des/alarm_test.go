package des_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tierscope/simulation/des"
)

// An alarm clock that is set again forgets the earlier time, whether that was
// sooner or later; one that was stopped does not ring.
func TestAnAlarmRingsAtTheTimeItWasSetToLast(t *testing.T) {
	t.Parallel()
	var e des.Engine
	alarms := make([]des.Alarm, 100)
	want := make([]des.Time, len(alarms)) // 0: not set
	for i := range alarms {
		alarms[i] = e.NewQuickAlarm(1, int32(i))
	}
	random := des.NewStream(3, 0, 0)
	rung := 0
	for range 50_000 {
		i := random.Uint32n(uint32(len(alarms)))
		if random.Uint32n(4) == 0 {
			e.Stop(alarms[i])
			want[i] = 0
		} else {
			want[i] = e.Now() + 1 + des.Time(random.Uint32n(1000))
			e.Set(alarms[i], want[i])
		}
		if random.Uint32n(2) == 0 {
			continue
		}
		ev, ok := e.Next()
		if !ok {
			continue
		}
		rung++
		if want[ev.Target] != e.Now() {
			t.Fatalf("alarm %d rings at %v, want %v", ev.Target, e.Now(), want[ev.Target])
		}
		want[ev.Target] = 0
		for j, at := range want {
			if at != 0 && at < e.Now() || e.IsSet(alarms[j]) != (at != 0) {
				t.Fatalf("at %v alarm %d is set %t, for %v", e.Now(), j, e.IsSet(alarms[j]), at)
			}
		}
	}
	if rung < 10_000 || e.Executed() != int64(rung) {
		t.Errorf("%d alarms rang, %d events are counted", rung, e.Executed())
	}
}

// Alarms and timers are one schedule: whatever is set for the same time happens in
// the order in which it was set.
func TestAlarmsAndTimersRunInTimeThenScheduleOrder(t *testing.T) {
	t.Parallel()
	type pending struct {
		at     des.Time
		target int32
	}
	rapid.Check(t, func(t *rapid.T) {
		var e des.Engine
		var list []pending // in schedule order
		var limit des.Time // of the last next
		alarms := make([]des.Alarm, 9)
		timers := map[int32]des.Timer{}
		for i := range alarms {
			alarms[i] = e.NewQuickAlarm(1, int32(i))
		}
		forget := func(target int32) {
			list = slices.DeleteFunc(list, func(p pending) bool { return p.target == target })
		}
		ranAgain := func(t *rapid.T, before des.Time, target int32, ok bool) { // Again was called at a time
			if !ok {
				return
			}
			first := slices.IndexFunc(list, func(p pending) bool { return p.target == target })
			if at := list[first].at; e.Now() != at || at == before || at > limit || slices.ContainsFunc(list, func(p pending) bool { return p.at < at }) ||
				slices.ContainsFunc(list[:first], func(p pending) bool { return p.at == at }) {
				t.Fatalf("event %d at %v ran after %v, up to %v; pending: %v", target, e.Now(), before, limit, list)
			}
			list = slices.Delete(list, first, first+1)
		}
		which := rapid.Int32Range(0, int32(len(alarms))-1)
		delay := rapid.Custom(func(t *rapid.T) des.Time {
			return rapid.SampledFrom([]des.Time{0, 0, 1, 1, 2, 3, des.Never}).Draw(t, "delay")
		})
		t.Repeat(map[string]func(*rapid.T){
			"set": func(t *rapid.T) {
				i, d := which.Draw(t, "alarm"), delay.Draw(t, "after")
				forget(i)
				e.SetAfter(alarms[i], d)
				list = append(list, pending{min(e.Now(), des.Never-d) + d, i})
			},
			"proceed": func(t *rapid.T) {
				i, d := which.Draw(t, "alarm"), delay.Draw(t, "after")
				if e.IsSet(alarms[i]) {
					t.Skip("it is set")
				}
				before := e.Now()
				at := min(before, des.Never-d) + d
				if !e.Proceed(alarms[i], at) {
					list = append(list, pending{at, i})
					return
				}
				if e.Now() != at || at == before || at > limit || slices.ContainsFunc(list, func(p pending) bool { return p.at <= at }) {
					t.Fatalf("alarm %d rings at %v, set at %v for %v, up to %v; pending: %v", i, e.Now(), before, at, limit, list)
				}
			},
			"last": func(t *rapid.T) {
				i, at, others := rapid.Int32Range(0, des.QuickAlarms-1).Draw(t, "alarm"), e.Now(), 0
				if e.IsSet(alarms[i]) {
					t.Skip("it is set")
				}
				for _, p := range list {
					if p.target < des.QuickAlarms {
						at, others = max(at, p.at), others+1
					}
				}
				at = min(at, des.Never-2) + des.Time(rapid.IntRange(0, 2).Draw(t, "after"))
				if at < e.Now() || slices.ContainsFunc(list, func(p pending) bool { return p.target < des.QuickAlarms && p.at > at }) {
					t.Skip("another one is set to the end of time")
				}
				e.SetLast(alarms[i], at, others)
				list = append(list, pending{at, i})
			},
			"again": func(t *rapid.T) {
				before := e.Now()
				target, ok := e.Again(1)
				ranAgain(t, before, target, ok)
			},
			"set and again": func(t *rapid.T) {
				i, d := which.Draw(t, "alarm"), delay.Draw(t, "after")
				if e.IsSet(alarms[i]) {
					t.Skip("it is set")
				}
				before := e.Now()
				at := min(before, des.Never-d) + d
				list = append(list, pending{at, i})
				target, ok := e.SetAndAgain(alarms[i], at, 1)
				ranAgain(t, before, target, ok)
			},
			"stop": func(t *rapid.T) {
				i := which.Draw(t, "alarm")
				forget(i)
				e.Stop(alarms[i])
			},
			"schedule": func(t *rapid.T) {
				id, d := int32(100+len(timers)), delay.Draw(t, "after")
				timers[id] = e.After(d, 1, id)
				list = append(list, pending{min(e.Now(), des.Never-d) + d, id})
			},
			"cancel": func(t *rapid.T) {
				if len(timers) == 0 {
					t.Skip("nothing to cancel")
				}
				id := 100 + rapid.Int32Range(0, int32(len(timers))-1).Draw(t, "timer")
				e.Cancel(timers[id])
				forget(id)
			},
			"next": func(t *rapid.T) {
				limit = e.Now() + rapid.SampledFrom([]des.Time{0, 1, des.Never - e.Now()}).Draw(t, "limit")
				if e.Now() == des.Never {
					limit = des.Never
				}
				first := -1
				for i, p := range list {
					if p.at <= limit && (first < 0 || p.at < list[first].at) {
						first = i
					}
				}
				ev, ok := e.NextUntil(limit)
				if ok != (first >= 0) {
					t.Fatalf("an event up to %v: %t; pending: %v", limit, ok, list)
				}
				if !ok {
					return
				}
				if want := list[first]; ev.Target != want.target || e.Now() != want.at {
					t.Fatalf("event %d at %v ran, want %d at %v", ev.Target, e.Now(), want.target, want.at)
				}
				list = slices.Delete(list, first, first+1)
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
			},
		})
	})
}

// The events of one that nobody else comes between happen in a row, up to the limit, and all of them count.
func TestAnAlarmProceedsUntilSomethingElseIsDue(t *testing.T) {
	t.Parallel()
	var e des.Engine
	a := e.NewQuickAlarm(1, 0)
	e.Set(a, 10)
	e.Schedule(35, 2, 0)
	if _, ok := e.NextUntil(100); !ok || !e.Proceed(a, 20) || !e.Proceed(a, 30) || e.Proceed(a, 40) {
		t.Fatalf("at %v, want 30: 20 and 30 are before 35, 40 is after", e.Now())
	}
	if ev, _ := e.NextUntil(40); ev.Kind != 2 || e.Now() != 35 {
		t.Fatalf("event %v at %v, want the other at 35", ev, e.Now())
	}
	if _, ok := e.NextUntil(40); !ok || e.Proceed(a, 41) {
		t.Fatal("an event after the limit has happened")
	}
	e.NextUntil(100)
	if e.Restless = true; e.Proceed(a, 50) {
		t.Fatal("an event has happened though there was something to do before")
	}
	if e.Executed() != 6 {
		t.Errorf("%d events are counted, want 10, 20, 30, 35, 40 and 41", e.Executed())
	}
}

// Who executes the events of two alarms himself leaves the engine as it would be: the clock, the count and the
// fingerprint, and of equal times the one first that was set first.
func TestAPairOfAlarmsIsAsIfTheEngineHadExecutedIt(t *testing.T) {
	t.Parallel()
	engines := [2]des.Engine{}
	var alarms [2][2]des.Alarm
	for i := range engines {
		alarms[i] = [2]des.Alarm{engines[i].NewQuickAlarm(3, 7), engines[i].NewQuickAlarm(4, 9)}
		engines[i].Set(alarms[i][0], 10)
		engines[i].Set(alarms[i][1], 15)
	}
	for range 2 { // the first at 10 and 20, the second at 15; both are then set to 30, the second first
		engines[0].NextUntil(25)
		if a := alarms[0]; engines[0].Now() == 15 {
			engines[0].Set(a[1], 30)
		} else {
			engines[0].Set(a[0], engines[0].Now()+10)
		}
	}
	engines[0].NextUntil(25)
	engines[0].Set(alarms[0][0], 30)
	p, a, b, ok := engines[1].Pair(alarms[1][0], alarms[1][1])
	if !ok || a != 10 || b != 15 {
		t.Fatalf("the pair is set to %v and %v (%t), want 10 and 15", a, b, ok)
	}
	p.Happens(0, 10)
	p.Happens(1, 15)
	p.Happens(0, 20)
	engines[1].Return(p, 20, [2]des.Time{30, 30}, 0)
	for range 3 {
		if x, y := &engines[0], &engines[1]; x.Now() != y.Now() || x.Executed() != y.Executed() || x.Fingerprint() != y.Fingerprint() || x.Pending() != y.Pending() {
			t.Fatalf("at %v after %d events %x, %d pending; want at %v after %d events %x, %d pending", y.Now(), y.Executed(), y.Fingerprint(), y.Pending(),
				x.Now(), x.Executed(), x.Fingerprint(), x.Pending())
		}
		x, _ := engines[0].Next()
		y, _ := engines[1].Next()
		if x != y {
			t.Fatalf("event %v is next, want %v", y, x)
		}
	}
	e := &engines[1]
	e.Set(alarms[1][0], 50)
	if _, _, _, ok := e.Pair(alarms[1][0], alarms[1][1]); ok {
		t.Error("an alarm that is not set is one of a pair")
	}
	e.Set(alarms[1][1], 60)
	e.Schedule(100, 1, 1)
	if _, _, _, ok := e.Pair(alarms[1][0], alarms[1][1]); ok {
		t.Error("two of three events are a pair")
	}
}
