package diskio_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tierscope/analysis/diskio"
)

// A device that serves as many as 4 threads bring, each for 100 µs, tells nothing of a
// limit: the model must not stop at 4, and says that it assumes one.
func TestALoadThatNeverWaitsTellsNoLimit(t *testing.T) {
	t.Parallel()
	e, err := diskio.Model("d", diskio.Observe(overlapping(4, nil)))
	if err != nil {
		t.Fatal(err)
	}
	said := slices.ContainsFunc(e.Warnings, func(w string) bool { return strings.Contains(w, "not known") })
	if !e.Parallel || e.Disk.Depth < 16 || !said {
		t.Errorf("parallel %t, depth %d, warnings %q; want a parallel device with an assumed limit beyond 4: %s", e.Parallel, e.Disk.Depth, e.Warnings, e.Reason)
	}
}

// A parallel device that stands still for 5 ms now and then: requests pile up meanwhile,
// so those that met many take longer on average, but not because of them. Its law does not
// depend on their number.
func TestRequestsThatPileUpInAStallAreNotSlowBecauseTheyAreMany(t *testing.T) {
	t.Parallel()
	e, err := diskio.Model("d", diskio.Observe(overlapping(4, func(now int64) int64 {
		const every, stall = 100_000_000, 5_000_000
		if into := now % every; into < stall {
			return stall - into
		}
		return 0
	})))
	if err != nil {
		t.Fatal(err)
	}
	rows := e.Disk.Service[0].Rows
	if !e.Parallel || len(rows) < 2 {
		t.Fatalf("parallel %t, %d rows: %s", e.Parallel, len(rows), e.Reason)
	}
	few := rows[0].Time.Expectation()
	for _, r := range rows {
		if m := r.Time.Expectation(); math.Abs(m/few-1) > 0.10 {
			t.Errorf("%d in flight: %.0f µs on average, %.0f µs with %d", r.X, 1e6*m, 1e6*few, rows[0].X)
		}
	}
}

// overlapping is a log of threads with exponential pauses of 100 µs on average whose
// requests take 80 to 120 µs each, whatever the others do, and longer by what hold says.
func overlapping(threads int, hold func(now int64) int64) []diskio.Request {
	random := rand.New(rand.NewPCG(3, 3))
	var log []diskio.Request
	for range threads {
		now := int64(1)
		for range 6000 {
			now += int64(100_000 * random.ExpFloat64())
			end := now + 80_000 + random.Int64N(40_000)
			if hold != nil {
				end += hold(end)
			}
			log = append(log, diskio.Request{Type: diskio.Read, Bytes: 4096, Sector: random.Uint64N(1 << 20), Issued: now, Completed: end})
			now = end
		}
	}
	return log
}

// One request at a time but for a few flushes that are in the device beside a read: it is
// a disk with one server and not a parallel device.
func TestAFlushBesideAReadMakesNoParallelDevice(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(4, 4))
	var log []diskio.Request
	now := int64(1)
	for i := range 3000 {
		issued := now + int64(100_000*random.ExpFloat64())
		now = issued + 1_000_000 + random.Int64N(9_000_000)
		log = append(log, diskio.Request{Type: diskio.Read, Bytes: 4096, Sector: random.Uint64N(1 << 20), Inserted: issued - 50_000, Issued: issued, Completed: now})
		if i%1000 == 0 {
			log = append(log, diskio.Request{Type: diskio.Flush, Issued: issued + 1000, Completed: now - 1000})
		}
	}
	e, err := diskio.Model("d", diskio.Observe(log))
	if err != nil {
		t.Fatal(err)
	}
	if e.Parallel || e.Disk.Depth != 1 {
		t.Errorf("parallel %t, depth %d; want one server: %s", e.Parallel, e.Disk.Depth, e.Reason)
	}
}
