package measure

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"tierscope/analysis/runtimes"
	"tierscope/analysis/trace"
	"tierscope/core/eta"
	"tierscope/measure/load"
	"tierscope/measure/table"
)

// Priority is how the program competes with others on the machine.
type Priority string

// Priorities. The last two need the privilege to raise priorities.
const (
	Normal Priority = ""     // as any program
	High   Priority = "high" // nice −20, of its session too: others get little while it runs
	// RealTime is SCHED_RR: others get nothing but the kernel's reserve. A
	// run-time system's own monitor thread has to wait for the time slices of
	// 100 ms of the workers: Go preempts goroutines that much later.
	RealTime Priority = "rt"
)

// Campaign is a set of configurations to be measured.
type Campaign struct {
	Workload trace.Workload `json:"workload"`
	Axes     []Axis         `json:"axes"`
	Repeats  int            `json:"repeats"` // blocks; 0: 3
	Seed     uint64         `json:"seed"`    // of the order of the runs
	Timeout  time.Duration  `json:"timeout"` // of one run; 0: 10 minutes
	Priority Priority       `json:"priority"`
	// Executable is what runs: Workload.Program as Build made it. It is not
	// part of the identity, since its place may change.
	Executable string `json:"-"`
	// Patience is how long a disk that is full may stay so once something was saved; Waits is
	// told why there is a pause, "" when it is over. Neither changes what is measured.
	Patience time.Duration    `json:"-"`
	Waits    func(why string) `json:"-"`
}

const (
	defaultRepeats = 3
	defaultTimeout = 10 * time.Minute
)

// Run is one planned execution.
type Run struct {
	ID       string    // "b2c07": configuration 7 in block 2
	Block    int       // from 1
	Settings []float64 // by Axes
}

// Progress is told after every run.
type Progress struct {
	Done, Planned int
	Run           Run
	Fact          string        // "workers 4, GOMAXPROCS 2: T 0.85 s"
	Remaining     time.Duration // estimate
}

// Check reports what is wrong with the campaign, everything at once.
func (c Campaign) Check() error {
	var errs []error
	seen := map[string]bool{}
	for _, a := range c.Axes {
		if seen[a.Name] {
			errs = append(errs, fmt.Errorf("%s: is given twice", a.Name))
		}
		seen[a.Name] = true
		if len(a.Values) == 0 {
			errs = append(errs, fmt.Errorf("%s: has no values", a.Name))
			continue
		}
		if _, err := apply(c.Workload, a, a.Values[0]); err != nil {
			errs = append(errs, err)
		}
	}
	if c.Repeats < 0 {
		errs = append(errs, fmt.Errorf("%d repetitions: must not be negative", c.Repeats))
	}
	if !slices.Contains([]Priority{Normal, High, RealTime}, c.Priority) {
		errs = append(errs, fmt.Errorf("priority %q: high, rt or nothing was expected", c.Priority))
	}
	if l := c.Workload.Load; l != nil && !c.drives() {
		errs = append(errs, load.Check(*l))
	}
	return errors.Join(errs...)
}

// drives reports whether an axis completes the load.
func (c Campaign) drives() bool {
	return slices.ContainsFunc(c.Axes, func(a Axis) bool { return a.How == HowRate || a.How == HowConnections })
}

// Runs returns the plan: every configuration of the grid, and that of the analysis, once
// per block, each block in an order of its own that depends only on the seed.
func (c Campaign) Runs() []Run {
	configurations := [][]float64{nil}
	for _, a := range c.Axes {
		var next [][]float64
		for _, settings := range configurations {
			for _, v := range a.Values {
				next = append(next, append(slices.Clone(settings), v))
			}
		}
		configurations = next
	}
	if base := c.base(); base != nil && !slices.ContainsFunc(configurations, func(s []float64) bool { return slices.Equal(s, base) }) {
		configurations = append(configurations, base)
	}
	random := rand.New(rand.NewPCG(c.Seed, 0))
	var runs []Run
	for block := 1; block <= c.repeats(); block++ {
		for _, i := range random.Perm(len(configurations)) {
			runs = append(runs, Run{
				ID: fmt.Sprintf("b%dc%02d", block, i+1), Block: block, Settings: configurations[i],
			})
		}
	}
	return runs
}

// base is the configuration of the analysis, nil if it is not known.
func (c Campaign) base() []float64 {
	var base []float64
	for _, a := range c.Axes {
		if a.Base == nil {
			return nil
		}
		base = append(base, *a.Base)
	}
	return base
}

func (c Campaign) repeats() int {
	if c.Repeats == 0 {
		return defaultRepeats
	}
	return c.Repeats
}

// Identity is a hash of what the campaign measures: a table that carries
// another one belongs to another campaign. More repetitions are the same
// campaign, and so is the configuration of the analysis beside the grid.
func (c Campaign) Identity() string {
	c.Repeats, c.Timeout = 0, 0
	c.Axes = slices.Clone(c.Axes)
	for i := range c.Axes {
		c.Axes[i].Base = nil
	}
	if c.Workload.Load != nil { // the same whether its targets are written out or not
		load := *c.Workload.Load
		load.Targets = load.Paths()
		c.Workload.Load = &load
	}
	data, err := json.Marshal(c)
	if err != nil {
		panic("measure: a campaign does not marshal: " + err.Error())
	}
	return fmt.Sprintf("%x", sha256.Sum256(data))[:12]
}

