package recipe

import (
	"maps"
	"strings"

	"tierscope/measure/table"
)

// FromMeasured returns the observations of a table of measurements: medians
// over the runs of each configuration. defaults are the parameters of the
// model with their default values, for what the table does not say. What was
// measured of the whole program is about class, "" for "task".
func FromMeasured(t *table.Table, defaults map[string]float64, class string) []Observation {
	if class == "" {
		class = "task"
	}
	var all []Observation
	for _, c := range t.Configurations() {
		configuration := maps.Clone(defaults)
		if configuration == nil {
			configuration = map[string]float64{}
		}
		maps.Copy(configuration, c.Settings)
		for key, m := range c.Metrics {
			o := Observation{Configuration: configuration, Metric: subject(key, class), Unit: m.Unit, Value: m.Median, N: m.N, Measured: true, Warnings: m.Warnings}
			if m.Confidence > 0 {
				o.Lo, o.Hi = m.Lo, m.Hi
			}
			all = append(all, o)
		}
	}
	return all
}

// subject completes the key of a metric that was measured without saying of
// what: response time and throughput are of the tasks, the makespan of the
// program.
func subject(key, class string) string {
	name, rest, _ := strings.Cut(key, " ")
	of, stat, _ := strings.Cut(rest, " ")
	if of == "" {
		of = "class/" + class
		if name == "T" {
			of = "program"
		}
	}
	return name + " " + of + " " + stat
}
