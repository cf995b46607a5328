package experiment

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tierscope/core"
	"tierscope/simulation"
)

// Run is one simulation: what was simulated and what came out.
type Run struct {
	ID       string             `json:"id"` // ID of the inputs
	Time     time.Time          `json:"time"`
	Scenario string             `json:"scenario,omitempty"` // name of the scenario or experiment it was made for
	Edits    []core.Edit        `json:"edits,omitempty"`    // structural changes of the model before the settings
	Only     []string           `json:"only,omitempty"`     // names of the metrics that were kept; empty: the whole result
	Inputs   simulation.Inputs  `json:"inputs"`
	Result   *simulation.Result `json:"result"`
}

// Virtual is the scenario of the runs that explain a configuration: resources
// and code are made faster than anybody could set them.
const Virtual = "explain"

// Curves is the scenario of the runs that are made beside what was asked for, to draw curves and maps over numbers.
const Curves = "what-if"

// Asked reports whether somebody asked for a run: it is neither a point of a curve nor a virtual speed-up.
func (r Run) Asked(m *core.Model) bool { return r.Scenario != Curves && !r.Speculative(m) }

// Speculative reports whether a run is one of a virtual speed-up: it says what a
// change would bring, and is no configuration of the program.
func (r Run) Speculative(m *core.Model) bool {
	for path := range r.Result.Configuration {
		if _, ok := m.Parameter(path); !ok && r.Scenario == Virtual {
			return true
		}
	}
	return false
}

// ID returns the identity of a simulation: a hash of the model in its
// configuration, of all options that a complete result depends on, and of the
// version of the simulator. Equal IDs give equal results.
func ID(configured core.Model, inputs simulation.Inputs) string {
	return idOf(core.Hash(configured), inputs)
}

// idOf is ID of a configured model with a hash.
func idOf(hash string, inputs simulation.Inputs) string {
	data, err := json.Marshal(inputs)
	if err != nil {
		panic("experiment: inputs that are not finite: " + err.Error())
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%s", hash, data, simulation.Version))
	return hex.EncodeToString(sum[:16])
}

// Ledger is a folder of append-only files of runs, one for each writer, read as one. What is not whole,
// as a crash may leave it at the end of a file, is skipped. Its methods may be called concurrently; several
// processes, on several machines too, may append to one folder.
type Ledger struct {
	mu       sync.Mutex
	dir      string
	segments []*segment
	known    map[string]bool // names of files that are segments
	runs     map[key]int32   // the last complete run of every ID, in order
	order    []span          // all runs
	costs    map[string]cost // by hash of the model
	own      *segment        // nil before the first Append
	synced   time.Time
}

// span is where a run is.
type span struct {
	segment int32
	context int32 // of the segment
	length  int32
	at      int64
	time    int64 // ns since 1970
}

// cost is what the complete runs of a model cost.
type cost struct {
	runs int
	busy time.Duration
}

// key is what a run is found by.
type key [16]byte

// keyOf is the binary form of an ID; of a text that is none, its hash.
func keyOf(id string) (k key) {
	if b, err := hex.DecodeString(id); err == nil && len(b) == len(k) {
		return key(b)
	}
	sum := sha256.Sum256([]byte(id))
	return key(sum[:len(k)])
}

// Names of the files of a ledger: the folder, the file of lines that was a whole ledger, and what it is called once
// its runs are in the folder.
const (
	folderSuffix  = ".d"
	linesSuffix   = ".jsonl"
	segmentSuffix = ".runs"
	migratedName  = ".migrated"
	probePrefix   = ".probe-"
)

// OpenLedger opens the ledger at path: a folder, which is made if it does not exist. Of a path that ends with
// .jsonl, the form in which a ledger was one file of JSON lines, the folder ends with .d, and the runs of
// such a file are taken over.
func OpenLedger(path string) (*Ledger, error) {
	dir := path
	if base, ok := strings.CutSuffix(path, linesSuffix); ok {
		dir = base + folderSuffix
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	if err := writable(dir); err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	if err := migrate(strings.TrimSuffix(dir, folderSuffix)+linesSuffix, dir); err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	l := &Ledger{dir: dir, known: map[string]bool{}, runs: map[key]int32{}, costs: map[string]cost{}}
	if err := l.Refresh(); err != nil {
		return nil, errors.Join(fmt.Errorf("ledger %s: %w", dir, err), l.Close())
	}
	return l, nil
}

// writable reports why nothing can be written to a folder. What others left there who were killed as they looked goes, too.
func writable(dir string) error {
	f, err := os.CreateTemp(dir, probePrefix)
	if err != nil {
		return err
	}
	err = f.Close()
	if e := os.Remove(f.Name()); !errors.Is(e, fs.ErrNotExist) { // or another one was faster
		err = errors.Join(err, e)
	}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), probePrefix) {
			_ = os.Remove(filepath.Join(dir, e.Name())) // or whose it is does
		}
	}
	return err
}

// Refresh looks for runs that others have written.
func (l *Ledger) Refresh() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	names, err := filepath.Glob(filepath.Join(l.dir, "*"+segmentSuffix))
	if err != nil {
		return err
	}
	slices.Sort(names)
	for _, name := range names {
		if l.known[name] {
			continue
		}
		s, err := openSegment(name)
		if err != nil {
			return err
		}
		l.add(s)
	}
	return l.readAll()
}

