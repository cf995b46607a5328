package recipe

import (
	"maps"
	"slices"

	"tierscope/core"
	"tierscope/measure/table"
	"tierscope/measure/validate"
	"tierscope/simulation"
)

// FromMeasured returns the observations of a table of measurements: medians
// over the runs of each configuration, in the names of the model. What the table
// does not say has the default value of the model; nil: is not said. What was measured of the whole
// program, and what a server tells of itself, is about classes of the model (classes).
func FromMeasured(t *table.Table, m *core.Model) []Observation {
	clients, server := classes(m)
	var all []Observation
	for _, c := range t.Configurations() {
		configuration, settings := map[string]float64{}, c.Settings
		if m != nil {
			settings = validate.Settings(m, t, c.Settings)
			configuration = m.Beside(settings)
		}
		maps.Copy(configuration, settings)
		for key, v := range c.Metrics {
			o := Observation{Configuration: configuration, Metric: subject(key, clients, server), Unit: v.Unit, Value: v.Median, N: v.N, Measured: true, Warnings: v.Warnings}
			if v.Confidence > 0 {
				o.Lo, o.Hi = v.Lo, v.Hi
			}
			all = append(all, o)
		}
	}
	return all
}

// classes are what measurements are about that do not say so: the class of what clients send, or of all tasks of a program without
// clients, and the class that a server makes of it and times itself; "" if it makes none, or several.
func classes(m *core.Model) (clients, server string) {
	clients = "task"
	if m == nil || len(m.Classes) == 0 {
		return clients, ""
	}
	sent := map[string]bool{}
	for _, s := range m.Sources {
		sent[s.Class] = true
	}
	var own []string
	for _, c := range m.Classes {
		if !sent[c.ID] {
			own = append(own, c.ID)
		}
	}
	clients = m.Classes[0].ID
	if i := slices.IndexFunc(m.Classes, func(c core.Class) bool { return sent[c.ID] }); i >= 0 {
		clients = m.Classes[i].ID
		if len(own) == 1 {
			server = own[0]
		}
	}
	return clients, server
}

// subject completes the key of a metric that was measured without saying of
// what: response time and throughput are of the clients' tasks, or of the server's, the makespan of the
// program.
func subject(key, clients, server string) string {
	name, of, stat, ok := simulation.ParseKey(key)
	switch {
	case !ok:
		return key
	case of == "" && name == "T":
		of = "program"
	case of == "":
		of = "class/" + clients
	case of == string(validate.Server) && server != "":
		of = "class/" + server
	}
	return name + " " + of + " " + stat
}
