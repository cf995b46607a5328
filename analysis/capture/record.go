package capture

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"tierscope/analysis/regress"
	"tierscope/core/robust"
)

// record is what one run wrote.
type record struct {
	variables map[int]variable
	sizes     map[string]float64 // of files that the program was given
	threads   []threadRecord
}

type variable struct {
	hits  int64
	value float64
}

// threadRecord is a thread, or the executions of one of its phases, on average.
type threadRecord struct {
	kind       int
	phase      string  // "": the whole thread
	alive      float64 // n
	behaviours map[string]float64
	sources    map[string]string
}

// parse reads the lines of the probe: "v SITE HITS VALUE" for a variable, "t KIND
// N SOURCE NAME=VALUE …" for a thread and "p KIND N PHASE EXECUTIONS SOURCE
// NAME=VALUE …" for one of its phases.
func parse(text string) (*record, error) {
	r := &record{variables: map[int]variable{}}
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		var err error
		switch {
		case len(f) == 4 && f[0] == "v":
			err = r.variable(f)
		case len(f) >= 3 && f[0] == "t" && len(f)%2 == 1:
			err = r.thread(f, "", f[3:])
		case len(f) >= 5 && f[0] == "p" && len(f)%2 == 1:
			err = r.thread(f, f[3], append([]string{"counted", regress.Executions + "=" + f[4]}, f[5:]...))
		default:
			err = errors.New("want a variable, a thread or a phase")
		}
		if err != nil {
			return nil, fmt.Errorf("capture: record %q: %w", strings.TrimSpace(line), err)
		}
	}
	return r, nil
}

func (r *record) variable(f []string) error {
	id, err1 := strconv.Atoi(f[1])
	hits, err2 := strconv.ParseInt(f[2], 10, 64)
	value, err3 := strconv.ParseFloat(f[3], 64)
	if id < 0 {
		err1 = errors.New("negative number")
	}
	r.variables[id] = variable{hits, value}
	return errors.Join(err1, err2, err3)
}

func (r *record) thread(f []string, phase string, behaviours []string) error {
	kind, err1 := strconv.Atoi(f[1])
	alive, err2 := strconv.ParseFloat(f[2], 64)
	t := threadRecord{kind: kind, phase: phase, alive: alive, behaviours: map[string]float64{}, sources: map[string]string{}}
	for i := 0; i < len(behaviours); i += 2 {
		name, text, ok := strings.Cut(behaviours[i+1], "=")
		v, err := strconv.ParseFloat(text, 64)
		if !ok || err != nil {
			return fmt.Errorf("%q is not NAME=VALUE", behaviours[i+1])
		}
		t.behaviours[name], t.sources[name] = v, behaviours[i]
	}
	r.threads = append(r.threads, t)
	return errors.Join(err1, err2)
}

// collector makes rows of records.
type collector struct {
	sites   []string // names of variables
	threads []string // kinds of threads
	result  *Result
	hits    []int64 // assignments at each site, all runs
	runs    int
	program string
	// identities are variables that differed between runs of the same input.
	identities map[string]bool
}

// shared is a derived variable: what more threads than there are cores cost each of
// them in wall-clock time.
const shared = "threads per core"

// Behaviours by clocks. Synchronization time is what is left of the wall-clock
// time, so that threads that never wait have a residue of wake-ups and faults.
const (
	wallTime, syncTime = "wall_s", "sync_s"
	clockGrain         = 100e-6 // s
	negligible         = 0.01   // of the wall-clock time
)

