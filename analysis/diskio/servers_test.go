package diskio_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"tierscope/analysis/diskio"
	"tierscope/core"
)

// job is a request in the queue of the disk that makes the logs of these tests.
type job struct {
	arrival, sector int64
}

// disk simulates c servers with one queue, which 4 threads with pauses use, and
// returns the log and the true times of service. A request is complete a way, ns,
// after its service. next chooses among those that wait.
func disk(c int, way int64, next func(queue []job, head int64) int, service func(distance int64, random *rand.Rand) int64) (log []diskio.Request, truth []float64) {
	random := rand.New(rand.NewPCG(5, 5))
	const threads, size = 4, 1 << 21
	ready := make([]int64, threads) // when each issues its next request; −1: in the disk
	type served struct {
		job
		start, end int64
		thread     int
	}
	owner := map[job]int{}
	var queue []job
	var serving []served
	head := int64(0)
	for len(log) < 8000 {
		// the next thing to happen: a request or a completion
		thread := -1
		for i, at := range ready {
			if at >= 0 && (thread < 0 || at < ready[thread]) {
				thread = i
			}
		}
		done := -1
		for i := range serving {
			if done < 0 || serving[i].end < serving[done].end {
				done = i
			}
		}
		var now int64
		if done < 0 || thread >= 0 && ready[thread] < serving[done].end {
			now = ready[thread]
			j := job{now, random.Int64N(size)}
			queue, ready[thread], owner[j] = append(queue, j), -1, thread
		} else {
			s := serving[done]
			now = s.end
			serving = slices.Delete(serving, done, done+1)
			log = append(log, diskio.Request{Type: diskio.Read, Bytes: 4096, Sector: uint64(s.sector), Issued: s.arrival, Completed: s.end + way})
			truth = append(truth, float64(s.end-s.start)*1e-9)
			ready[s.thread] = now + way + 1 + int64(5e6*random.ExpFloat64()*float64(len(log)%3))
		}
		for len(serving) < c && len(queue) > 0 {
			i := next(queue, head)
			j := queue[i]
			queue = slices.Delete(queue, i, i+1)
			serving = append(serving, served{j, now, now + service(max(j.sector-head, head-j.sector), random), owner[j]})
			head = j.sector + 8
		}
	}
	return log, truth
}

func oldest([]job, int64) int { return 0 }

func nearest(queue []job, head int64) int {
	best := 0
	for i, j := range queue {
		if max(j.sector-head, head-j.sector) < max(queue[best].sector-head, head-queue[best].sector) {
			best = i
		}
	}
	return best
}

// A device with c servers and a queue of its own: the number of servers is found,
// and the times of service are those of the device, although its log shows only
// the sum of wait and service.
func TestServersBehindAQueueAreCountedAndTheirServiceIsFound(t *testing.T) {
	t.Parallel()
	laws := map[string]func(int64, *rand.Rand) int64{
		"const": func(int64, *rand.Rand) int64 { return 5e6 },
		"exp":   func(_ int64, r *rand.Rand) int64 { return int64(5e6 * r.ExpFloat64()) },
	}
	for name, law := range laws {
		for c := 1; c <= 2; c++ {
			t.Run(fmt.Sprintf("%s/%d", name, c), func(t *testing.T) {
				t.Parallel()
				log, truth := disk(c, 0, oldest, law)
				e, err := diskio.Model("d", diskio.Observe(log))
				if err != nil {
					t.Fatal(err)
				}
				if e.Parallel || e.Disk.Depth != c || e.Disk.Order != core.DiskFIFO {
					t.Fatalf("parallel %t, %d servers, %s; want %d of a FIFO queue: %s", e.Parallel, e.Disk.Depth, e.Disk.Order, c, e.Reason)
				}
				got := diskio.Services(diskio.Observe(log), &e.Disk)
				if a, b := stat.Mean(got, nil), stat.Mean(truth, nil); math.Abs(a/b-1) > 0.005 {
					t.Errorf("mean service %g s, in truth %g s", a, b)
				}
				if d := diskio.KolmogorovSmirnov(got, truth); d > 0.02 {
					t.Errorf("distribution %.3f away from the truth (Kolmogorov–Smirnov)", d)
				}
			})
		}
	}
}

