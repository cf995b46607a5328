package experiment

import (
	"encoding/binary"
	"encoding/hex"
	"flag"
	"math/rand/v2"
	"os"
	"runtime"
	"testing"
	"time"

	"tierscope/simulation"
	"tierscope/simulation/output"
)

var ledgerRuns = flag.Int("runs", 3000, "runs of the large ledger; 1000000 for the figures of docs/scale-out.md")

// A large ledger of eight writers opens by reading its frames once, keeps an index only, and finds every run. With
// -runs 1000000 -v the test says how long that takes, and how much memory and disk.
func TestALargeLedgerIsFoundByItsIndex(t *testing.T) {
	dir := t.TempDir()
	random := rand.New(rand.NewPCG(1, 2))
	id := func(i int) string {
		var k key
		binary.BigEndian.PutUint64(k[8:], uint64(i))
		return hex.EncodeToString(k[:])
	}
	r := &simulation.Result{Model: "web server", ModelHash: "0123456789abcdef", Configuration: map[string]float64{"workers": 0, "rate": 0}, Fingerprint: "0123456789abcdef",
		Replications: 10, Busy: time.Millisecond}
	for k, stat := range []string{"mean", "p50", "p90", "p95", "p99", "mean"} {
		r.Metrics = append(r.Metrics, simulation.Metric{Name: "RRRRRX"[k : k+1], Of: "class/task", Stat: stat, Unit: "s"})
	}
	const writers = 8
	for w := range writers {
		s, err := createSegment(dir + "/" + string(rune('a'+w)) + segmentSuffix)
		if err != nil {
			t.Fatal(err)
		}
		for i := w; i < *ledgerRuns; i += writers {
			r.Configuration["workers"], r.Configuration["rate"] = float64(i), random.Float64()
			for m := range r.Metrics {
				samples := make([]float64, 10)
				for k := range samples {
					samples[k] = random.Float64()
				}
				r.Metrics[m].Estimate = output.Replications(samples, .95)
			}
			if err := s.append(Run{ID: id(i), Time: time.Unix(0, int64(i)), Scenario: "sweep", Only: []string{"R", "X"}, Result: r}); err != nil {
				t.Fatal(err)
			}
			if i < 2*writers {
				if err := s.read(func(int64, int, header) {}); err != nil { // learns the context and the schema
					t.Fatal(err)
				}
			}
		}
		if err := s.file.Close(); err != nil {
			t.Fatal(err)
		}
	}
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := time.Now()
	l, err := OpenLedger(dir)
	if err != nil {
		t.Fatal(err)
	}
	took := time.Since(began)
	runtime.GC()
	runtime.ReadMemStats(&after)
	if l.Len() != *ledgerRuns || l.Damaged() != 0 {
		t.Errorf("%d runs and %d damaged places, want %d and none", l.Len(), l.Damaged(), *ledgerRuns)
	}
	for range 1000 {
		i := random.IntN(*ledgerRuns)
		if run, ok := l.Find(id(i)); !ok || run.Result.Configuration["workers"] != float64(i) {
			t.Fatalf("run %d: found %t with %v", i, ok, run.Result)
		}
	}
	bytes := int64(0)
	for _, s := range l.segments {
		info, err := os.Stat(s.path)
		if err != nil {
			t.Fatal(err)
		}
		bytes += info.Size()
	}
	t.Logf("%d runs: opened in %s, index %d MB, %d bytes a run", *ledgerRuns, took.Round(time.Millisecond), (int64(after.HeapAlloc)-int64(before.HeapAlloc))>>20, bytes/int64(*ledgerRuns))
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}
