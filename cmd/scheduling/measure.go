package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tierscope/core/robust"
)

// repeats of each load. Convention: as few as have a median.
const repeats = 3

// costs are what it costs here to wake a thread, s.
type costs struct {
	Same  float64 `json:"same_core_s"` // until it runs, on the core of who wakes it
	Idle  float64 `json:"idle_core_s"` // on an idle core
	Waker float64 `json:"waker_s"`     // CPU time of who wakes it
}

// measurements are testdata/threads.json.
type measurements struct {
	Machine string `json:"machine"`
	Load    string `json:"load"`
	Commit  string `json:"commit"`
	Date    string `json:"date"`
	Repeats int    `json:"repeats"`
	Wake    costs  `json:"wake"`
	Loads   []load `json:"loads"`
}

// measure runs every load several times, by turns.
func measure(ctx context.Context) (measurements, error) {
	m := measurements{Load: "nothing else", Date: time.Now().Format(time.DateOnly), Repeats: repeats, Loads: loads()}
	dir, err := os.MkdirTemp("", "scheduling")
	if err != nil {
		return m, err
	}
	defer os.RemoveAll(dir)
	if _, err := output(ctx, "tools", "go", "build", "-o", dir+"/goroutines", "./goroutines"); err != nil {
		return m, err
	}
	if _, err := output(ctx, "tools/threads", "g++", "-O2", "-pthread", "-o", dir+"/threads", "threads.cc"); err != nil {
		return m, err
	}
	m.Commit = first(output(ctx, ".", "git", "rev-parse", "--short=7", "HEAD"))
	m.Machine = first(output(ctx, ".", "sh", "-c", `echo "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1), $(nproc) vCPUs, Linux $(uname -r | cut -d. -f1,2)"`))
	same, err := waking(ctx, dir, 1)
	if err != nil {
		return m, err
	}
	idle, err := waking(ctx, dir, 2)
	if err != nil {
		return m, err
	}
	m.Wake = costs{Same: same["latency"].P50, Idle: idle["latency"].P50, Waker: idle["cost"].P50}
	values := make([]map[string][]float64, len(m.Loads))
	for r := range repeats {
		for i, l := range m.Loads {
			fmt.Fprintf(os.Stderr, "\r\033[K%d of %d: %s, %s", r*len(m.Loads)+i+1, repeats*len(m.Loads), l.Tool, l)
			found, err := once(ctx, filepath.Join(dir, l.Tool), l.arguments()...)
			if err != nil {
				return m, err
			}
			if values[i] == nil {
				values[i] = map[string][]float64{}
			}
			for words, v := range found {
				values[i][words] = append(values[i][words], v)
			}
		}
	}
	fmt.Fprintln(os.Stderr)
	for i := range m.Loads {
		m.Loads[i].Measured = map[string]spread{}
		for words, v := range values[i] {
			m.Loads[i].Measured[words] = spread{robust.Median(v), slices.Min(v), slices.Max(v)}
		}
	}
	return m, nil
}

// law is what a tool prints of times, s.
type law struct{ Mean, P50, P90, P99 float64 }

// waking measures what it costs to wake a thread on the last of so many CPUs.
func waking(ctx context.Context, dir string, cpus int) (found map[string]law, err error) {
	text, err := output(ctx, ".", filepath.Join(dir, "threads"), "wake", fmt.Sprint(cpus), "5")
	if err == nil {
		err = json.Unmarshal(text, &found)
	}
	return found, err
}

// once runs a tool and returns what it prints by name and statistic.
func once(ctx context.Context, tool string, arguments ...string) (map[string]float64, error) {
	text, err := output(ctx, ".", tool, arguments...)
	if err != nil {
		return nil, err
	}
	var found struct {
		X    float64
		R, W law
	}
	if err := json.Unmarshal(text, &found); err != nil {
		return nil, fmt.Errorf("%s: %w", tool, err)
	}
	if found.X > 0 {
		return map[string]float64{"X mean": found.X, "W mean": found.W.Mean}, nil
	}
	return map[string]float64{"R mean": found.R.Mean, "R p50": found.R.P50, "R p90": found.R.P90, "R p99": found.R.P99}, nil
}

// output runs a command in a folder.
func output(ctx context.Context, dir, program string, arguments ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, program, arguments...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%v: %w", cmd, err)
	}
	return text, nil
}

// first is the first line of an output, empty if there is none.
func first(text []byte, err error) string {
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return line
}
