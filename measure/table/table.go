package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Table is a set of measurements.
type Table struct {
	Provenance []Note   // in the order of the file
	Parameters []string // names of the settings of every row
	Rows       []Row
}

// Note is one line of provenance, such as machine or command.
type Note struct{ Key, Text string }

// Row is one measured number. Metric, Of and Stat have the meaning that they
// have in simulation.Metric; Metric "C" is the time of the calibration unit.
type Row struct {
	Run      string    // which run saw it; rows of one run share it
	Scenario string    // a name for the configuration, may be empty
	Settings []float64 // by Table.Parameters; NaN: not given
	Metric   string
	Of       string
	Stat     string
	Value    float64
	Lo, Hi   float64 // interval, NaN when Value is a single observation
	N        int     // observations behind Value; 0: not known
	Unit     string  // "s", "1/s", "1", "B"
	Flags    []string
}

// Key identifies a metric, as simulation.Metric.Key does.
func (r Row) Key() string { return r.Metric + " " + r.Of + " " + r.Stat }

// ArrivalSeed is the key of the note that says of which draw the arrivals of an open load were (see package load).
const ArrivalSeed = "arrival_seed"

// Note returns the provenance under a key, "" if there is none.
func (t *Table) Note(key string) string {
	for _, n := range t.Provenance {
		if n.Key == key {
			return n.Text
		}
	}
	return ""
}

// SetNote adds or replaces a line of provenance.
func (t *Table) SetNote(key, text string) {
	text = strings.Join(strings.Fields(text), " ") // one line
	for i := range t.Provenance {
		if t.Provenance[i].Key == key {
			t.Provenance[i].Text = text
			return
		}
	}
	t.Provenance = append(t.Provenance, Note{key, text})
}

// Runs returns the identities of the runs, in the order of the rows.
func (t *Table) Runs() []string {
	var runs []string
	seen := map[string]bool{}
	for _, r := range t.Rows {
		if !seen[r.Run] {
			seen[r.Run] = true
			runs = append(runs, r.Run)
		}
	}
	return runs
}

// Configuration is what all runs of one configuration showed.
type Configuration struct {
	Scenario string             `json:"scenario,omitempty"`
	Settings map[string]float64 `json:"settings"`
	Metrics  map[string]Summary `json:"metrics"` // by Row.Key
	Runs     []string           `json:"runs"`
}

// Name describes the settings: "workers 4, GOMAXPROCS 2".
func (c Configuration) Name(parameters []string) string {
	if c.Scenario != "" {
		return c.Scenario
	}
	var parts []string
	for _, p := range parameters {
		if v, ok := c.Settings[p]; ok {
			parts = append(parts, p+" "+strconv.FormatFloat(v, 'g', -1, 64))
		}
	}
	if len(parts) == 0 {
		return "baseline"
	}
	return strings.Join(parts, ", ")
}

// Configurations gathers the rows by configuration, in ascending order of the
// parameters.
func (t *Table) Configurations() []Configuration {
	type group struct {
		rows     []Row
		settings []float64
	}
	groups := map[string]*group{}
	var order []*group
	for _, r := range t.Rows {
		key := r.Scenario + fmt.Sprint(r.Settings)
		g := groups[key]
		if g == nil {
			g = &group{settings: r.Settings}
			groups[key] = g
			order = append(order, g)
		}
		g.rows = append(g.rows, r)
	}
	slices.SortStableFunc(order, func(a, b *group) int { return compareSettings(a.settings, b.settings) })
	var out []Configuration
	for _, g := range order {
		out = append(out, t.configuration(g.rows))
	}
	return out
}

// compareSettings orders by the first setting that differs; NaN comes first.
func compareSettings(a, b []float64) int {
	for i := range a {
		if c := cmp.Compare(a[i], b[i]); c != 0 {
			return c
		}
	}
	return 0
}

func (t *Table) configuration(rows []Row) Configuration {
	c := Configuration{Scenario: rows[0].Scenario, Settings: map[string]float64{}, Metrics: map[string]Summary{}}
	for i, p := range t.Parameters {
		if v := rows[0].Settings[i]; !math.IsNaN(v) {
			c.Settings[p] = v
		}
	}
	byKey := map[string][]Row{}
	for _, r := range rows {
		byKey[r.Key()] = append(byKey[r.Key()], r)
		if !slices.Contains(c.Runs, r.Run) {
			c.Runs = append(c.Runs, r.Run)
		}
	}
	for key, same := range byKey {
		c.Metrics[key] = summarize(same)
	}
	return c
}
