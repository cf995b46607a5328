package diskio

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Requests begin at least 1.5 µs after their operations and end at least 8 µs
// before them: of all lines between these bounds the one that is 1.5 µs above the
// lower ones is the clock's, 400 µs and 30 ppm here. It is found to half a
// microsecond from 500 requests in a second, though the first guess is wrong by 15
// µs and 20 ppm.
func TestTheLineBetweenAllBoundsIsTheClock(t *testing.T) {
	t.Parallel()
	const lag, drift = 400e3, 30e-6
	random := rand.New(rand.NewPCG(1, 2))
	var u, k []Interval
	for at := int64(-5e8); at < 5e8; at += 2e6 {
		operation := Interval{at, at + 300e3 + random.Int64N(1e6)}
		before := 1.5e3 + random.ExpFloat64()*2e3
		after := 8e3 + random.ExpFloat64()*20e3
		kernel := func(user float64) int64 { return int64(math.Round((user - lag) / (1 + drift))) }
		u = append(u, operation)
		k = append(k, Interval{kernel(float64(operation.Start) + before), kernel(float64(operation.End) - after)})
	}
	m := Match{Pairs: []Pair{{User: 1, Kernel: 2}}, lag: lag + 15e3, drift: drift + 20e-6}
	operations, requests := map[int64][]Interval{1: u}, map[int64][]Interval{2: k}
	m.centre(m.inside(operations, requests))
	for _, at := range []int64{-5e8, 0, 5e8} {
		if got, want := m.Lag(at), lag+drift*float64(at); math.Abs(got-want) > 500 {
			t.Errorf("at %d ns the lag is %.0f ns, want %.0f", at, got, want)
		}
	}
}

// A thread whose correlation was not clear is paired once the clock is known, if
// all its requests lie inside the operations of one thread and not of another.
func TestThreadsLeftOverArePairedByContainment(t *testing.T) {
	t.Parallel()
	track := func(thread, first, step int64) Track {
		tr := Track{Thread: thread}
		for i := range int64(100) {
			tr.Intervals = append(tr.Intervals, Interval{first + i*step, first + i*step + 200e3})
		}
		return tr
	}
	inside := func(thread int64, of Track) Track {
		tr := Track{Thread: thread}
		for _, v := range of.Intervals {
			tr.Intervals = append(tr.Intervals, Interval{v.Start + 10e3, v.End - 10e3})
		}
		return tr
	}
	a, b := track(1, 0, 1e6), track(2, 500e3, 1e6)
	var m Match
	m.adopt([]Track{a, b}, []Track{inside(11, b), inside(12, a), track(13, 250e3, 1e6)}, 1.5)
	if len(m.Pairs) != 2 || m.Pairs[0].Kernel != 12 || m.Pairs[1].Kernel != 11 {
		t.Errorf("pairs %+v; want 1 with 12 and 2 with 11, and 13 with nobody", m.Pairs)
	}
}
