package golang

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"tierscope/analysis/trace"
)

// A goroutine's CPU time is what the clock of its thread says, also when the
// kernel takes the core away again and again: here two threads share the
// machine with two more per core. Wall-clock time would be off by a factor.
func TestCPUTimeOfAGoroutineIsExactOnABusyMachine(t *testing.T) {
	s := probed(t, constructs)
	for range 4 {
		hog := exec.Command(s.plain, "hog")
		if err := hog.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() {
			hog.Process.Kill()
			hog.Wait()
		}()
	}
	dir := t.TempDir()
	tr, _, err := Target{Record: minProbeFile, Timeout: time.Minute}.record(t.Context(), s, trace.Workload{Program: constructs, Args: []string{"demand"}}, dir)
	if err != nil {
		t.Fatal(err)
	}
	out, err := os.ReadFile(filepath.Join(dir, "stderr.txt"))
	if err != nil {
		t.Fatal(err)
	}
	truth, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	if err != nil {
		t.Fatal(err)
	}
	var cpu, wall int64
	for _, th := range tr.Threads {
		if th.Start != "main.demand.func1" {
			continue
		}
		// computations lie between the end of an unlock and the next lock
		for i := 1; i < len(th.Records); i++ {
			a, b := th.Records[i-1], th.Records[i]
			if a.Op == trace.OpUnlock && a.End && b.Op == trace.OpLock && !b.End && b.CPU-a.CPU > 50_000 {
				cpu += b.CPU - a.CPU
				wall += b.Time - a.Time
			}
		}
	}
	ratio := float64(cpu) / truth
	t.Logf("CPU by the probes / by the thread's clock: %.4f; wall-clock: %.2f", ratio, float64(wall)/truth)
	if ratio < 0.98 || ratio > 1.02 {
		t.Errorf("probes measured %.1f ms of CPU, the threads' clocks %.1f ms: want within 2 %%", float64(cpu)/1e6, truth/1e6)
	}
}
