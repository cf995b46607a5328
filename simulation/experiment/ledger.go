package experiment

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"sync"
	"time"

	"tierscope/core"
	"tierscope/simulation"
)

// RunFormat is the file format of one line of a ledger.
var RunFormat = core.Format{Name: "tierscope-run", Version: 1}

// Run is one line of a ledger: what was simulated and what came out.
type Run struct {
	ID       string             `json:"id"` // ID of the inputs
	Time     time.Time          `json:"time"`
	Scenario string             `json:"scenario,omitempty"` // name of the scenario or experiment it was made for
	Edits    []core.Edit        `json:"edits,omitempty"`    // structural changes of the model before the settings
	Inputs   simulation.Inputs  `json:"inputs"`
	Result   *simulation.Result `json:"result"`
}

// ID returns the identity of a simulation: a hash of the model in its
// configuration, of all options that a complete result depends on, and of the
// version of the simulator. Equal IDs give equal results.
func ID(configured core.Model, inputs simulation.Inputs) string {
	data, err := json.Marshal(inputs)
	if err != nil {
		panic("experiment: inputs that are not finite: " + err.Error())
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%s", core.Hash(configured), data, simulation.Version))
	return hex.EncodeToString(sum[:16])
}

// Ledger is an append-only file of runs, one JSON object per line. Lines that
// are not whole, as a crash may leave one at the end, are skipped. Its methods
// may be called concurrently; several processes may append to one file.
type Ledger struct {
	mu      sync.Mutex
	file    *os.File
	runs    map[string]span // the last complete run of every ID
	order   []span          // all runs
	damaged int
	size    int64 // up to which the file has been read
	torn    bool  // the file does not end with a line end
}

// span is where a line is in the file.
type span struct{ at, length int64 }

// OpenLedger opens the ledger at path, which is made together with its
// directory if it does not exist.
func OpenLedger(path string) (*Ledger, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	l := &Ledger{file: f, runs: map[string]span{}}
	if err := l.read(); err != nil {
		return nil, errors.Join(fmt.Errorf("ledger %s: %w", path, err), f.Close())
	}
	return l, nil
}

// read indexes what the file has beyond l.size.
func (l *Ledger) read() error {
	r := bufio.NewReaderSize(io.NewSectionReader(l.file, l.size, 1<<62), 1<<16)
	for {
		line, err := r.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if len(line) == 0 {
			return nil
		}
		if line[len(line)-1] != '\n' { // another process may be writing it
			l.torn = true
			return nil
		}
		l.torn = false
		l.index(line, l.size)
		l.size += int64(len(line))
	}
}

// index notes one line.
func (l *Ledger) index(line []byte, at int64) {
	var head struct {
		ID     string `json:"id"`
		Result *struct {
			Interrupted bool `json:"interrupted"`
		} `json:"result"`
	}
	if len(line) == 1 {
		return // the line end that closed a torn line
	}
	if err := json.Unmarshal(line, &head); err != nil || head.ID == "" || head.Result == nil {
		l.damaged++
		return
	}
	s := span{at, int64(len(line))}
	l.order = append(l.order, s)
	if !head.Result.Interrupted {
		l.runs[head.ID] = s
	}
}

// Find returns the complete run with the given ID. Interrupted runs are in
// the ledger, but are not found: they would be simulated again.
func (l *Ledger) Find(id string) (Run, bool) {
	l.mu.Lock()
	s, ok := l.runs[id]
	l.mu.Unlock()
	if !ok {
		return Run{}, false
	}
	run, err := l.load(s)
	return run, err == nil
}

// All yields every run in the order in which they were appended; a run that
// cannot be read (of a newer version, say) comes as an error.
func (l *Ledger) All() iter.Seq2[Run, error] {
	return func(yield func(Run, error) bool) {
		l.mu.Lock()
		order := l.order
		l.mu.Unlock()
		for _, s := range order {
			if !yield(l.load(s)) {
				return
			}
		}
	}
}

func (l *Ledger) load(s span) (Run, error) {
	line := make([]byte, s.length)
	if _, err := l.file.ReadAt(line, s.at); err != nil {
		return Run{}, fmt.Errorf("ledger: %w", err)
	}
	var run Run
	if err := RunFormat.Unmarshal(line, &run); err != nil {
		return Run{}, fmt.Errorf("ledger: run at byte %d: %w", s.at, err)
	}
	return run, nil
}

// Append writes a run and waits until it is on the disk.
func (l *Ledger) Append(run Run) error {
	line, err := json.Marshal(struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
		Run
	}{RunFormat.Name, RunFormat.Version, run})
	if err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	line = append(line, '\n')
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.read(); err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	if l.torn { // end the line that a crash cut off
		line = append([]byte{'\n'}, line...)
	}
	// One write to a file opened for appending: lines of several processes
	// do not mix.
	if _, err := l.file.Write(line); err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	if err := l.file.Sync(); err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	return l.read()
}

// Len returns the number of runs, and Damaged that of lines that are not
// whole: half-written when a program or the machine died.
func (l *Ledger) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.order)
}

// Damaged returns the number of lines that were skipped.
func (l *Ledger) Damaged() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.torn {
		return l.damaged + 1
	}
	return l.damaged
}

// Close closes the file.
func (l *Ledger) Close() error { return l.file.Close() }
