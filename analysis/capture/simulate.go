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

// marks of the probe: what lies between is counted.
var marks = []string{"--zero-before=*zz_tierscope.begin", "--dump-before=*zz_tierscope.end*"}

// run runs the program in the simulator and returns records as the probe writes them.
func (s *simulator) run(ctx context.Context, p Plan, exe, dir string, in Input, env []string) (string, error) {
	// The signals by which Go interrupts goroutines are more than callgrind bears, and of RDTSCP, by which Go reads the clock of
	// a processor, it does not know where it is called.
	env = append(env, "GODEBUG="+strings.TrimPrefix(os.Getenv("GODEBUG")+",asyncpreemptoff=1,cpu.rdtscp=off", ","))
	files, err := s.profiles(ctx, p, exe, dir, in, env, marks...)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, name := range files {
		if err := simulatedThread(&b, name); err != nil {
			return "", fmt.Errorf("%s: %w", filepath.Base(name), err)
		}
	}
	return b.String(), nil
}

// profiles runs a program in the simulator and returns the names of the files that it wrote: of every thread, and at every mark.
func (s *simulator) profiles(ctx context.Context, p Plan, exe, dir string, in Input, env []string, more ...string) ([]string, error) {
	dir = filepath.Join(dir, "simulated")
	if err := errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o700)); err != nil {
		return nil, fmt.Errorf("capture: %w", err)
	}
	args := slices.Concat([]string{"-q", "--tool=callgrind", "--separate-threads=yes", "--cache-sim=yes", "--branch-sim=yes", "--compress-strings=no",
		"--callgrind-out-file=" + filepath.Join(dir, "out")}, more, []string{exe}, in.Args)
	program := execution.Program{Path: s.valgrind, Args: args, Stdin: in.Stdin, Env: env, ExitStatus: p.Exit}
	if _, _, err := program.Finish(ctx, p.Timeout); err != nil {
		return nil, fmt.Errorf("in the simulator: %w", err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "out?*"))
	if err != nil {
		panic(err) // the pattern is a constant but for the folder, which the system named
	}
	slices.Sort(files)
	return files, nil
}

// simulatedThread writes the record of the thread whose profile a file is. Other
// profiles, such as those of the end of the program, are none.
func simulatedThread(b *strings.Builder, name string) error {
	mark, totals, err := profile(name)
	if err != nil || mark == "" {
		return err
	}
	kind, err := strconv.Atoi(mark[strings.LastIndex(mark, ".end")+len(".end"):])
	if err != nil {
		return fmt.Errorf("no mark of a thread: %q", mark)
	}
	fmt.Fprintf(b, "t %d 1", kind)
	for _, s := range simulated {
		fmt.Fprintf(b, " simulated %s=%v", s.behaviour, totals[s.behaviour])
	}
	b.WriteByte('\n')
	return nil
}

// profile reads a file of callgrind: the mark at which it was written, "" for none, and what was counted.
func profile(name string) (mark string, totals map[string]float64, err error) {
	file, err := os.Open(name)
	if err != nil {
		return "", nil, err
	}
	defer file.Close()
	var events, sums []string
	in := bufio.NewScanner(file)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		key, value, _ := strings.Cut(in.Text(), ":")
		switch key {
		case "desc":
			if _, at, ok := strings.Cut(value, "--dump-before="); ok {
				mark = at
			}
		case "events":
			events = strings.Fields(value)
		case "totals":
			sums = strings.Fields(value)
		}
	}
	if err := in.Err(); err != nil {
		return "", nil, err
	}
	totals = map[string]float64{}
	for _, s := range simulated {
		for _, event := range s.events {
			// Zeros at the end of the list are left out.
			if k := slices.Index(events, event); k >= 0 && k < len(sums) {
				v, err := strconv.ParseFloat(sums[k], 64)
				if err != nil {
					return "", nil, fmt.Errorf("total %q is no number", sums[k])
				}
				totals[s.behaviour] += v
			}
		}
	}
	return mark, totals, nil
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