// The way to the device and back, 0.3 ms, is told from the service of 5 ms, to 2 % of
// that, and the law of the service is the device's own.
func TestTheWayToTheServersIsNotTakenForService(t *testing.T) {
	t.Parallel()
	const way = 300_000
	laws := map[string]func(int64, *rand.Rand) int64{
		"const": func(_ int64, r *rand.Rand) int64 { return 5e6 + r.Int64N(20_000) },
		"exp":   func(_ int64, r *rand.Rand) int64 { return int64(5e6 * r.ExpFloat64()) },
		"arm": func(distance int64, r *rand.Rand) int64 {
			return int64(0.5e6 + 3e6*math.Sqrt(float64(distance)/(1<<21)) + 5e6*r.Float64())
		},
	}
	for name, law := range laws {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			log, truth := disk(1, way, oldest, law)
			e, err := diskio.Model("d", diskio.Observe(log))
			if err != nil {
				t.Fatal(err)
			}
			if got := 1e9 * e.Disk.Latency; math.Abs(got-way) > 0.02*5e6 {
				t.Errorf("latency %.0f ns, in truth %d ns: %s", got, way, e.Reason)
			}
			got := diskio.Services(diskio.Observe(log), &e.Disk)
			if a, b := stat.Mean(got, nil), stat.Mean(truth, nil); math.Abs(a/b-1) > 0.005 {
				t.Errorf("mean service %g s, in truth %g s", a, b)
			}
		})
	}
}

// A disk with an arm, 0.5 … 8.5 ms of seek by distance and up to 8.3 ms of
// rotation, that serves the nearest request first: order and dependence on the
// distance are found. At the distance x its mean is 0.5 + 8·√x + 4.17 ms.
func TestADiskWithAnArmIsRecognised(t *testing.T) {
	t.Parallel()
	for c := 1; c <= 2; c++ {
		t.Run(fmt.Sprint(c), func(t *testing.T) { t.Parallel(); recogniseArm(t, c) })
	}
}

func recogniseArm(t *testing.T, c int) {
	truth := func(x float64) float64 { return 0.5e-3 + 8e-3*math.Sqrt(x) + 4.17e-3 }
	log, _ := disk(c, 0, nearest, func(distance int64, r *rand.Rand) int64 {
		return int64(1e9 * (truth(float64(distance)/(1<<21)) + 8.33e-3*(r.Float64()-0.5)))
	})
	e, err := diskio.Model("d", diskio.Observe(log))
	if err != nil {
		t.Fatal(err)
	}
	law := e.Disk.Service[0]
	if e.Disk.Depth != c || e.Disk.Order != core.DiskNearest || law.Given != core.Distance {
		t.Fatalf("%d servers, %s order, law given %s; want %d, nearest, distance: %s", e.Disk.Depth, e.Disk.Order, law.Given, c, e.Reason)
	}
	for _, row := range law.Rows {
		if row.X < 20 { // a root is steep there
			continue
		}
		// With two arms the order of the services is not known for sure.
		if got, want := row.Time.Expectation(), truth(float64(row.X)/1000); math.Abs(got/want-1) > 0.06*float64(c) {
			t.Errorf("distance %d ‰: %.2f ms, in truth %.2f ms", row.X, 1e3*got, 1e3*want)
		}
	}
}

// By hand: {1, 2} and {1, 3} differ by 1/2 between 2 and 3.
func TestTheKolmogorovSmirnovDistance(t *testing.T) {
	t.Parallel()
	if d := diskio.KolmogorovSmirnov([]float64{2, 1}, []float64{3, 1}); d != 0.5 {
		t.Errorf("distance %g, want 0.5", d)
	}
}
