package diskio_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tierscope/analysis/diskio"
	"tierscope/core"
)

// laws of service that disks have, with a mean of 2 ms.
var serviceLaws = map[string]core.Distribution{
	"constant":    core.Const(.002),
	"exponential": core.Exp(.002),
	"erlang":      core.ErlangK(5, .002),
	"lognormal":   {Kind: core.Lognormal, Mean: .002, CV: .8},
	"gamma":       {Kind: core.Gamma, Mean: .002, CV: 1.5},
	"uniform":     {Kind: core.Uniform, Min: .001, Max: .003},
	"two ways":    {Kind: core.Mixture, Weights: []float64{.7, .3}, Components: []core.Distribution{core.Const(.0005), core.Const(.0055)}},
}

// stratified are n values of a law by its inverse, one of each share 1/n, in any order.
func stratified(law core.Distribution, n int, seed uint64) []float64 {
	values := make([]float64, n)
	for i, k := range rand.New(rand.NewPCG(seed, 1)).Perm(n) {
		values[i] = law.Quantile((float64(k) + .5) / float64(n))
	}
	return values
}

// A disk that serves one request after the other has the law of its times: their mean to a
// nanosecond, and quantiles that are those of the law, give or take half of what a piece of
// a sketch holds, 5 %.
func TestTheLawOfADiskIsThatOfItsTimes(t *testing.T) {
	t.Parallel()
	const n = 3000
	for name, law := range serviceLaws {
		times := stratified(law, n, 5)
		mean, k := 0.0, 0
		for _, v := range times {
			mean += v / n
		}
		e, err := diskio.Model("d", diskio.Observe(device(1, n, func(int, *rand.Rand) float64 { k++; return times[k-1] })))
		if err != nil {
			t.Fatal(err)
		}
		if e.Parallel || e.Disk.Depth != 1 || len(e.Disk.Service) != 1 || len(e.Disk.Service[0].Rows) != 1 {
			t.Errorf("%s: %+v", name, e)
			continue
		}
		row := e.Disk.Service[0].Rows[0]
		if got := row.Time.Expectation(); math.Abs(got-mean) > 2e-9 || row.PerByte != 0 {
			t.Errorf("%s: mean %v s and %v s per byte, of the times %v", name, got, row.PerByte, mean)
		}
		for _, p := range []float64{.05, .25, .5, .75, .95} {
			at := row.Time.Quantile(p)
			if lo, hi := law.Quantile(p-.025), law.Quantile(p+.025); at < lo-2e-9 || at > hi+2e-9 {
				t.Errorf("%s: quantile %v is %v s, of the law %v…%v", name, p, at, lo, hi)
			}
		}
	}
}

// What a byte costs and what a request costs beside its bytes are told apart, for each type, whatever they
// are: T = base·X + bytes·perByte with X of mean 1.
func TestTheCostOfAByteIsFound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		const n = 800
		seed := rapid.Uint64().Draw(t, "seed")
		r := rand.New(rand.NewPCG(seed, 2))
		type cost struct{ base, perByte float64 }
		costs, kinds := map[string]cost{}, []string{diskio.Read, diskio.Write}
		for _, kind := range kinds {
			costs[kind] = cost{rapid.Float64Range(1e-4, 1e-2).Draw(t, "base"), rapid.Float64Range(1e-9, 1e-8).Draw(t, "per byte")}
		}
		var log []diskio.Request
		now := int64(1)
		for _, kind := range kinds {
			c := costs[kind]
			shape := stratified(core.Distribution{Kind: core.Uniform, Min: .98, Max: 1.02}, n, seed)
			for i := range n {
				bytes := int64(4096 << r.IntN(9)) // up to 1 MiB
				q := diskio.Request{Type: kind, Bytes: bytes, Issued: now}
				q.Completed = now + int64(1e9*(c.base*shape[i]+c.perByte*float64(bytes)))
				now = q.Completed + 1000
				log = append(log, q)
			}
		}
		e, err := diskio.Model("d", diskio.Observe(log))
		if err != nil {
			t.Fatal(err)
		}
		for _, law := range e.Disk.Service {
			want := costs[law.Type]
			for _, row := range law.Rows {
				// The slope has a standard error of σ(X)·base/(√n·σ(bytes)) = .0115·.01/(28·320 kB), so of
				// 1 % of what is the least here; 5 of these.
				if off := math.Abs(row.PerByte - want.perByte); off > .02*want.perByte+5*.0115*want.base/(28*320e3) {
					t.Fatalf("%s: %v s per byte, made with %v", law.Type, row.PerByte, want.perByte)
				}
				if math.Abs(row.Time.Expectation()-want.base) > .02*want.base {
					t.Fatalf("%s: %v s without bytes, made with %v", law.Type, row.Time.Expectation(), want.base)
				}
			}
		}
	})
}