// Execute makes all runs that are not in t yet and adds their rows; save is
// called after every run. Executable must be there (see Build). When ctx ends the run at hand is killed and forgotten, and
// what was measured stays in t.
func (c Campaign) Execute(ctx context.Context, t *table.Table, save func(*table.Table) error, report func(Progress)) error {
	if err := c.Check(); err != nil {
		return err
	}
	if err := c.adopt(t); err != nil {
		return err
	}
	missing, err := c.Missing(t)
	if err != nil || len(missing) == 0 {
		return err
	}
	runs := c.Runs()
	rest := eta.New(settingsOf(runs))
	place := map[string]int{}
	for i, r := range runs {
		place[r.ID] = i
		if !slices.ContainsFunc(missing, func(m Run) bool { return m.ID == r.ID }) {
			rest.Done(i)
		}
	}
	// One run that is not recorded: the program and its data come off the disk. A server
	// that has to be warmed up is in every run, for longer than that.
	if w := c.Workload; w.Load == nil || !runtimes.OfProgram(w.Program).Warm {
		if _, err := c.run(ctx, missing[0]); err != nil {
			return fmt.Errorf("measure: %s: %w", c.Name(missing[0]), err)
		}
	}
	for i, r := range missing {
		began := time.Now()
		o, err := c.run(ctx, r)
		if err != nil {
			return fmt.Errorf("measure: run %s (%s): %w", r.ID, c.Name(r), err)
		}
		if o.summary != nil && o.summary.Check != "" {
			note := c.checked(r)
			if check := t.Note(note); check != "" && check != o.summary.Check {
				return fmt.Errorf("measure: run %s (%s): the program computed %q, an earlier run %q; configurations with different results cannot be compared",
					r.ID, c.Name(r), o.summary.Check, check)
			}
			t.SetNote(note, o.summary.Check)
		}
		t.Rows = append(t.Rows, o.rows(r)...)
		if err := save(t); err != nil {
			return fmt.Errorf("measure: saving after run %s: %w", r.ID, err)
		}
		rest.Took(place[r.ID], time.Since(began).Seconds())
		if report != nil {
			left, _ := rest.Left()
			report(Progress{
				Done: len(runs) - len(missing) + i + 1, Planned: len(runs), Run: r,
				Fact: c.Name(r) + ": " + o.fact(), Remaining: time.Duration(left * float64(time.Second)),
			})
		}
	}
	return nil
}

// settingsOf are the settings of runs.
func settingsOf(runs []Run) [][]float64 {
	all := make([][]float64, len(runs))
	for i, r := range runs {
		all[i] = r.Settings
	}
	return all
}

// checked names the note that says what the program computes: the same in all
// configurations that give it the same to do.
func (c Campaign) checked(r Run) string {
	note := "check"
	for i, a := range c.Axes {
		if a.Work {
			note += fmt.Sprintf(" %s=%g", a.Name, r.Settings[i])
		}
	}
	return note
}

// adopt makes an empty table the campaign's, and refuses another campaign's.
func (c Campaign) adopt(t *table.Table) error {
	if len(t.Rows) == 0 {
		t.Parameters = nil
		for _, a := range c.Axes {
			t.Parameters = append(t.Parameters, a.Name)
		}
		t.SetNote("campaign", c.Identity())
		t.SetNote("machine", Machine())
		t.SetNote("date", time.Now().Format(time.RFC3339))
		t.SetNote("priority", string(c.Priority))
		return nil
	}
	return c.belongs(t)
}

// belongs refuses a table of another campaign.
func (c Campaign) belongs(t *table.Table) error {
	if id := t.Note("campaign"); len(t.Rows) > 0 && id != c.Identity() {
		return fmt.Errorf("measure: the file holds another campaign (%s, this one is %s): the program, its arguments, the grid, the seed or the priority differ; choose another file", id, c.Identity())
	}
	return nil
}

// Name describes the settings of a run.
func (c Campaign) Name(r Run) string {
	var parts []string
	for i, a := range c.Axes {
		parts = append(parts, a.Name+" "+strconv.FormatFloat(r.Settings[i], 'g', -1, 64))
	}
	if len(parts) == 0 {
		return "baseline"
	}
	return strings.Join(parts, ", ")
}

// Workload of a run: the campaign's with the settings applied.
func (c Campaign) workload(r Run) (trace.Workload, error) {
	w := c.Workload
	for i, a := range c.Axes {
		var err error
		if w, err = apply(w, a, r.Settings[i]); err != nil {
			return w, err
		}
	}
	w.Program = c.Executable
	if info, err := os.Stat(w.Program); err != nil || info.IsDir() || info.Mode()&0o111 == 0 {
		return w, fmt.Errorf("%q is not an executable file; build the program first", w.Program)
	}
	return w, nil
}
