package des_test

import (
	"testing"

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
		alarms[i] = e.NewAlarm(1, int32(i))
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
