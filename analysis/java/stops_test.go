package java

import (
	"os"
	"path/filepath"
	"testing"
)

// A read that takes 100 ms, of which the collector had the program stopped for
// 60 ms, waits 40 ms less what it computed. The lines are of Java 17.0.15 and
// 11.0.25.
func TestATimeInWhichTheJVMStoppedTheThreadsIsNoWaitForTheWorld(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{
		"17": `[1080000000ns] Safepoint "G1CollectForAllocation", Time since last: 412977606 ns, Reaching safepoint: 8302776 ns, Cleanup: 27682 ns, At safepoint: 33445944 ns, Total: 60000000 ns`,
		"11": `[1080000000ns] Total time for which application threads were stopped: 0.0600000 seconds, Stopping threads took: 0.0000200 seconds`,
	} {
		file := filepath.Join(t.TempDir(), name)
		text := "[12ns] Application time: 0.2 seconds\n" + line + "\n[1090000000ns] Safepoint \"Cle"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		stops := readStops(file)
		if len(stops) != 1 || stops[0] != (stop{1_020_000_000, 1_080_000_000}) {
			t.Fatalf("Java %s: stops %v, want one from 1.02 to 1.08 s", name, stops)
		}
		r := &recording{zero: 1_000_000_000, threads: map[int64][]hit24{1: {
			{time: 0, cpu: 0}, {time: 100_000_000, cpu: 5_000_000, end: true}, {time: 101_000_000, cpu: 6_000_000}}}}
		r.stopped(stops)
		if hits := r.threads[1]; hits[1].ready != 60_000_000 || hits[2].ready != 60_000_000 {
			t.Errorf("Java %s: ready for %d and %d ns, want 60 ms", name, hits[1].ready, hits[2].ready)
		}
		// One that computed in native code meanwhile was not stopped.
		r = &recording{zero: 1_000_000_000, threads: map[int64][]hit24{1: {{}, {time: 100_000_000, cpu: 90_000_000, end: true}}}}
		if r.stopped(stops); r.threads[1][1].ready != 10_000_000 {
			t.Errorf("Java %s: ready for %d ns, want 10 ms", name, r.threads[1][1].ready)
		}
	}
	if stops := readStops("there is none"); stops != nil {
		t.Errorf("stops %v without a log", stops)
	}
}
