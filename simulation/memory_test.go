package simulation

import (
	"runtime"
	"testing"

	"tierscope/core"
	"tierscope/simulation/des"
)

// "Memory independent of simulated time" (issue 2, acceptance 4): a replication
// that has run ten times as long occupies no more, and its events allocate
// nothing. A single number kept per task would be 1 MB in each of these
// models; 64 KiB leave room for the longest queue to be longer.
//
// Not parallel: it looks at the heap of the process.
func TestMemoryDoesNotGrowWithSimulatedTime(t *testing.T) {
	models := []struct {
		core.Model
		long des.Time
	}{
		{station(.8, 1, core.Unbounded, exponential(1)), 200_000 * des.Second},
		{closedNetwork(), 2000 * des.Second},
		{callGraphs(), 5 * des.Second},
	}
	for _, m := range models {
		r := mustCompile(t, m.Model).replica(1, 0, 0, nil)
		r.advance(t.Context(), m.long/10)
		short, events := memory(), r.executed()
		r.advance(t.Context(), m.long)
		long := memory()
		events = r.executed() - events
		if events < 100_000 {
			t.Fatalf("model %q: only %d events show little", m.Name, events)
		}
		if long.HeapAlloc > short.HeapAlloc+64<<10 {
			t.Errorf("model %q: %d bytes are live at first, %d after 10 times the time", m.Name, short.HeapAlloc, long.HeapAlloc)
		}
		if n := long.Mallocs - short.Mallocs; n > 1000 {
			t.Errorf("model %q: %d allocations in %d events", m.Name, n, events)
		}
		runtime.KeepAlive(r)
	}
}

// memory collects garbage and returns what is left.
func memory() runtime.MemStats {
	var s runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&s)
	return s
}
