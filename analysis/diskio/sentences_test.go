package diskio_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"tierscope/analysis/diskio"
)

// Tarvo & Reiss 2014, §4.3.2, "c_io CFs": how the log of the kernel finds its threads and
// its clock in the program's. The synthetic program is that of match_test.go.
var twoClocks = workload{threads: 4, strangers: 2, seconds: 10, rate: 20, hits: 0.3, requests: 1.5, service: 0.005, lag: 0.324, seed: 11}

func matched(t *testing.T, user, kernel []diskio.Track) diskio.Match {
	t.Helper()
	m, err := diskio.MatchThreads(user, kernel, diskio.MatchOptions{Bin: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// "The cross-correlation signal reaches its maximum value at the point Δt = 324, which
// means that the user signal is shifted by 324 ms with relation to the kernel signal"
// (Figure 5).
func TestTheLagIsWhereTheCrossCorrelationIsGreatest(t *testing.T) {
	t.Parallel()
	for _, lag := range []float64{0.324, -0.324} {
		w := twoClocks
		w.lag = lag
		user, kernel, _ := w.record()
		m := matched(t, user, kernel)
		if off := m.Lag(5e9)/1e9 - lag; math.Abs(off) > 5e-6 {
			t.Errorf("lag %g s is found with an error of %.1f µs", lag, off*1e6)
		}
	}
}

// "The analyzer represents sequences of I/O operations obtained from the kernel-mode
// trace and user-mode trace as signals taking values 0 (no I/O operation at the moment)
// and 1 (an ongoing I/O)": two requests of which one begins when the other ends are the
// same signal as one that lasts as long as both.
func TestSignalsSayOnlyWhetherAnOperationGoesOn(t *testing.T) {
	t.Parallel()
	user, kernel, _ := twoClocks.record()
	whole := matched(t, user, kernel)
	halved := make([]diskio.Track, len(kernel))
	for i, k := range kernel {
		halved[i].Thread = k.Thread
		for _, v := range k.Intervals {
			middle := (v.Start + v.End) / 2
			halved[i].Intervals = append(halved[i].Intervals, diskio.Interval{Start: v.Start, End: middle}, diskio.Interval{Start: middle, End: v.End})
		}
	}
	again := matched(t, user, halved)
	if len(again.Pairs) != len(whole.Pairs) {
		t.Fatalf("%d pairs with halved requests, %d with whole ones", len(again.Pairs), len(whole.Pairs))
	}
	for i, p := range whole.Pairs {
		if q := again.Pairs[i]; q.Kernel != p.Kernel || math.Abs(q.Peak-p.Peak) > 1e-9 {
			t.Errorf("thread %d: paired with %d at %.6f, with halved requests with %d at %.6f", p.User, p.Kernel, p.Peak, q.Kernel, q.Peak)
		}
	}
}

// "The more similar are those signals, the higher is the magnitude": the more requests
// the kernel's log has lost, the lower the peaks.
func TestMoreSimilarSignalsHaveAHigherPeak(t *testing.T) {
	t.Parallel()
	user, kernel, _ := twoClocks.record()
	last := math.Inf(1)
	for _, lost := range []float64{0, 0.2, 0.4, 0.6} {
		random := rand.New(rand.NewPCG(5, 5))
		left := make([]diskio.Track, len(kernel))
		for i, k := range kernel {
			left[i].Thread = k.Thread
			for _, v := range k.Intervals {
				if random.Float64() >= lost {
					left[i].Intervals = append(left[i].Intervals, v)
				}
			}
		}
		mean := 0.0
		m := matched(t, user, left)
		for _, p := range m.Pairs {
			mean += p.Peak / float64(len(m.Pairs))
		}
		if mean >= last {
			t.Errorf("without %.0f %% of the requests the mean peak is %.3f, no lower than %.3f with more of them", 100*lost, mean, last)
		}
		last = mean
	}
}

// "The analyzer matches user to the kernel I/O signals using a greedy iterative
// procedure … The user signal matches the kernel signal if the maximum value of the
// cross-correlation signal is the highest across the signal pairs": every pair is better
// than either of its threads with anybody else, and nobody is taken twice.
func TestPairsAreThoseWithTheHighestPeak(t *testing.T) {
	t.Parallel()
	user, kernel, names := twoClocks.record()
	m := matched(t, user, kernel)
	taken := map[int64]bool{}
	for _, p := range m.Pairs {
		if p.Confidence <= 1 || names[p.User] != p.Kernel || taken[p.Kernel] {
			t.Errorf("thread %d is paired with %d (peak %.3f, %.2f times the next best; taken before: %t), want %d", p.User, p.Kernel, p.Peak, p.Confidence, taken[p.Kernel], names[p.User])
		}
		taken[p.Kernel] = true
	}
	if len(m.Pairs) != len(names) {
		t.Errorf("%d threads have a partner, want %d", len(m.Pairs), len(names))
	}
}

// "Next the analyzer aligns user and kernel-mode traces by subtracting the Δt from the
// timestamps": then every request lies in an operation of its thread.
func TestAlignedRequestsLieInOperationsOfTheirThread(t *testing.T) {
	t.Parallel()
	user, kernel, names := twoClocks.record()
	m := matched(t, user, kernel)
	within := func(thread int64, v diskio.Interval) bool {
		for _, u := range user {
			for _, o := range u.Intervals {
				if u.Thread == thread && o.Start <= v.Start && v.End <= o.End {
					return true
				}
			}
		}
		return false
	}
	for thread, name := range names {
		for _, k := range kernel {
			if k.Thread != name {
				continue
			}
			for _, v := range k.Intervals {
				if aligned := (diskio.Interval{Start: m.User(v.Start), End: m.User(v.End)}); !within(thread, aligned) {
					t.Fatalf("request %v of thread %d, aligned %v, lies in no operation of thread %d", v, name, aligned, thread)
				}
			}
		}
	}
}
