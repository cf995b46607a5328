//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"

	"tierscope/core/robust"
	"tierscope/project"
)

// row is what is kept of one program: a line of results.jsonl, with where it comes from.
type row struct {
	Program   string  `json:"program"` // language and name
	Structure string  `json:"structure"`
	Grade     string  `json:"grade,omitempty"`
	Errors    *errs   `json:"errors,omitempty"` // nil: it has no model, or was not measured
	Knobs     [2]int  `json:"knobs"`            // in the model, of those that there are
	Seconds   float64 `json:"seconds,omitempty"`
	Megabytes float64 `json:"megabytes,omitempty"`
	Overhead  float64 `json:"overhead"` // of recording, as a share of CPU time
	Commit    string  `json:"commit"`
	Date      string  `json:"date"` // of the measurement, YYYY-MM-DD
	Machine   string  `json:"machine"`
}

// errs are those of T over the configurations of a program, relative.
type errs struct {
	Median         float64 `json:"median"` // of the sizes
	Worst          float64 `json:"worst"`  // signed
	Near           int     `json:"near"`   // within `near`
	Configurations int     `json:"configurations"`
}

const (
	sound = "right" // a structure
	// near is how far off a configuration may be that counts as predicted. Convention: issue 22 counts those within 15 %.
	near = 0.15
)

// keep is what is kept of an outcome.
func (o *outcome) keep(commit string) row {
	r := row{Program: o.title(), Structure: o.structure(), Grade: o.Trust.Grade, Errors: errorsOf(o.Errors), Seconds: math.Round(o.Seconds),
		Megabytes: math.Round(o.Megabyte), Commit: commit, Date: o.Date, Machine: o.Machine}
	if o.Trust.Overhead != nil {
		r.Overhead = *o.Trust.Overhead
	}
	r.Knobs[1] = len(o.Knobs) + len(o.Other)
	if o.Model != nil {
		r.Knobs[0] = o.found(o.Model)
	}
	return r
}

func errorsOf(all []float64) *errs {
	if len(all) == 0 {
		return nil
	}
	e := errs{Configurations: len(all)}
	var sizes []float64
	for _, x := range all {
		sizes = append(sizes, math.Abs(x))
		if math.Abs(x) > math.Abs(e.Worst) {
			e.Worst = x
		}
		if math.Abs(x) <= near {
			e.Near++
		}
	}
	e.Median = robust.Median(sizes)
	return &e
}

// load reads the rows that are kept; none are if there is no file.
func load(path string) (rows []row, err error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	for n, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		var r row
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n+1, err)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// with are rows with one that replaces that of its program, in the order of the programs; what is of none of these goes.
func with(rows []row, r row, programs []program) (out []row) {
	for _, p := range programs {
		if p.title() == r.Program {
			out = append(out, r)
		} else if i := slices.IndexFunc(rows, func(x row) bool { return x.Program == p.title() }); i >= 0 {
			out = append(out, rows[i])
		}
	}
	return out
}

func save(path string, rows []row) error {
	var b bytes.Buffer
	for _, r := range rows {
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		b.Write(append(line, '\n'))
	}
	return project.WriteFile(path, b.Bytes())
}
