package golang

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"tierscope/analysis/execution"
	"tierscope/analysis/trace"
)

//go:embed calibrate/*.go calibrate/*.s
var calibrator embed.FS

// Calibrate measures the costs of the machine and of Go's run-time system
// with a program of our own, built with the user's toolchain and run on as
// many cores. It takes about two seconds besides the build.
func (t Target) Calibrate(ctx context.Context, w trace.Workload, dir string) (trace.Calibration, error) {
	c, err := t.calibrate(ctx, w, dir)
	if err != nil {
		return c, fmt.Errorf("calibration: %w", err)
	}
	return c, nil
}

func (t Target) calibrate(ctx context.Context, w trace.Workload, dir string) (trace.Calibration, error) {
	src := filepath.Join(dir, "calibrate")
	if err := os.MkdirAll(src, 0o755); err != nil {
		return trace.Calibration{}, err
	}
	defer os.RemoveAll(src)
	for _, name := range []string{"main.go", "clock.go", "spin.go", "linkname.s"} {
		text, err := calibrator.ReadFile("calibrate/" + name)
		if err != nil {
			return trace.Calibration{}, err
		}
		if err := os.WriteFile(filepath.Join(src, name), text, 0o644); err != nil {
			return trace.Calibration{}, err
		}
	}
	if err := os.WriteFile(filepath.Join(src, "go.mod"), []byte("module calibrate\n\ngo 1.26\n"), 0o644); err != nil {
		return trace.Calibration{}, err
	}
	s, err := t.prepare(ctx, trace.Workload{Program: src}, filepath.Join(src, "bin"))
	if err != nil {
		return trace.Calibration{}, err
	}
	out, err := output(ctx, s.plain, w.Cores)
	if err != nil {
		return trace.Calibration{}, err
	}
	var m struct {
		WakeIdle, WakeQueued, WakerCost, WakeLocal, TimerLatency []float64
		Switch, Quantum, Spin                                    float64
		CollectCycle, CollectByte                                float64
	}
	if err := json.Unmarshal(out, &m); err != nil {
		return trace.Calibration{}, err
	}
	probe, err := t.probeCost(ctx, s, w, dir)
	if err != nil {
		return trace.Calibration{}, err
	}
	return trace.Calibration{
		Machine: machine(), Cores: runtime.NumCPU(),
		WakeIdle: m.WakeIdle, WakeLocal: m.WakeLocal, WakerCost: m.WakerCost, WakeQueued: m.WakeQueued, TimerLatency: m.TimerLatency,
		Switch: m.Switch, Quantum: m.Quantum, Spin: m.Spin, ProbeCost: probe,
		CollectCycle: m.CollectCycle, CollectByte: m.CollectByte,
	}, nil
}

// probeCost is what a record costs, in s: a Lock and Unlock make four.
func (t Target) probeCost(ctx context.Context, s *subject, w trace.Workload, dir string) (float64, error) {
	var took [2]float64
	for i, exe := range []string{s.plain, s.probed} {
		var env []string
		if i == 1 {
			name, err := t.probeFile(dir)
			if err != nil {
				return 0, err
			}
			defer os.Remove(name)
			env = []string{"TIERSCOPE_PROBE=" + name}
		}
		out, err := output(ctx, exe, w.Cores, append(env, "locks")...)
		if err != nil {
			return 0, err
		}
		if took[i], err = strconv.ParseFloat(strings.TrimSpace(string(out)), 64); err != nil {
			return 0, err
		}
	}
	return max(0, took[1]-took[0]) / 4, nil
}

// output runs the calibrator; words with "=" are its environment, the others
// its arguments.
func output(ctx context.Context, exe string, cores int, words ...string) (out []byte, err error) {
	cmd := exec.CommandContext(ctx, exe)
	cmd.Env = append(os.Environ(), "GLIBC_TUNABLES=glibc.pthread.rseq=0")
	for _, w := range words {
		if strings.Contains(w, "=") {
			cmd.Env = append(cmd.Env, w)
		} else {
			cmd.Args = append(cmd.Args, w)
		}
	}
	err = execution.OnCores(cores, func() error {
		out, err = cmd.Output()
		return err
	})
	return out, err
}

// machine names the processor.
func machine() string {
	b, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	for line := range strings.Lines(string(b)) {
		if k, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(k) == "model name" {
			return strings.TrimSpace(v)
		}
	}
	return runtime.GOARCH
}
