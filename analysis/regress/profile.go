package regress

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// Row is one run (or one phase of one run) of threads of one type.
type Row struct {
	Program    string             `json:"Prog"`
	ThreadType string             `json:"Type"`
	Phase      string             `json:"Phase"` // "": the whole life of the thread
	Run        int                `json:"Run"`
	Args       string             `json:"Args"`
	Threads    float64            `json:"N"`    // n, threads of the type between creation and join
	Variables  map[string]float64 `json:"Vars"` // values when the threads were created
	// Given are those of the variables that the program was given, which are not known as variables of its own.
	Given      []string           `json:"Given,omitempty"`
	Behaviours map[string]float64 `json:"Y"` // mean per thread
	// Sources says what measured a behaviour: hardware, simulated, counted or clock.
	Sources map[string]string `json:"Sources,omitempty"`
	// Noise is by how much runs of the same input differ in a behaviour: the mean
	// deviation from their median, relative to it.
	Noise map[string]float64 `json:"Noise,omitempty"`
}

// maxLine bounds a line of a profile file.
const maxLine = 16 << 20

// ReadProfile reads a profile in JSON lines. It reports every line that is
// not a row, by number, and returns the rows that are.
func ReadProfile(r io.Reader) ([]Row, error) {
	var rows []Row
	var defects []error
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 64<<10), maxLine)
	for line := 1; s.Scan(); line++ {
		if len(s.Bytes()) == 0 {
			continue
		}
		var row Row
		if err := json.Unmarshal(s.Bytes(), &row); err != nil {
			defects = append(defects, fmt.Errorf("profile line %d: %w", line, err))
			continue
		}
		if err := row.check(); err != nil {
			defects = append(defects, fmt.Errorf("profile line %d: %w", line, err))
			continue
		}
		rows = append(rows, row)
	}
	if err := s.Err(); err != nil {
		defects = append(defects, fmt.Errorf("profile: %w", err))
	}
	return rows, errors.Join(defects...)
}

func (r Row) check() error {
	if !(r.Threads > 0) || math.IsInf(r.Threads, 0) {
		return fmt.Errorf("number of threads N is %g: it must be positive", r.Threads)
	}
	for name, v := range r.Variables {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("variable %q is %g", name, v)
		}
	}
	return nil
}

// Group is the rows of one thread type and phase: what one model is about.
type Group struct {
	Program, ThreadType, Phase string
	Rows                       []Row
}

// Groups splits a profile by program, thread type and phase, in order of
// first appearance.
func Groups(rows []Row) []Group {
	type key struct{ program, threadType, phase string }
	index := map[key]int{}
	var groups []Group
	for _, r := range rows {
		k := key{r.Program, r.ThreadType, r.Phase}
		i, ok := index[k]
		if !ok {
			i = len(groups)
			index[k] = i
			groups = append(groups, Group{Program: r.Program, ThreadType: r.ThreadType, Phase: r.Phase})
		}
		groups[i].Rows = append(groups[i].Rows, r)
	}
	return groups
}

// BehaviourNames returns the names of all behaviours, sorted.
func (g Group) BehaviourNames() []string {
	var names []string
	for _, r := range g.Rows {
		for name := range r.Behaviours {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// source returns what measured a behaviour, "" if that is not known.
func (g Group) source(behaviour string) string {
	for _, r := range g.Rows {
		if s := r.Sources[behaviour]; s != "" {
			return s
		}
	}
	return ""
}

// noise is the mean over the runs of how much a behaviour differs between runs of the
// same input; 0 if that is not known.
func (g Group) noise(behaviour string) float64 {
	sum, n := 0.0, 0
	for _, r := range g.Rows {
		if v, ok := r.Noise[behaviour]; ok {
			sum, n = sum+v, n+1
		}
	}
	return sum / float64(max(1, n))
}

// Sample is one observation of one behaviour.
type Sample struct {
	Variables map[string]float64 `json:"variables"`
	Threads   float64            `json:"threads"`
	Y         float64            `json:"y"`
	Given     []string           `json:"given,omitempty"` // variables that are no variables of the program
}

// Samples returns the observations of a behaviour; rows without it or with a
// value that is not finite are left out.
func (g Group) Samples(behaviour string) []Sample {
	var samples []Sample
	for _, r := range g.Rows {
		if y, ok := r.Behaviours[behaviour]; ok && !math.IsNaN(y) && !math.IsInf(y, 0) {
			samples = append(samples, Sample{Variables: r.Variables, Threads: r.Threads, Y: y, Given: r.Given})
		}
	}
	return samples
}
