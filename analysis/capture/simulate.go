package capture

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tierscope/analysis/execution"
)

// simulator is a processor in software: callgrind of valgrind, which counts what each
// thread does between the marks of the probe, with caches and a branch predictor like those
// of this machine. It makes a program about fifty times slower, and runs its threads one
// at a time, so that only counts are taken from it, no times.
type simulator struct {
	valgrind string
}

// findSimulator finds valgrind.
func findSimulator() (*simulator, error) {
	path, err := exec.LookPath("valgrind")
	if err != nil {
		return nil, errors.New("capture: no valgrind to simulate a processor with: install it (Debian: apt install valgrind)")
	}
	return &simulator{path}, nil
}

// simulated are the behaviours, and the events of callgrind that they are sums of
// (https://valgrind.org/docs/manual/cl-manual.html).
var simulated = []struct {
	behaviour string
	events    []string
}{
	{"instructions", []string{"Ir"}},
	{"branches", []string{"Bc", "Bi"}},
	{"branch_misses", []string{"Bcm", "Bim"}},
	{"l1_misses", []string{"D1mr", "D1mw"}},
	{"cache_misses", []string{"DLmr", "DLmw"}},
}

// run runs the program in the simulator and returns records as the probe writes them.
func (s *simulator) run(ctx context.Context, p Plan, exe, dir string, in Input, env []string) (string, error) {
	dir = filepath.Join(dir, "simulated")
	if err := errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o700)); err != nil {
		return "", fmt.Errorf("capture: %w", err)
	}
	args := append([]string{"-q", "--tool=callgrind", "--separate-threads=yes", "--cache-sim=yes", "--branch-sim=yes", "--compress-strings=no",
		"--zero-before=*zz_tierscope.begin", "--dump-before=*zz_tierscope.end*", "--callgrind-out-file=" + filepath.Join(dir, "out"), exe}, in.Args...)
	// The signals by which Go interrupts goroutines are more than callgrind bears.
	program := execution.Program{Path: s.valgrind, Args: args, Stdin: in.Stdin, Env: append(env, "GODEBUG="+strings.TrimPrefix(os.Getenv("GODEBUG")+",asyncpreemptoff=1", ","))}
	if _, _, err := program.Finish(ctx, p.Timeout); err != nil {
		return "", err
	}
	files, err := filepath.Glob(filepath.Join(dir, "out.*"))
	if err != nil {
		panic(err) // the pattern is a constant but for the folder, which the system named
	}
	slices.Sort(files)
	var b strings.Builder
	for _, name := range files {
		if err := simulatedThread(&b, name); err != nil {
			return "", fmt.Errorf("%s: %w", filepath.Base(name), err)
		}
	}
	return b.String(), nil
}

// simulatedThread writes the record of the thread whose profile a file is. Other
// profiles, such as those of the end of the program, are none.
func simulatedThread(b *strings.Builder, name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	kind := -1
	var events, totals []string
	in := bufio.NewScanner(file)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		key, value, _ := strings.Cut(in.Text(), ":")
		switch key {
		case "desc":
			if _, mark, ok := strings.Cut(value, "--dump-before="); ok {
				if kind, err = strconv.Atoi(mark[strings.LastIndex(mark, ".end")+len(".end"):]); err != nil {
					return fmt.Errorf("no mark of a thread: %q", mark)
				}
			}
		case "events":
			events = strings.Fields(value)
		case "totals":
			totals = strings.Fields(value)
		}
	}
	if err := in.Err(); err != nil || kind < 0 {
		return err
	}
	fmt.Fprintf(b, "t %d 1", kind)
	for _, s := range simulated {
		sum := 0.0
		for _, event := range s.events {
			// Zeros at the end of the list are left out.
			if k := slices.Index(events, event); k >= 0 && k < len(totals) {
				v, err := strconv.ParseFloat(totals[k], 64)
				if err != nil {
					return fmt.Errorf("total %q is no number", totals[k])
				}
				sum += v
			}
		}
		fmt.Fprintf(b, " simulated %s=%v", s.behaviour, sum)
	}
	b.WriteByte('\n')
	return nil
}

// probe is the source of the probe, with a mark for the end of each kind of thread.
func (r *recorder) probe() []byte {
	text := string(probe)
	var list []string
	for kind := range r.threads {
		list = append(list, fmt.Sprint("end", kind))
		text += fmt.Sprintf("\n//go:noinline\nfunc end%d() {}\n", kind)
	}
	return []byte(text + "\nfunc init() { ends = []func(){" + strings.Join(list, ", ") + "} }\n")
}
