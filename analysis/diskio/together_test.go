package diskio_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tierscope/analysis/diskio"
	"tierscope/core"
)

// pauses of threads are none, short and long ones in turns: so many times as long as usual after
// so many reads.
func pauses(reads int) float64 { return float64(reads / 400 % 3) }

// drained is a log of threads with exponential pauses, whose device needs a time to begin,
// longer after idleness and in a load with pauses, serves one request after the other, and
// tells them complete when none is left.
func drained(d core.Disk, paced float64, threads int, pause float64, service func(*rand.Rand) float64) []diskio.Request {
	random := rand.New(rand.NewPCG(6, 6))
	ready := make([]float64, threads)
	var log []diskio.Request
	told := 0.0
	for len(log) < 12_000 {
		slices.Sort(ready)
		opens := ready[0]
		server := opens + d.Setup
		if pauses(len(log)) > 0 {
			server += paced
		}
		if opens-told > d.Sleep.After {
			server += d.Sleep.Wake
		}
		n := 0
		for ; n < threads && ready[n] <= server; n++ {
			server += service(random)
		}
		told = server + d.Latency
		for i := range n {
			at := told + 1e-6*float64(i) // the interrupt handler takes a time
			log = append(log, diskio.Request{Type: diskio.Read, Bytes: 4096, Sector: uint64(random.Int64N(1 << 20)), Issued: int64(1e9 * (1 + ready[i])), Completed: int64(1e9 * (1 + at))})
			ready[i] = at + 5e-6 + pause*random.ExpFloat64()*pauses(len(log))
		}
	}
	return log
}

// A device that serves one request after the other and tells them complete together is
// found, with its setup, its way back, what waking up takes and the mean of its service,
// although longer services have more requests come meanwhile.
func TestADeviceThatTellsRequestsTogetherIsFound(t *testing.T) {
	t.Parallel()
	const setup, back, wake = 60e-6, 20e-6, 40e-6
	for name, c := range map[string]struct {
		mean    float64
		service func(*rand.Rand) float64
	}{
		"short":       {8e-6, func(*rand.Rand) float64 { return 8e-6 }},
		"constant":    {150e-6, func(*rand.Rand) float64 { return 150e-6 }},
		"exponential": {150e-6, func(r *rand.Rand) float64 { return 150e-6 * r.ExpFloat64() }},
		"a cache": {83e-6, func(r *rand.Rand) float64 {
			if r.IntN(2) == 0 {
				return 6e-6
			}
			return 160e-6
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			truth := core.Disk{Setup: setup, Latency: back, Sleep: core.Sleep{After: 1.5 * (setup + back), Wake: wake}}
			e, err := diskio.Model("d", diskio.Observe(drained(truth, 0, 4, 2*(setup+back+c.mean), c.service)))
			if err != nil {
				t.Fatal(err)
			}
			if e.Parallel || e.Disk.Delivery != core.DeliverIdle || e.Disk.Depth != 1 {
				t.Fatalf("parallel %t, delivery %q, depth %d: %s", e.Parallel, e.Disk.Delivery, e.Disk.Depth, e.Reason)
			}
			for _, n := range []float64{1, 2, 4, 8, 16} { // what n requests at once take
				got := e.Disk.Setup + e.Disk.Latency + n*e.Disk.Service[0].Rows[0].Time.Expectation()
				if want := setup + back + n*c.mean; math.Abs(got/want-1) > 0.06 {
					t.Errorf("%v requests take %.1f µs, in truth %.1f µs: %s", n, 1e6*got, 1e6*want, e.Reason)
				}
			}
			if got := e.Disk.Latency; math.Abs(got-back) > 8e-6 {
				t.Errorf("the way back takes %.1f µs, in truth %.1f µs", 1e6*got, 1e6*back)
			}
			if got := e.Disk.Sleep.Wake; math.Abs(got-wake) > 15e-6 {
				t.Errorf("waking up takes %.1f µs, in truth %.1f µs", 1e6*got, 1e6*wake)
			}
		})
	}
}

// Where what serves the device sleeps more deeply in a load with pauses, the way is that without,
// and the service that which the number of requests tells in both.
func TestTheWayIsThatOfTheLoadWithoutPauses(t *testing.T) {
	t.Parallel()
	const setup, back, service, paced = 40e-6, 20e-6, 12e-6, 50e-6
	log := drained(core.Disk{Setup: setup, Latency: back}, paced, 4, 2*(setup+back+service), func(*rand.Rand) float64 { return service })
	observed := diskio.Observe(log)
	place := map[int64]int{} // in the log, by issue
	for i := range log {
		place[log[i].Issued] = i
	}
	for i := range observed {
		observed[i].Paced = pauses(place[observed[i].Issued]) > 0
	}
	e, err := diskio.Model("d", observed)
	if err != nil {
		t.Fatal(err)
	}
	if way := e.Disk.Setup + e.Disk.Latency; math.Abs(way/(setup+back)-1) > 0.1 {
		t.Errorf("the way takes %.1f µs, in truth %.1f µs: %s", 1e6*way, 1e6*(setup+back), e.Reason)
	}
	if got := e.Disk.Service[0].Rows[0].Time.Expectation(); math.Abs(got/service-1) > 0.1 {
		t.Errorf("a request takes %.1f µs, in truth %.1f µs: %s", 1e6*got, 1e6*service, e.Reason)
	}
}
