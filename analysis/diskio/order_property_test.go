package diskio

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tierscope/core"
)

// served is a log of threads in a closed loop at a device of c servers which takes the one that a rule says of
// those that wait, with when the service of each began.
func served(r *rand.Rand, threads, requests, c int, rule core.DiskOrder, deep bool) (log []Request, began []int64) {
	type customer struct {
		request Request
		ready   int64
	}
	waiting := make([]customer, threads)
	for i := range waiting {
		waiting[i] = customer{Request{Type: Read, Bytes: 4096, Sector: r.Uint64N(1 << 30)}, 1 + r.Int64N(1_000_000)}
	}
	free := make([]int64, c)
	head := uint64(0)
	for range requests {
		server := slices.Index(free, slices.Min(free))
		now := max(free[server], slices.MinFunc(waiting, func(a, b customer) int { return cmp.Compare(a.ready, b.ready) }).ready)
		best := -1
		for i, w := range waiting {
			if w.ready > now {
				continue
			}
			if best < 0 || before(rule, w.request.Sector, waiting[best].request.Sector, w.ready, waiting[best].ready, head) {
				best = i
			}
		}
		if rule == core.DiskRandom {
			for best = r.IntN(threads); waiting[best].ready > now; best = r.IntN(threads) {
			}
		}
		q := waiting[best].request
		q.Inserted, q.Issued = waiting[best].ready, now
		if deep { // the device has the queue
			q.Inserted, q.Issued = 0, waiting[best].ready
		}
		q.Completed = now + 1_000_000 + r.Int64N(4_000_000)
		head = q.Sector + 8
		free[server] = q.Completed
		log, began = append(log, q), append(began, now)
		waiting[best] = customer{Request{Type: Read, Bytes: 4096, Sector: r.Uint64N(1 << 30)}, q.Completed + 1 + r.Int64N(1_000_000)}
	}
	return log, began
}

// before reports whether a rule takes a before b.
func before(rule core.DiskOrder, a, b uint64, readyA, readyB int64, head uint64) bool {
	distance := func(s uint64) uint64 { return max(s, head) - min(s, head) }
	switch rule {
	case core.DiskNearest:
		return distance(a) < distance(b)
	case core.DiskElevator:
		if (a >= head) != (b >= head) {
			return a >= head
		}
		return a < b
	default:
		return readyA < readyB
	}
}

// Of many choices among many the rule by which they were made explains all, and no other nearly as many.
func TestAPlantedOrderOfServiceIsRecognised(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rule := rapid.SampledFrom([]core.DiskOrder{core.DiskFIFO, core.DiskElevator, core.DiskNearest, core.DiskRandom}).Draw(t, "rule")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		log, _ := served(r, rapid.IntRange(6, 16).Draw(t, "threads"), 600, 1, rule, false)
		e, err := Model("d", Observe(log))
		if err != nil {
			t.Fatal(err)
		}
		if e.Disk.Order != rule || e.Disk.Depth != 1 {
			t.Fatalf("order %q, depth %d, made with %q: %s", e.Disk.Order, e.Disk.Depth, rule, e.Reason)
		}
	})
}

// When each request began to be served is known from issues and completions alone: of one server whatever
// the order in which it takes the requests of its own queue, of several that take the oldest.
func TestTheBeginOfEveryServiceIsFound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c, rule := rapid.IntRange(1, 5).Draw(t, "servers"), core.DiskFIFO
		if c == 1 {
			rule = rapid.SampledFrom([]core.DiskOrder{core.DiskFIFO, core.DiskElevator, core.DiskNearest, core.DiskRandom}).Draw(t, "rule")
		}
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		log, began := served(r, rapid.IntRange(1, 12).Draw(t, "threads"), 200, c, rule, true)
		want := map[string]int64{}
		key := func(q *Request) string { return fmt.Sprint(q.Issued, q.Sector) }
		for i := range log {
			want[key(&log[i])] = began[i]
		}
		o := Observe(log)
		if exchanges := start(o, edgesOf(o), c, core.DiskFIFO); exchanges != 0 && rule == core.DiskFIFO {
			t.Fatalf("%d requests are said not to be served in order", exchanges)
		}
		for i := range o {
			if o[i].Start != want[key(&o[i].Request)] {
				t.Fatalf("request %d was begun at %d, found %d", i, want[key(&o[i].Request)], o[i].Start)
			}
		}
	})
}

// Whatever a device did and whatever number of servers is assumed, a request is begun between its issue and
// its completion, and no more are served at a time than there are servers.
func TestNoMoreAreServedThanThereAreServers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		log := make([]Request, rapid.IntRange(1, 60).Draw(t, "requests"))
		for i := range log {
			issued := 1 + r.Int64N(1000)
			log[i] = Request{Type: Read, Bytes: 4096, Sector: r.Uint64N(1 << 20), Issued: issued, Completed: issued + 1 + r.Int64N(200)}
		}
		c := rapid.IntRange(1, 5).Draw(t, "servers")
		rule := rapid.SampledFrom([]core.DiskOrder{core.DiskFIFO, core.DiskNearest}).Draw(t, "rule")
		o := Observe(log)
		start(o, edgesOf(o), c, rule)
		for i := range o {
			if o[i].Start < o[i].Issued || o[i].Start > o[i].Completed {
				t.Fatalf("request %d–%d is begun at %d", o[i].Issued, o[i].Completed, o[i].Start)
			}
		}
		for at := int64(0); at < 1300; at++ {
			serving := 0
			for i := range o {
				if o[i].Start <= at && at < o[i].Completed {
					serving++
				}
			}
			if serving > c {
				t.Fatalf("%d are served at %d by %d servers", serving, at, c)
			}
		}
	})
}

// Each request is told in one delivery, and deliveries follow each other.
func TestDeliveriesAreAPartition(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		log := make([]Request, rapid.IntRange(1, 60).Draw(t, "requests"))
		for i := range log {
			issued := 1 + r.Int64N(10_000)
			log[i] = Request{Type: Read, Bytes: 4096, Issued: issued, Completed: issued + 1 + r.Int64N(500)}
		}
		o := Observe(log)
		told := map[*Observation]bool{}
		last := int64(0)
		for _, d := range deliveries(o, rapid.Int64Range(1, 100).Draw(t, "apart")) {
			if d.at < last {
				t.Fatalf("a delivery at %d after one that ends at %d", d.at, last)
			}
			for _, q := range d.requests {
				if told[q] || q.Completed < d.at || q.Issued < d.opens.Issued {
					t.Fatalf("request %d–%d in a delivery at %d that begins at %d, told before: %v", q.Issued, q.Completed, d.at, d.opens.Issued, told[q])
				}
				told[q] = true
				last = max(last, q.Completed)
			}
		}
		if len(told) != len(o) {
			t.Fatalf("%d of %d requests are told", len(told), len(o))
		}
	})
}
