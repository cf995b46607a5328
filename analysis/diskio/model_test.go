package diskio_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"tierscope/analysis/diskio"
	"tierscope/core"
)

// The counts of Observe are those of the definition, request by request.
func TestObserveCountsWhatEveryRequestMet(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "requests")
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		var requests []diskio.Request
		for _, at := range random.Perm(4 * n)[:n] { // distinct times of insertion
			inserted := int64(1 + 10*at)
			issued := inserted + 1 + 10*random.Int64N(20)
			requests = append(requests, diskio.Request{
				Device: uint64(random.IntN(2)), Type: diskio.Read,
				Inserted: inserted, Issued: issued + int64(len(requests)%7), Completed: issued + 8 + random.Int64N(100),
			})
		}
		for _, o := range diskio.Observe(requests) {
			overtaken := 0
			area := 0.0
			for _, r := range requests {
				if r.Device != o.Device {
					continue
				}
				if r.Inserted > o.Inserted && r.Issued < o.Issued {
					overtaken++
				}
				if from, to := max(r.Issued, o.Issued), min(r.Completed, o.Completed); to > from {
					area += float64(to - from)
				}
			}
			if o.Overtaken != overtaken {
				// equal times of issue have no order
				if !sameIssue(requests, o) {
					t.Fatalf("overtaken %d times, by definition %d", o.Overtaken, overtaken)
				}
			}
			if want := area / float64(o.Service()); math.Abs(o.InFlight-want) > 1e-9 {
				t.Fatalf("%v in flight on average, by definition %v", o.InFlight, want)
			}
		}
	})
}

func sameIssue(requests []diskio.Request, o diskio.Observation) bool {
	same := 0
	for _, r := range requests {
		if r.Device == o.Device && r.Issued == o.Issued {
			same++
		}
	}
	return same > 1
}

// device makes the log of a closed loop: population threads, each issuing its
// next request as soon as the last one is complete.
func device(population, requests int, service func(inFlight int, random *rand.Rand) float64) []diskio.Request {
	random := rand.New(rand.NewPCG(uint64(population), 1))
	free := make([]float64, population)
	var log []diskio.Request
	for range requests {
		next := 0
		for i := range free {
			if free[i] < free[next] {
				next = i
			}
		}
		at := free[next]
		free[next] = at + service(population, random)
		issued := int64(at*1e9) + 1
		log = append(log, diskio.Request{Type: diskio.Read, Bytes: 4096, Inserted: issued, Issued: issued, Completed: int64(free[next]*1e9) + 1})
	}
	return log
}

// notes/kernel.md §3.1: R(n) = 60 + 8.6·n µs, a parallel device. The model finds
// that from a log of closed loops of 1, 4 and 16 threads, and its law has the
// means of the line.
func TestAParallelDeviceIsRecognisedByItsThroughput(t *testing.T) {
	t.Parallel()
	line := func(n int) float64 { return (60 + 8.6*float64(n)) * 1e-6 }
	var all []diskio.Request
	for _, n := range []int{1, 4, 16} {
		part := device(n, 3000, func(n int, random *rand.Rand) float64 { return line(n) * (0.8 + 0.4*random.Float64()) })
		shift := int64(0)
		for _, r := range all {
			shift = max(shift, r.Completed)
		}
		for _, r := range part {
			r.Inserted += shift
			r.Issued += shift
			r.Completed += shift
			all = append(all, r)
		}
	}
	e, err := diskio.Model("vda", diskio.Observe(all))
	if err != nil {
		t.Fatal(err)
	}
	if !e.Parallel || e.Disk.Depth < 16 || e.Disk.Order != core.DiskFIFO {
		t.Fatalf("parallel %t, depth %d, order %s; want a parallel FIFO device that takes at least 16: %s", e.Parallel, e.Disk.Depth, e.Disk.Order, e.Reason)
	}
	law := e.Disk.Service[0]
	if law.Given != core.InFlight || len(law.Rows) != 4 {
		t.Fatalf("law given %s with %d rows, want 4 rows given in_flight, the last beyond what was seen", law.Given, len(law.Rows))
	}
	for _, row := range law.Rows {
		if got, want := row.Time.Expectation(), line(row.X); math.Abs(got/want-1) > 0.05 {
			t.Errorf("%d in flight: mean service %.4g s, want %.4g s", row.X, got, want)
		}
	}
}

