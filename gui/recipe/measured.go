package recipe

import (
	"maps"

	"tierscope/core"
	"tierscope/measure/table"
	"tierscope/measure/validate"
	"tierscope/simulation"
)

// FromMeasured returns the observations of a table of measurements: medians
// over the runs of each configuration, in the names of the model. What the table
// does not say has the default value of the model; nil: is not said. What was measured of the whole
// program is about class, "" for "task".
func FromMeasured(t *table.Table, m *core.Model, class string) []Observation {
	if class == "" {
		class = "task"
	}
	var all []Observation
	for _, c := range t.Configurations() {
		configuration, settings := map[string]float64{}, c.Settings
		if m != nil {
			settings = validate.Settings(m, t, c.Settings)
			configuration = m.Beside(settings)
		}
		maps.Copy(configuration, settings)
		for key, v := range c.Metrics {
			o := Observation{Configuration: configuration, Metric: subject(key, class), Unit: v.Unit, Value: v.Median, N: v.N, Measured: true, Warnings: v.Warnings}
			if v.Confidence > 0 {
				o.Lo, o.Hi = v.Lo, v.Hi
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
	name, of, stat, ok := simulation.ParseKey(key)
	if !ok {
		return key
	}
	if of == "" {
		of = "class/" + class
		if name == "T" {
			of = "program"
		}
	}
	return name + " " + of + " " + stat
}
