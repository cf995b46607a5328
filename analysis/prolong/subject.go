package prolong

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"tierscope/analysis/execution"
)

// Layout of the shared file, as the probe has it.
const (
	maxModules  = 4096
	maxLocks    = 8192
	moduleBytes = 64
	lockBytes   = 16
)

// subject is a program with probes.
type subject struct {
	exe, dir string
	plan     Plan
}

// observed is what one run shows.
type observed struct {
	count        []int64
	spent, taken []float64 // seconds, all executions
	locks        []struct {
		site    int
		address int64
	}
	elapsed, loaded float64
}

// time returns the mean time of an execution of a module, in seconds.
func (o *observed) time(module int) float64 {
	if o.count[module] == 0 {
		return 0
	}
	return o.spent[module] / float64(o.count[module])
}

// run runs the program with one module delayed; −1 for none.
func (s subject) run(ctx context.Context, module int, delay float64) (*observed, error) {
	file := make([]byte, maxModules*moduleBytes+maxLocks*lockBytes)
	if module >= 0 {
		binary.NativeEndian.PutUint64(file[module*moduleBytes+16:], uint64(delay*float64(time.Second)))
	}
	if err := os.WriteFile(shared(s.dir), file, 0o600); err != nil {
		return nil, fmt.Errorf("prolong: %w", err)
	}
	program := execution.Program{Path: s.exe, Args: s.plan.Args,
		Env: append(append(os.Environ(), s.plan.Env...), "TIERSCOPE_PROLONG="+shared(s.dir))}
	busy, total := machine()
	run, _, err := program.Finish(ctx, s.plan.Timeout)
	if err != nil {
		return nil, err
	}
	o := &observed{elapsed: run.Wall.Seconds()}
	if after, all := machine(); all > total {
		used := run.CPU.Seconds() * ticksPerSecond
		o.loaded = max(0, (after-busy-used)/(all-total))
	}
	if file, err = os.ReadFile(shared(s.dir)); err != nil {
		return nil, fmt.Errorf("prolong: %w", err)
	}
	if len(file) != maxModules*moduleBytes+maxLocks*lockBytes {
		return nil, errors.New("prolong: the program changed the file of the probes")
	}
	o.decode(file)
	return o, nil
}

func (o *observed) decode(file []byte) {
	word := func(at int) int64 { return int64(binary.NativeEndian.Uint64(file[at:])) }
	const second = float64(time.Second)
	for i := range maxModules {
		at := i * moduleBytes
		o.count = append(o.count, word(at))
		o.spent = append(o.spent, float64(word(at+8))/second)
		o.taken = append(o.taken, float64(word(at+24))/second)
	}
	for i := range maxLocks {
		at := maxModules*moduleBytes + i*lockBytes
		if s := word(at); s > 0 {
			o.locks = append(o.locks, struct {
				site    int
				address int64
			}{int(s - 1), word(at + 8)})
		}
	}
}

// ticksPerSecond is the unit of /proc/stat on Linux.
const ticksPerSecond = 100

// machine returns the busy and all ticks of all CPUs since the start of the
// machine, stolen time being busy; zeros where there is no /proc.
func machine() (busy, all float64) {
	f, err := os.Open("/proc/stat")
	if err != nil {
		return 0, 0
	}
	defer f.Close()
	line, err := bufio.NewReader(f).ReadString('\n')
	if err != nil {
		return 0, 0
	}
	for i, field := range strings.Fields(line)[1:] {
		v, err := strconv.ParseFloat(field, 64)
		if err != nil || i > 7 { // guest time is part of user time
			break
		}
		all += v
		if i != 3 && i != 4 { // idle, iowait
			busy += v
		}
	}
	return busy, all
}
