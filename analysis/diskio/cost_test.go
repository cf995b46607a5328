package diskio

import (
	"math"
	"slices"
	"testing"
)

// A read computes 20 µs, 30 more if the device is idle and 10 more with one other in it;
// with 3 in flight there were too few reads to tell, so that is taken for 4.
func TestTheDoorbellIsWhatAReadOfAnIdleDeviceComputesMore(t *testing.T) {
	t.Parallel()
	many := func(v float64) []float64 {
		s := make([]float64, 2*leastSamples)
		for i := range s {
			s[i] = v
		}
		s[0] = 1 // a moment in which the machine stood still
		return s
	}
	own, doorbell := rings(map[int][]float64{1: many(50e-6), 2: many(30e-6), 3: {5e-6}, 4: many(20e-6)})
	if want := []float64{30e-6, 10e-6, 0, 0}; math.Abs(own-20e-6) > 1e-12 || len(doorbell) != len(want) {
		t.Fatalf("%v s and doorbell %v s, want 20 µs and %v", own, doorbell, want)
	} else {
		for i := range want {
			if math.Abs(doorbell[i]-want[i]) > 1e-12 {
				t.Errorf("with %d in flight %v s more, want %v", i+1, doorbell[i], want[i])
			}
		}
	}
	if _, doorbell := rings(map[int][]float64{1: many(20e-6), 2: many(20e-6)}); doorbell != nil {
		t.Errorf("doorbell %v where the number makes no difference", doorbell)
	}
}

// Of 100 equal times and one of a second the usual one is theirs.
func TestAMomentOfStandstillIsNotUsual(t *testing.T) {
	t.Parallel()
	v := make([]float64, 101)
	for i := range v {
		v[i] = 1e-3
	}
	v[50] = 1
	if got := usual(v); math.Abs(got-1e-3) > 1e-12 {
		t.Errorf("usual %v s, want 1 ms", got)
	}
}

// A read that lies within another, one that begins before another's end and one that
// another begins before its own end are accompanied; the first and the last are not.
func TestReadsOfOtherThreadsAccompanyThoseThatTheyMeet(t *testing.T) {
	t.Parallel()
	trial := Trial{Learning: Point{Reads: []Operation{
		{Thread: 2, Start: 30, End: 35}, {Thread: 1, Start: 0, End: 10}, {Thread: 1, Start: 20, End: 40},
		{Thread: 2, Start: 38, End: 50}, {Thread: 1, Start: 50, End: 60},
	}}}
	if got, want := trial.unaccompanied(), []bool{false, true, false, false, true}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
