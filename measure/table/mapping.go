package table

import (
	"fmt"
	"slices"
	"strings"

	"tierscope/core"
)

// MappingFormat is the envelope of a saved mapping (measured/map.json).
var MappingFormat = core.Format{Name: "tierscope-mapping", Version: 1}

// Role is what a column of a CSV file holds.
type Role string

// Roles of columns. Long tables have Metric and Value columns; wide ones have
// one Measure column per metric, and perhaps its Deviation.
const (
	Ignore       Role = "ignore"
	RunColumn    Role = "run"
	Scenario     Role = "scenario"
	Parameter    Role = "parameter" // Name
	MetricColumn Role = "metric"    // long: R, X, U, T …
	OfColumn     Role = "of"        // long
	StatColumn   Role = "stat"      // long
	ValueColumn  Role = "value"     // long
	LoColumn     Role = "lo"        // long
	HiColumn     Role = "hi"        // long
	CountColumn  Role = "n"
	UnitColumn   Role = "unit"      // long
	FlagsColumn  Role = "flags"     // separated by ";"
	Measure      Role = "measure"   // wide: Name is the metric, with Of, Stat and Unit
	Deviation    Role = "deviation" // wide: standard deviation of the Measure of the same Name, Of and Stat
)

// Mapping says what each column is.
type Mapping struct {
	Columns []Column `json:"columns"`
}

// Column is one column of a CSV file.
type Column struct {
	Header string `json:"header"`
	Role   Role   `json:"role"`
	Name   string `json:"name,omitempty"` // of a parameter or metric
	Of     string `json:"of,omitempty"`   // "" is the program or its only class of tasks
	Stat   string `json:"stat,omitempty"` // "" is mean
	Unit   string `json:"unit,omitempty"` // in the file, such as "ms"; "" is the base unit
}

// units are the units that a file may use: what to multiply with, and the
// base unit.
var units = map[string]struct {
	factor float64
	base   string
}{
	"": {1, ""}, "1": {1, "1"}, "%": {0.01, "1"}, "percent": {0.01, "1"}, "pct": {0.01, "1"},
	"s": {1, "s"}, "sec": {1, "s"}, "seconds": {1, "s"}, "min": {60, "s"}, "h": {3600, "s"},
	"ms": {1e-3, "s"}, "us": {1e-6, "s"}, "µs": {1e-6, "s"}, "ns": {1e-9, "s"},
	"1/s": {1, "1/s"}, "/s": {1, "1/s"}, "req/s": {1, "1/s"}, "rps": {1, "1/s"}, "1/min": {1.0 / 60, "1/s"}, "1/h": {1.0 / 3600, "1/s"},
	"b": {1, "B"}, "kb": {1e3, "B"}, "mb": {1e6, "B"}, "kib": {1 << 10, "B"}, "mib": {1 << 20, "B"},
}

// words are the headers that Guess knows, without unit, in lower case.
var words = map[string]Column{
	"run": {Role: RunColumn}, "run id": {Role: RunColumn}, "scenario": {Role: Scenario}, "configuration": {Role: Scenario},
	"metric": {Role: MetricColumn}, "of": {Role: OfColumn}, "stat": {Role: StatColumn}, "statistic": {Role: StatColumn},
	"value": {Role: ValueColumn}, "lo": {Role: LoColumn}, "low": {Role: LoColumn}, "hi": {Role: HiColumn}, "high": {Role: HiColumn},
	"n": {Role: CountColumn}, "count": {Role: CountColumn}, "unit": {Role: UnitColumn}, "flags": {Role: FlagsColumn},
	"repeat": {Role: RunColumn}, "replication": {Role: RunColumn}, "note": {Role: Ignore}, "date": {Role: Ignore}, "time stamp": {Role: Ignore},
	"r": {Role: Measure, Name: "R"}, "response": {Role: Measure, Name: "R"}, "response time": {Role: Measure, Name: "R"},
	"latency": {Role: Measure, Name: "R"}, "rt": {Role: Measure, Name: "R"}, "mean response time": {Role: Measure, Name: "R"},
	"x": {Role: Measure, Name: "X"}, "throughput": {Role: Measure, Name: "X"}, "rps": {Role: Measure, Name: "X"},
	"t": {Role: Measure, Name: "T"}, "makespan": {Role: Measure, Name: "T"}, "run time": {Role: Measure, Name: "T"}, "runtime": {Role: Measure, Name: "T"},
	"elapsed": {Role: Measure, Name: "T"}, "wall": {Role: Measure, Name: "T"}, "wall time": {Role: Measure, Name: "T"}, "time": {Role: Measure, Name: "T"},
	"u": {Role: Measure, Name: "U", Of: "cpu"}, "utilization": {Role: Measure, Name: "U", Of: "cpu"}, "utilisation": {Role: Measure, Name: "U", Of: "cpu"},
	"cpu": {Role: Measure, Name: "U", Of: "cpu"}, "cpu utilization": {Role: Measure, Name: "U", Of: "cpu"},
}

