package main

import (
	"slices"
	"strings"

	"tierscope/core"
)

// TableFormat is that of testdata/sensitivity.json.
var TableFormat = core.Format{Name: "tierscope-sensitivity", Version: 1}

// Table says what each threshold decides.
type Table struct {
	Recordings int     `json:"recordings"` // of testdata/traces
	Entries    []Entry `json:"constants"`  // by ID
}

// Entry is what a threshold, or a grid, decides.
type Entry struct {
	ID      string `json:"id"`
	Class   Class  `json:"class"`
	Value   string `json:"value"` // as the source has it
	Commit  string `json:"commit"`
	Date    string `json:"date"` // YYYY-MM-DD
	Halved  Change `json:"halved"`
	Doubled Change `json:"doubled"`
}

// Change is what another value makes of the recordings.
type Change struct {
	Value   string   `json:"value"`
	Models  int      `json:"models"`            // recordings whose model is another one
	Reports int      `json:"reports"`           // recordings whose trust report is another one
	Without int      `json:"without,omitempty"` // recordings that have no model then, or one that comes to a halt
	Largest *Largest `json:"largest,omitempty"` // of T, R and X over all recordings; nil: none changes
	Error   string   `json:"error,omitempty"`   // why it cannot have that value
}

// Largest is the largest relative change of a mean.
type Largest struct {
	Change    float64 `json:"change"` // of the mean of ten replications, new/old − 1, that is certain (99.9 %)
	Metric    string  `json:"metric"`
	Recording string  `json:"recording"`
}

// Weight says how much a threshold decides.
type Weight string

// Weights of a threshold: no model of the corpus changes, T, X and R change by at most
// slightly, or by more.
const (
	None   Weight = "none"
	Slight Weight = "slight"
	Strong Weight = "strong"
)

// slightly is the largest change that the weight Slight has: what two plain runs of a program
// differ by (docs/accuracy-method.md).
const slightly = 0.06

// Weight is that of the larger change.
func (e Entry) Weight() Weight {
	w := None
	for _, c := range []Change{e.Halved, e.Doubled} {
		switch {
		case c.Without > 0, c.largest() > slightly:
			return Strong
		case c.Models > 0:
			w = Slight
		}
	}
	return w
}

// Idle reports whether nothing at all depends on the value.
func (e Entry) Idle() bool {
	return e.Halved.idle() && e.Doubled.idle()
}

func (c Change) idle() bool { return c.Models == 0 && c.Reports == 0 && c.Without == 0 }

func (c Change) largest() float64 {
	if c.Largest == nil {
		return 0
	}
	return max(c.Largest.Change, -c.Largest.Change)
}

// Find returns the entry of a constant.
func (t *Table) Find(id string) (Entry, bool) {
	i, ok := slices.BinarySearchFunc(t.Entries, id, func(e Entry, id string) int { return strings.Compare(e.ID, id) })
	if !ok {
		return Entry{}, false
	}
	return t.Entries[i], true
}