// Whatever was recorded, threads in a closed loop at a device of any kind or requests at random, makes a valid disk
// or an error; its laws are for the types that were recorded, with rows in order whose samples
// are the requests, each of them once.
func TestEveryRecordingMakesAValidDisk(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		threads, n := rapid.IntRange(1, 12).Draw(t, "threads"), rapid.IntRange(1, 400).Draw(t, "requests")
		servers := rapid.IntRange(1, 6).Draw(t, "servers")
		pause := rapid.SampledFrom([]float64{0, 1e5, 1e7}).Draw(t, "pause")
		kinds := []string{diskio.Read, diskio.Metadata, diskio.ReadAhead, diskio.Write, diskio.Flush}[:rapid.IntRange(1, 5).Draw(t, "types")]
		ready, free := make([]int64, threads), make([]int64, servers)
		recorded := map[string]int64{}
		var log []diskio.Request
		for i := range n {
			who, server := i%threads, i%servers
			q := diskio.Request{Thread: int64(who + 1), Type: kinds[r.IntN(len(kinds))], Sector: r.Uint64N(1 << 30), Bytes: 512 * (1 + r.Int64N(64))}
			if q.Type == diskio.Flush {
				q.Sector, q.Bytes = 0, 0
			}
			q.Inserted = ready[who] + 1 + int64(pause*r.ExpFloat64())
			q.Issued = q.Inserted + r.Int64N(5000)
			q.Completed = max(q.Issued, free[server]) + int64(1e6*r.ExpFloat64())
			ready[who], free[server] = q.Completed, q.Completed
			recorded[q.Type]++
			log = append(log, q)
		}
		observed := diskio.Observe(log)
		if len(observed) != n {
			t.Fatalf("%d of %d requests are observed", len(observed), n)
		}
		e, err := diskio.Model("d", observed)
		if (err != nil) != (n < 30) {
			t.Fatalf("%d requests: %v", n, err)
		}
		if err != nil {
			return
		}
		m := core.Model{CPU: core.CPU{Cores: 1}, Disks: []core.Disk{e.Disk}}
		for _, defect := range core.Defects(m.Validate()) {
			if strings.HasPrefix(defect.Error(), "disk") {
				t.Fatalf("the disk is not valid: %v: %s", defect, e.Reason)
			}
		}
		if e.Disk.Delivery == core.DeliverIdle {
			return // its law is of deliveries
		}
		for _, law := range e.Disk.Service {
			samples, last := int64(0), -1
			for _, row := range law.Rows {
				if samples += row.Samples; row.X <= last || !(row.Time.Expectation() >= 0) {
					t.Fatalf("the law of %s has a row for %d after that for %d, with a mean of %v s", law.Type, row.X, last, row.Time.Expectation())
				}
				last = row.X
			}
			if samples != recorded[law.Type] {
				t.Fatalf("the law of %s is of %d requests, and %d were recorded", law.Type, samples, recorded[law.Type])
			}
			delete(recorded, law.Type)
		}
		if len(recorded) > 0 {
			t.Fatalf("there is no law for %v", recorded)
		}
	})
}

// An arm takes a time that grows with the root of how far it moves: the means that its law has for the moves that were made, linear
// between its rows as the simulation takes them, are on average the time that was served, to 1.5 %; those for the sixteenth of the
// moves that are shortest, which make the first row, too, to a tenth.
func TestALawOfDistancesGivesBackTheTimeThatWasServed(t *testing.T) {
	t.Parallel()
	const n, sectors = 2000, 1 << 20
	r := rand.New(rand.NewPCG(3, 3))
	head, now := uint64(sectors/2), int64(0)
	var requests []diskio.Request
	type move struct{ x, took float64 }
	var moves []move
	for range n {
		by := int64(r.Float64() * sectors / 2)
		if int64(head)+by > sectors-8 || int64(head) >= by && r.IntN(2) == 0 {
			by = -by
		}
		to := uint64(int64(head) + by)
		moved := math.Abs(float64(to)-float64(head)) / sectors
		s := 1e-3 + 20e-3*math.Sqrt(moved)
		requests = append(requests, diskio.Request{Device: 1, Sector: to, Bytes: 4096, Type: diskio.Read, Queued: now, Issued: now, Completed: now + int64(s*1e9)})
		now += int64(s*1e9) + 1_000_000
		head, moves = to+8, append(moves, move{1000 * moved, s})
	}
	e, err := diskio.Model("d", diskio.Observe(requests))
	if err != nil {
		t.Fatal(err)
	}
	law := e.Disk.Service[0]
	if law.Given != core.Distance {
		t.Fatalf("the law is given %q", law.Given)
	}
	mean := func(x float64) float64 {
		for i, row := range law.Rows {
			if float64(row.X) < x {
				continue
			}
			if i == 0 {
				return row.Time.Expectation()
			}
			before := law.Rows[i-1]
			return before.Time.Expectation() + (x-float64(before.X))/float64(row.X-before.X)*(row.Time.Expectation()-before.Time.Expectation())
		}
		return law.Rows[len(law.Rows)-1].Time.Expectation()
	}
	slices.SortFunc(moves, func(a, b move) int { return cmp.Compare(a.x, b.x) })
	off := func(some []move) float64 {
		law, took := 0.0, 0.0
		for _, m := range some {
			law, took = law+mean(m.x), took+m.took
		}
		return law/took - 1
	}
	if all, short := off(moves), off(moves[:n/16]); math.Abs(all) > 0.015 || math.Abs(short) > 0.1 {
		t.Errorf("the law is %+.2g off all moves and %+.2g off the shortest", all, short)
	}
}