// Guess proposes a mapping from the header of a file. Headers that are names of
// parameters of the model are parameters; without names, every header that it
// does not know is taken for one. In a file that Write wrote, parameters are
// what stands between scenario and metric, whatever they are called.
func Guess(headers []string, parameters []string) Mapping {
	var m Mapping
	first, end := slices.Index(headers, "scenario"), slices.Index(headers, "metric")
	ours := first == 1 && headers[0] == "run" && end > first && slices.Contains(headers, "value")
	for i, header := range headers {
		if ours && i > first && i < end {
			m.Columns = append(m.Columns, Column{Header: header, Role: Parameter, Name: header})
			continue
		}
		if ours {
			parameters = nil // which may have the name of a column, such as n
		}
		m.Columns = append(m.Columns, guess(header, parameters))
	}
	return m
}

func guess(header string, parameters []string) Column {
	trimmed := strings.TrimSpace(header)
	word, unit := splitUnit(trimmed)
	for _, p := range parameters { // "workers", or "workers [threads]"
		if strings.EqualFold(p, trimmed) || strings.EqualFold(p, strings.TrimSpace(word)) {
			return Column{Header: header, Role: Parameter, Name: p}
		}
	}
	word = strings.Join(strings.FieldsFunc(strings.ToLower(word), func(r rune) bool { return strings.ContainsRune(" _-.", r) }), " ")
	stat, deviation := "", false
	rest := make([]string, 0, 4)
	for part := range strings.FieldsSeq(word) {
		switch {
		case slices.Contains([]string{"p50", "p90", "p95", "p99"}, part):
			stat = part
		case part == "median":
			stat = "p50"
		case slices.Contains([]string{"sd", "std", "stddev", "deviation"}, part):
			deviation = true
		case part == "mean" || part == "avg" || part == "average":
		default:
			rest = append(rest, part)
		}
	}
	c, known := words[strings.Join(rest, " ")]
	switch {
	case known && c.Role == Measure:
		c.Stat, c.Unit = stat, unit
		if deviation {
			c.Role = Deviation
		}
	case !known && stat != "" && len(rest) == 0: // "p95 (ms)": of the response time
		c = Column{Role: Measure, Name: "R", Stat: stat, Unit: unit}
	case !known && len(parameters) == 0 && trimmed != "":
		c = Column{Role: Parameter, Name: trimmed}
	case !known:
		c = Column{Role: Ignore}
	}
	c.Header = header
	return c
}

// splitUnit takes the unit off a header such as "R (ms)", "latency [s]",
// "elapsed_ms" or "cpu %".
func splitUnit(header string) (word, unit string) {
	for _, brackets := range []string{"()", "[]"} {
		open := strings.LastIndexByte(header, brackets[0])
		if open > 0 && strings.HasSuffix(header, brackets[1:]) {
			unit := strings.ToLower(strings.TrimSpace(header[open+1 : len(header)-1]))
			if _, ok := units[unit]; ok {
				return strings.TrimSpace(header[:open]), unit
			}
		}
	}
	if i := strings.LastIndexAny(header, "_ "); i > 0 {
		unit := strings.ToLower(header[i+1:])
		if _, ok := units[unit]; ok && unit != "" && unit != "1" {
			return header[:i], unit
		}
	}
	return header, ""
}

// Check reports what is wrong with the mapping for a header, everything at
// once.
func (m Mapping) Check(headers []string) error {
	var bad []string
	for _, c := range m.Columns {
		if !slices.Contains(headers, c.Header) {
			bad = append(bad, fmt.Sprintf("there is no column %q", c.Header))
		}
		if _, ok := units[strings.ToLower(c.Unit)]; !ok {
			bad = append(bad, fmt.Sprintf("column %q: unit %q is not known", c.Header, c.Unit))
		}
		if (c.Role == Parameter || c.Role == Measure || c.Role == Deviation) && c.Name == "" {
			bad = append(bad, fmt.Sprintf("column %q: a %s needs a name", c.Header, c.Role))
		}
		if !slices.Contains(roles, c.Role) {
			bad = append(bad, fmt.Sprintf("column %q: role %q is not known", c.Header, c.Role))
		}
	}
	long, wide := m.has(MetricColumn) && m.has(ValueColumn), m.has(Measure)
	switch {
	case !long && !wide:
		bad = append(bad, "no column holds measurements: map one to a metric such as R, X, U or T")
	case long && wide:
		bad = append(bad, "the table is both long (metric and value columns) and wide (a column per metric)")
	}
	if len(bad) > 0 {
		return fmt.Errorf("columns: %s", strings.Join(bad, "; "))
	}
	return nil
}

var roles = []Role{Ignore, RunColumn, Scenario, Parameter, MetricColumn, OfColumn, StatColumn, ValueColumn,
	LoColumn, HiColumn, CountColumn, UnitColumn, FlagsColumn, Measure, Deviation}

func (m Mapping) has(role Role) bool {
	return slices.ContainsFunc(m.Columns, func(c Column) bool { return c.Role == role })
}
