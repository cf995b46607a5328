package diskio_test

import (
	"math"
	"math/rand/v2"
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
