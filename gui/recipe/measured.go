package recipe

import (
	"maps"

	"tierscope/measure/table"
)

// FromMeasured returns the observations of a table of measurements: medians
// over the runs of each configuration. defaults are the parameters of the
// model with their default values, for what the table does not say.
func FromMeasured(t *table.Table, defaults map[string]float64) []Observation {
	var all []Observation
	for _, c := range t.Configurations() {
		configuration := maps.Clone(defaults)
		if configuration == nil {
			configuration = map[string]float64{}
		}
		maps.Copy(configuration, c.Settings)
		for key, m := range c.Metrics {
			o := Observation{Configuration: configuration, Metric: key, Unit: m.Unit, Value: m.Median, N: m.N, Measured: true, Warnings: m.Warnings}
			if m.Confidence > 0 {
				o.Lo, o.Hi = m.Lo, m.Hi
			}
			all = append(all, o)
		}
	}
	return all
}