// readAll indexes what all segments have beyond what was read of them. They are read side by side.
func (l *Ledger) readAll() error {
	type entry struct {
		at     int64
		length int
		header
	}
	found, errs := make([][]entry, len(l.segments)), make([]error, len(l.segments))
	var next atomic.Int64
	var readers sync.WaitGroup
	for range min(len(l.segments), runtime.GOMAXPROCS(0)) {
		readers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(l.segments)); i = next.Add(1) - 1 {
				errs[i] = l.segments[i].read(func(at int64, length int, h header) { found[i] = append(found[i], entry{at, length, h}) })
			}
		})
	}
	readers.Wait()
	n := 0
	for _, f := range found {
		n += len(f)
	}
	if len(l.order) == 0 {
		l.order, l.runs = make([]span, 0, n), make(map[key]int32, n)
	}
	for i, f := range found {
		for _, x := range f {
			l.index(i, x.at, x.length, x.header)
		}
	}
	return errors.Join(errs...)
}

func (l *Ledger) add(s *segment) {
	l.known[s.path] = true
	l.segments = append(l.segments, s)
}

// read indexes what a segment has beyond what was read of it.
func (l *Ledger) read(i int, s *segment) error {
	return s.read(func(at int64, length int, h header) { l.index(i, at, length, h) })
}

// index notes a run of segment i.
func (l *Ledger) index(i int, at int64, length int, h header) {
	l.order = append(l.order, span{int32(i), int32(h.context), int32(length), at, h.time})
	if h.interrupted {
		return
	}
	l.runs[h.key] = int32(len(l.order) - 1)
	model := l.segments[i].contexts[h.context].hash
	c := l.costs[model]
	l.costs[model] = cost{c.runs + 1, c.busy + h.busy}
}

// Find returns the complete run with the given ID. Interrupted runs are in
// the ledger, but are not found: they would be simulated again.
func (l *Ledger) Find(id string) (Run, bool) {
	l.mu.Lock()
	i, ok := l.runs[keyOf(id)]
	if !ok {
		l.mu.Unlock()
		return Run{}, false
	}
	where := l.order[i]
	l.mu.Unlock()
	run, err := l.load(where)
	return run, err == nil && run.ID == id
}

// has reports whether Find would find a run that has the metrics asked for.
func (l *Ledger) has(id string, only []string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	i, ok := l.runs[keyOf(id)]
	if !ok {
		return false
	}
	where := l.order[i]
	return covers(l.segments[where.segment].contexts[where.context].run.Only, only)
}

// All yields every run in the order in which they were made; a run that
// cannot be read (of a newer version, say) comes as an error.
func (l *Ledger) All() iter.Seq2[Run, error] {
	return func(yield func(Run, error) bool) {
		err := l.Refresh()
		l.mu.Lock()
		order := slices.Clone(l.order)
		l.mu.Unlock()
		slices.SortStableFunc(order, func(a, b span) int { return int(min(max(a.time-b.time, -1), 1)) })
		if err != nil && !yield(Run{}, fmt.Errorf("ledger: %w", err)) {
			return
		}
		for _, s := range order {
			if !yield(l.load(s)) {
				return
			}
		}
	}
}

func (l *Ledger) load(where span) (Run, error) {
	l.mu.Lock()
	s := l.segments[where.segment]
	l.mu.Unlock()
	run, err := s.load(where.at, int(where.length))
	if err != nil {
		return Run{}, fmt.Errorf("ledger: %s: run at byte %d: %w", s.path, where.at, err)
	}
	return run, nil
}

// syncInterval is how often what was appended is forced to the disk: when the machine dies, at most what was
// simulated in this time must be simulated again. When the process dies nothing is lost.
const syncInterval = time.Second

// Append writes a run.
func (l *Ledger) Append(run Run) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.own == nil {
		own, err := l.claim()
		if err != nil {
			return fmt.Errorf("ledger: %w", err)
		}
		l.own = own
	}
	if err := l.own.append(run); err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	if now := time.Now(); now.Sub(l.synced) > syncInterval {
		l.synced = now
		if err := l.own.file.Sync(); err != nil {
			return fmt.Errorf("ledger: %w", err)
		}
	}
	return l.read(slices.Index(l.segments, l.own), l.own)
}

// claim finds a file that this process may append to: one that nobody else writes and that is whole, or
// a new one.
func (l *Ledger) claim() (*segment, error) {
	host, err := os.Hostname()
	if err != nil {
		host = "host"
	}
	for n := 0; ; n++ {
		name := filepath.Join(l.dir, fmt.Sprintf("%s-%d%s", strings.ReplaceAll(host, string(filepath.Separator), "-"), n, segmentSuffix))
		for _, s := range l.segments {
			if s.path == name && !s.foreign && s.tryLock() {
				if err := l.read(slices.Index(l.segments, s), s); err != nil {
					return nil, err
				}
				if s.damaged == 0 && !s.torn {
					return s, nil
				}
				s.unlock() // what is damaged stays as it is
			}
		}
		if l.known[name] {
			continue
		}
		s, err := createSegment(name)
		if errors.Is(err, os.ErrExist) { // somebody has just made it
			continue
		}
		if err != nil {
			return nil, err
		}
		l.add(s)
		return s, nil
	}
}

// Len returns the number of runs.
func (l *Ledger) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.order)
}

// Damaged returns the number of places that were skipped: half-written when a program or the machine died.
func (l *Ledger) Damaged() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, s := range l.segments {
		n += s.damaged
		if s.torn {
			n++
		}
	}
	return n
}

// Cost returns how many complete runs of a model there are, and how long they kept workers busy.
func (l *Ledger) Cost(modelHash string) (runs int, busy time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.costs[modelHash]
	return c.runs, c.busy
}

// Close forces what was appended to the disk and closes the files.
func (l *Ledger) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var errs []error
	if l.own != nil && l.own.file != nil {
		errs = append(errs, l.own.file.Sync())
	}
	for _, s := range l.segments {
		errs = append(errs, s.file.Close())
	}
	return errors.Join(errs...)
}
