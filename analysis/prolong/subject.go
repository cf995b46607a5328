package prolong

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"tierscope/analysis/journal"
)

// Layout of the file that a run shares with its probes: a header, modules, acquired
// locks by module and site, and by object too.
const (
	maxModules  = 4096
	maxLocks    = 8192
	maxPlaces   = 64
	word        = 8
	headerBytes = 8 * word
	moduleBytes = (8 + maxPlaces) * word
	lockBytes   = 5 * word
	locksAt     = headerBytes + maxModules*moduleBytes
	objectsAt   = locksAt + maxLocks*lockBytes
	sharedBytes = objectsAt + maxLocks*lockBytes
)

// subject is a program with probes.
type subject struct {
	plan   Plan
	dir    string
	what   string                                                // it has probes for
	launch func(ctx context.Context, file string) (ended, error) // runs it with the shared file
	kept   *journal.Journal                                      // of its runs
}

// ended is what a run took, in s, and who called whom, if only the run shows that.
type ended struct {
	wall, cpu float64
	calls     [][2]int
}

// observed is what one run shows.
type observed struct {
	count        []int64
	spent, taken []float64 // seconds, all executions
	acquired     []acquisition
	objects      []acquisition
	elapsed      float64
	loaded       float64
	calls        [][2]int // who called whom, if only runs show that
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
	watch  bool // note in which modules locks are acquired
	net    bool // delays are no part of the times of those who are delayed themselves
	kind   Kind
	delays []delay
}

// delay is that of a module.
type delay struct {
	module  int
	seconds float64
	places  []int // sites behind which the executions are delayed in turn; none: at entry
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
	if err := os.WriteFile(shared(s.dir), o.encode(s.plan.Touch), 0o600); err != nil {
		return nil, fmt.Errorf("prolong: %w", err)
	}
	busy, total := machine()
	took, err := s.launch(ctx, shared(s.dir))
	if err != nil {
		return nil, err
	}
	seen := &observed{elapsed: took.wall, calls: took.calls}
	if after, all := machine(); all > total {
		used := took.cpu * ticksPerSecond
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
func (o order) encode(touch int64) []byte {
	file := make([]byte, sharedBytes)
	put := func(offset int, v int64) { binary.NativeEndian.PutUint64(file[offset:], uint64(v)) }
	flag := func(offset int, on bool) {
		if on {
			put(offset, 1)
		}
	}
	flag(0, o.watch)
	flag(word, o.net)
	put(2*word, int64(slices.Index(kinds, o.kind)))
	put(3*word, touch)
	flag(4*word, slices.ContainsFunc(o.delays, func(d delay) bool { return len(d.places) > 0 }))
	for _, d := range o.delays {
		at := headerBytes + d.module*moduleBytes
		put(at+3*word, int64(d.seconds*float64(time.Second)))
		places := d.places[:min(len(d.places), maxPlaces)]
		put(at+4*word, int64(len(places)))
		for k, p := range places {
			put(at+(8+k)*word, int64(p))
		}
	}
	return file
}

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
