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
	"tierscope/analysis/journal"
)

// Layout of the shared file, as the probe has it: a header, modules, acquired
// locks by module and site, and by object too.
const (
	maxModules  = 4096
	maxLocks    = 8192
	maxPlaces   = 64
	word        = 8
	headerBytes = (8 + maxPlaces) * word
	moduleBytes = 8 * word
	lockBytes   = 5 * word
	locksAt     = headerBytes + maxModules*moduleBytes
	objectsAt   = locksAt + maxLocks*lockBytes
	sharedBytes = objectsAt + maxLocks*lockBytes
)

// subject is a program with probes.
type subject struct {
	exe, dir string
	plan     Plan
	what     string           // it has probes for
	kept     *journal.Journal // of its runs
}

// observed is what one run shows.
type observed struct {
	count        []int64
	spent, taken []float64 // seconds, all executions
	acquired     []acquisition
	objects      []acquisition
	elapsed      float64
	loaded       float64
}

// acquisition is how often executions of a module acquired a lock at a site, and
// for how many seconds in all they held it.
type acquisition struct {
	module, site  int
	object, count int64
	held          float64
}

// order is what a run is asked to do.
type order struct {
	watch  bool    // note in which modules locks are acquired
	module int     // to delay
	delay  float64 // seconds
	places []int   // sites behind which the executions are delayed in turn; none: at entry
}

// time returns the mean time of an execution of a module, in seconds.
func (o *observed) time(module int) float64 {
	if o.count[module] == 0 {
		return 0
	}
	return o.spent[module] / float64(o.count[module])
}

// run runs the program once, or takes the run from the journal.
func (s subject) run(ctx context.Context, o order) (*observed, error) {
	k, err := journal.Do(s.kept, fmt.Sprintf("%s %+v", s.what, o), func() (kept, error) {
		seen, err := s.execute(ctx, o)
		if err != nil {
			return kept{}, err
		}
		return seen.keep(), nil
	})
	if err != nil {
		return nil, err
	}
	return k.observed(), nil
}

// execute runs the program once.
func (s subject) execute(ctx context.Context, o order) (*observed, error) {
	if err := os.WriteFile(shared(s.dir), o.encode(), 0o600); err != nil {
		return nil, fmt.Errorf("prolong: %w", err)
	}
	program := execution.Program{Path: s.exe, Args: s.plan.Args,
		Env: append(append(os.Environ(), s.plan.Env...), "TIERSCOPE_PROLONG="+shared(s.dir))}
	busy, total := machine()
	run, _, err := program.Finish(ctx, s.plan.Timeout)
	if err != nil {
		return nil, err
	}
	seen := &observed{elapsed: run.Wall.Seconds()}
	if after, all := machine(); all > total {
		used := run.CPU.Seconds() * ticksPerSecond
		seen.loaded = max(0, (after-busy-used)/(all-total))
	}
	file, err := os.ReadFile(shared(s.dir))
	switch {
	case err != nil:
		return nil, fmt.Errorf("prolong: %w", err)
	case len(file) != sharedBytes:
		return nil, errors.New("prolong: the program changed the file of the probes")
	}
	seen.decode(file)
	return seen, nil
}

// encode returns the shared file with which a run begins.
func (o order) encode() []byte {
	file := make([]byte, sharedBytes)
	put := func(k int, v int64) { binary.NativeEndian.PutUint64(file[k*word:], uint64(v)) }
	if o.watch {
		put(0, 1)
		o.module = nobody
	}
	put(1, int64(o.module))
	put(2, int64(o.delay*float64(time.Second)))
	places := o.places[:min(len(o.places), maxPlaces)]
	put(3, int64(len(places)))
	for k, p := range places {
		put(8+k, int64(p))
	}
	return file
}

// nobody is the module of a run without delay.
const nobody = -1

func (o *observed) decode(file []byte) {
	at := func(offset int) int64 { return int64(binary.NativeEndian.Uint64(file[offset:])) }
	const second = float64(time.Second)
	for i := range maxModules {
		m := headerBytes + i*moduleBytes
		o.count = append(o.count, at(m))
		o.spent = append(o.spent, float64(at(m+word))/second)
		o.taken = append(o.taken, float64(at(m+2*word))/second)
	}
	read := func(table int) (out []acquisition) {
		for i := range maxLocks {
			if e := table + i*lockBytes; at(e) > 0 {
				out = append(out, acquisition{int(at(e)) - 1, int(at(e+word)) - 1, at(e + 2*word), at(e + 3*word), float64(at(e+4*word)) / second})
			}
		}
		return out
	}
	o.acquired, o.objects = read(locksAt), read(objectsAt)
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