// add makes a row for each kind of thread, and for each of its phases. Of every behaviour the least of the
// runs counts: whatever else the machine did has added to it.
func (c *collector) add(number int, in Input, clocked []*record, beside ...*record) error {
	first := clocked[0]
	variables := map[string]float64{}
	hottest := map[string]int64{}
	for id, v := range first.variables {
		if id >= len(c.sites) {
			return fmt.Errorf("capture: the probe wrote of variable %d of %d", id, len(c.sites))
		}
		c.hits[id] += v.hits
		// A variable has the value of the site that was reached most often last;
		// with several sites the one with a reference or the most hits wins.
		if name := c.sites[id]; !math.IsNaN(v.value) && !math.IsInf(v.value, 0) && v.hits > hottest[name] {
			variables[name], hottest[name] = v.value, v.hits
		}
	}
	for id, v := range first.variables {
		for _, other := range clocked[1:] {
			if name := c.sites[id]; other.variables[id].value != v.value && c.identities != nil {
				c.identities[name] = true
			}
		}
	}
	given := in.given(first.sizes)
	maps.Copy(variables, given)
	c.runs++
	rows := 0
	for kind, label := range c.threads {
		for _, phase := range first.phases(kind) {
			row := row(kind, phase, clocked, beside)
			if len(row.Behaviours) == 0 {
				continue
			}
			row.Program, row.ThreadType, row.Run, row.Args, row.Given = c.program, label, number, in.String(), slices.Sorted(maps.Keys(given))
			row.Variables = clone(variables)
			row.Variables[shared] = max(1, row.Threads/float64(runtime.NumCPU()))
			for name, s := range row.Sources {
				c.result.Sources[name] = s
			}
			c.result.Rows = append(c.result.Rows, row)
			rows++
		}
	}
	if rows == 0 {
		return errors.New("no thread ended before the program did")
	}
	return nil
}

// phases are the whole thread, and the phases that threads of a kind had.
func (r *record) phases(kind int) []string {
	out := []string{""}
	for _, t := range r.threads {
		if t.kind == kind && !slices.Contains(out, t.phase) {
			out = append(out, t.phase)
		}
	}
	return out
}

// row returns the behaviours of threads of a kind, or of one of their phases: by clocks, and
// by runs beside them that count or simulate.
func row(kind int, phase string, clocked, beside []*record) regress.Row {
	row := regress.Row{Phase: phase, Behaviours: map[string]float64{}, Sources: map[string]string{}, Noise: map[string]float64{}}
	all := map[string][]float64{}
	for _, r := range clocked {
		mean, sources, n := r.mean(kind, phase)
		row.Threads = max(row.Threads, n)
		for name, v := range mean {
			all[name] = append(all[name], v)
		}
		for name, v := range mean {
			if least, ok := row.Behaviours[name]; !ok || v < least {
				row.Behaviours[name], row.Sources[name] = v, sources[name]
			}
		}
	}
	for name, of := range all {
		row.Noise[name] = scatter(of)
	}
	if row.Behaviours[syncTime] < max(clockGrain, negligible*row.Behaviours[wallTime]) && len(row.Behaviours) > 0 {
		row.Behaviours[syncTime] = 0
	}
	for _, counted := range beside {
		mean, sources, _ := counted.mean(kind, phase)
		for name, v := range mean {
			exact := sources[name] == "counted" || sources[name] == "simulated" && row.Sources[name] != "hardware"
			if exact && len(row.Behaviours) > 0 {
				row.Behaviours[name], row.Sources[name] = v, sources[name]
			}
		}
	}
	return row
}

// scatter is how much runs of the same input differ: the mean deviation from their median, relative to it, or, where that is 0,
// to their mean. Of a few runs, half of them decide what the median is, it comes out smaller than of many, by √(1 − 1/m) for n runs
// with m = ⌊n/2⌋ + 1: exact to 2 % for normal values (by the order statistics of David & Nagaraja 2003, table 3.2).
func scatter(values []float64) float64 {
	middle, sum, away := robust.Median(values), 0.0, 0.0
	for _, v := range values {
		sum += v
		away += math.Abs(v - middle)
	}
	if middle == 0 {
		middle = sum / float64(len(values))
	}
	m := float64(len(values)/2 + 1)
	if middle == 0 || m < 2 {
		return 0
	}
	return away / float64(len(values)) / math.Abs(middle) / math.Sqrt(1-1/m)
}

func clone(m map[string]float64) map[string]float64 {
	out := map[string]float64{}
	for k, v := range m {
		out[k] = v
	}
	return out
}

// mean returns the mean behaviours of the threads of a kind, or of one of their
// phases.
func (r *record) mean(kind int, phase string) (mean map[string]float64, sources map[string]string, n float64) {
	mean, sources = map[string]float64{}, map[string]string{}
	of := slices.DeleteFunc(slices.Clone(r.threads), func(t threadRecord) bool { return t.kind != kind || t.phase != phase })
	for _, t := range of {
		n = max(n, t.alive)
		for name, v := range t.behaviours {
			mean[name] += v / float64(len(of))
			sources[name] = t.sources[name]
		}
	}
	return mean, sources, n
}