// A disk with one arm and a queue of its own: service in the device is
// proportional to the number in it.
func TestADeviceWithItsOwnQueueIsNotTakenForAParallelOne(t *testing.T) {
	t.Parallel()
	var all []diskio.Request
	end := 0.0 // one server, FIFO, 5 ms each
	for i := range 4000 {
		threads := 1 + i/1000*2
		issued := math.Max(0, end-0.005*float64(threads-1))
		if i%1000 == 0 {
			issued = end
		}
		start := math.Max(end, issued)
		end = start + 0.005
		all = append(all, diskio.Request{Type: diskio.Read, Bytes: 4096, Issued: int64(issued*1e9) + 1, Completed: int64(end*1e9) + 1})
	}
	e, err := diskio.Model("sd", diskio.Observe(all))
	if err != nil {
		t.Fatal(err)
	}
	if e.Parallel {
		t.Errorf("taken for a parallel device: %s", e.Reason)
	}
}

// One request at a time, an elevator that serves upwards, service growing with
// the number overtaken and with the size: the law has its rows, the cost of a
// byte, and the order.
func TestAnElevatorInFrontOfASlowDisk(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 1))
	type waiting struct {
		sector   uint64
		inserted int64
	}
	var queue []waiting
	now, head := int64(1), uint64(0)
	var all []diskio.Request
	const perByte = 2e-9
	for range 5000 {
		for len(queue) < 8 {
			queue = append(queue, waiting{random.Uint64N(1 << 30), now + random.Int64N(1000)})
		}
		best := -1
		for pass := 0; pass < 2 && best < 0; pass++ {
			for i, w := range queue {
				if (pass == 1 || w.sector >= head) && (best < 0 || w.sector < queue[best].sector) {
					best = i
				}
			}
		}
		w := queue[best]
		queue = append(queue[:best], queue[best+1:]...)
		head = w.sector
		overtaken := 0
		for _, r := range all[max(0, len(all)-64):] {
			if r.Inserted > w.inserted {
				overtaken++
			}
		}
		bytes := int64(4096 << random.IntN(6))
		service := 0.004 + 0.0005*float64(min(overtaken, 4)) + perByte*float64(bytes)
		issued := max(now, w.inserted) + 1000
		now = issued + int64(service*1e9)
		all = append(all, diskio.Request{Type: diskio.Read, Sector: w.sector, Bytes: bytes, Inserted: w.inserted, Issued: issued, Completed: now})
	}
	e, err := diskio.Model("slow", diskio.Observe(all))
	if err != nil {
		t.Fatal(err)
	}
	if e.Disk.Depth != 1 || e.Disk.Order != core.DiskElevator {
		t.Fatalf("depth %d, order %s; want an elevator of depth 1", e.Disk.Depth, e.Disk.Order)
	}
	for _, row := range e.Disk.Service[0].Rows {
		if row.X > 3 {
			continue
		}
		want := 0.004 + 0.0005*float64(row.X)
		if got := row.Time.Expectation(); math.Abs(got/want-1) > 0.02 || math.Abs(row.PerByte/perByte-1) > 0.05 {
			t.Errorf("overtaken %d: %.5f s + %.3g s/B, want %.5f s + %.3g s/B", row.X, got, row.PerByte, want, perByte)
		}
	}
	m := core.Model{CPU: core.CPU{Cores: 1}, Disks: []core.Disk{e.Disk}}
	for _, defect := range core.Defects(m.Validate()) {
		if s := defect.Error(); len(s) > 4 && s[:4] == "disk" {
			t.Errorf("the estimate is not a valid disk: %s", s)
		}
	}
}

func TestTooFewRequestsAreRefused(t *testing.T) {
	t.Parallel()
	if _, err := diskio.Model("d", diskio.Observe(device(1, 10, func(int, *rand.Rand) float64 { return 0.001 }))); err == nil {
		t.Error("a service law from 10 requests")
	}
}

// The kernel's rwbs strings as blkparse(1) and blk_fill_rwbs explain them.
func TestRequestTypesFollowTheKernelFlags(t *testing.T) {
	t.Parallel()
	for flags, want := range map[string]string{
		"R": "read", "RS": "read", "RM": "metadata", "RSM": "metadata", "RA": "readahead", "W": "write", "WS": "write",
		"WSM": "write", "FWS": "write", "WFS": "write", "FF": "flush", "F": "flush", "D": "", "DS": "", "N": "", "": "",
	} {
		if got := diskio.TypeOf(flags, 4096); got != want {
			t.Errorf("rwbs %q is %q, want %q", flags, got, want)
		}
	}
	if got := diskio.TypeOf("FWS", 0); got != diskio.Flush {
		t.Errorf("an empty FWS is %q, want flush", got)
	}
}
