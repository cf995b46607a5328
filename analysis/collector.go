package analysis

import (
	"strconv"

	"tierscope/core"
)

// collectorPercent is the environment variable by which a Go program is told
// how much it may allocate between collections, in percent of what lives.
const collectorPercent = "GOGC"

// collectorDefault is GOGC where it is not set.
const collectorDefault = 100

// collectorParameter makes GOGC a parameter: between two cycles a program
// allocates GOGC % of the larger of its live heap and 4 MB, and so works in
// proportion (runtime/mgcpacer.go, gcController.heapMinimum). What a cycle
// costs depends on the live heap, not on GOGC. ok is false if the model has no
// collector that it drives.
func (b *build) collectorParameter(m *core.Model) (p core.Parameter, ok bool) {
	if b.t.Language != "go" || len(m.Background) == 0 {
		return p, false
	}
	percent := float64(collectorDefault)
	if text, set := b.in.Workload.Env[collectorPercent]; set {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || v <= 0 {
			return p, false // off
		}
		percent = v
	}
	bg := m.Background[0]
	p = core.Parameter{Name: collectorPercent, Unit: "%", Default: percent, Min: 1, Max: 100_000, Integer: true,
		SupportedMin: max(1, percent/rangeFactor), SupportedMax: percent * rangeFactor, How: collectorPercent + "={value}",
		Description: "memory allocated between garbage collections, relative to what lives"}
	p.Targets = []core.Target{{Path: "background/" + bg.ID + "/interval", Factor: bg.Interval.Value / percent}}
	return p, true
}
