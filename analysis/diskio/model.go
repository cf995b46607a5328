package diskio

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"tierscope/core"
	"tierscope/core/robust"
)

// leastSamples is the number of observations that a row of a law needs; fewer
// are put together with their neighbours.
const leastSamples = 30

// mostRows is the number of rows that a law may have: the mean is linear
// between rows, so more add noise rather than shape.
const mostRows = 16

// Estimate is a disk estimated from a recording, and how it was chosen.
type Estimate struct {
	Disk     core.Disk
	Parallel bool     // the device serves several requests at once, the slower the more there are
	Reason   string   // by which test
	Warnings []string // sparse cells, ranges that the recording does not cover
}

// Model estimates a disk from what its requests met: how many it serves at
// once, in which order, and a service law for every type.
//
// The test is whether the device can be a queue in front of c servers. For each
// c the time in the device is split into wait and service; with the right c
// service does not depend on how many others are there. If there is such a c,
// that is the dispatch limit of the model, and scheduler and device together are
// its queue: P(t | type, distance), P(t | type, overtaken) as in Tarvo & Reiss
// 2014, or just P(t | type), whichever explains the times. Before that comes the test
// whether the device tells requests complete together (tellsTogether). Otherwise the device
// is parallel: P(t | type, in flight), extrapolated along a line. The way to
// servers and back, which keeps none of them busy, is a latency of the disk
// (latencyOf). It returns an error if there are too few observations.
func Model(id string, observations []Observation) (Estimate, error) {
	if len(observations) < leastSamples {
		return Estimate{}, fmt.Errorf("disk %q: %d requests recorded; at least %d are needed for a service law", id, len(observations), leastSamples)
	}
	observations = slices.Clone(observations)
	devices := split(observations)
	deepest := depthOf(observations)
	e := Estimate{Disk: core.Disk{ID: id}}
	if e.together(devices, len(observations)) {
		return e, nil
	}
	c, dependence, fits, told := 1, 0.0, true, true
	if deepest > 1 {
		c, dependence, fits, told = servers(devices, deepest)
	}
	switch {
	case deepest == 1:
		e.Reason = "hardly ever more than one request in the device: dispatch limit 1"
	case !told:
		e.Parallel = true
		e.Reason = fmt.Sprintf("always about %d requests in the device: one server cannot be told from several", deepest)
		e.Warnings = append(e.Warnings, e.Reason+"; record a load that varies")
	case fits:
		e.Reason = fmt.Sprintf("up to %d requests in the device; with %d served at once, the time of service varies by only %.0f %% with their number", deepest, c, 100*dependence)
	default:
		e.Parallel = true
		e.Reason = fmt.Sprintf("up to %d requests in the device; there is no number of servers that lets some of them wait and for which the time of service does not depend on their number (at best %.0f %%, with %d): a parallel device", deepest, 100*dependence, c)
	}
	condition := inFlightLaw
	switch {
	case !e.Parallel:
		e.Disk.Depth = c
	case heldBack(observations):
		c, e.Disk.Depth = deepest, deepest
	default:
		c, e.Disk.Depth = deepest, deepest*reach
		e.Warnings = append(e.Warnings, fmt.Sprintf("no request had to wait until the device took it: how many it takes at once is not known, %d are assumed", e.Disk.Depth))
	}
	uncertain := 0
	for _, o := range devices {
		uncertain += startBest(o, edgesOf(o), c)
		move(o)
		countOvertaken(o, (*Observation).arrived, func(o *Observation) int64 { return o.Start })
	}
	if !e.Parallel {
		latency := latencyOf(mostFrequent(observations), float64(uncertain)/float64(len(observations)))
		setLatency(observations, latency)
		if e.Disk.Latency = float64(latency) * 1e-9; latency > 0 {
			e.Reason += fmt.Sprintf("; a request that finds a server free takes %.0f µs longer than its service: the way there and back", 1e6*e.Disk.Latency)
		}
		condition = e.condition(observations, c)
	}
	choices := orderOf(devices)
	e.Disk.Order = choices.decide()
	e.Reason += "; " + choices.String()
	if condition.given == core.Distance || e.Disk.Order == core.DiskElevator || e.Disk.Order == core.DiskNearest {
		e.Disk.Position = positionsOf("", observations)
	}
	for _, kind := range []string{Read, Metadata, ReadAhead, Write, Flush} {
		law, warnings := estimateLaw(kind, observations, condition)
		if len(law.Rows) > 0 {
			if !e.Disk.Position.IsZero() {
				law.Position = positionsOf(kind, observations)
			}
			e.Disk.Service = append(e.Disk.Service, law)
			e.Warnings = append(e.Warnings, warnings...)
		}
	}
	e.Disk.Origin = core.Origin{Note: fmt.Sprintf("estimated from %d requests; %s", len(observations), e.Reason)}
	return e, nil
}

// together makes the disk of a device that tells all requests of a busy period complete
// together, and reports whether it is one.
func (e *Estimate) together(devices [][]Observation, requests int) bool {
	apart := typicalAlone(devices) / 2
	tells, evidence := tellsTogether(devices, apart)
	if !tells {
		return false
	}
	g, varied := gather(devices, apart)
	if !varied {
		e.Warnings = append(e.Warnings, evidence+", but always about as many of them: what each adds is not known; record a load that varies")
		return false
	}
	e.Warnings = g.disk(&e.Disk)
	e.Reason = fmt.Sprintf("%s: one server, which tells all of them when none is left; a delivery takes %.0f µs, of which %.0f µs are the way back, %.0f µs more after %.0f µs of idleness, %.0f µs more in a load with pauses, and %.0f µs for each of its requests",
		evidence, 1e6*g.stalls*g.way, 1e6*g.stalls*g.back, 1e6*g.stalls*g.wake, 1e-3*float64(g.after), 1e6*g.stalls*g.paced, 1e6*g.stalls*g.service[0])
	e.Disk.Origin = core.Origin{Note: fmt.Sprintf("estimated from %d requests; %s", requests, e.Reason)}
	return true
}

// depthOf is the greatest number of requests in the device that enough of them met: a
// flush beside a read does not make a disk a parallel one.
func depthOf(o []Observation) int {
	met := make([]int, len(o))
	for i := range o {
		met[i] = o[i].AtIssue
	}
	slices.Sort(met)
	return met[len(met)-leastSamples]
}

// heldBack reports whether requests had to wait in the scheduler's queue until the device
// took them: for longer than a tenth of a service, more of them than do not matter.
func heldBack(o []Observation) bool {
	const considerable = 0.1
	n, service := 0, 0.0
	for i := range o {
		service += float64(o[i].Service()) / float64(len(o))
	}
	for i := range o {
		if float64(o[i].Wait()) > considerable*service {
			n++
		}
	}
	return float64(n) > leastShare*float64(len(o))
}

// hasArm reports whether the time of service depends on how far a head moves.
func hasArm(most []Observation) bool {
	share, significant := explained(cellsBy(most, distanceLaw.of, distanceLaw.time))
	return significant && share > leastShare
}

// leastShare of the variance of service that a condition must explain: less does
// not matter.
const leastShare = 0.02

// split cuts observations, sorted by device, into those of each.
func split(o []Observation) [][]Observation {
	var devices [][]Observation
	for begin, i := 0, 0; i < len(o); i++ {
		if i+1 == len(o) || o[i+1].Device != o[i].Device {
			devices = append(devices, o[begin:i+1])
			begin = i + 1
		}
	}
	return devices
}

// positionsOf is where requests of a type go, 0…1 of the sectors in use; of every
// type if it is "".
func positionsOf(kind string, o []Observation) core.Distribution {
	var places []float64
	for i := range o {
		if kind == "" || o[i].Type == kind {
			places = append(places, o[i].Place)
		}
	}
	return core.FromSamples(places)
}

// lawCondition is what a law is conditioned on.
type lawCondition struct {
	given core.LawCondition
	of    func(*Observation) float64
	time  func(*Observation) int64
}

var (
	inFlightLaw = lawCondition{core.InFlight, func(o *Observation) float64 { return float64(o.AtIssue) }, (*Observation).Service}
	distanceLaw = lawCondition{core.Distance, func(o *Observation) float64 { return thousandths * o.Distance }, (*Observation).Busy}
	overtakenBy = lawCondition{core.Overtaken, func(o *Observation) float64 { return float64(o.Overtaken) }, (*Observation).Busy}
	noCondition = lawCondition{core.Overtaken, func(*Observation) float64 { return 0 }, (*Observation).Busy}
)

// thousandths of the disk are the unit of core.Distance.
const thousandths = 1000

// condition chooses what the time of service depends on, by the most frequent
// type of request: the condition that explains the larger share of the variance,
// if it explains more than chance would. With several servers it is not certain when
// each service began, and a mistake makes the same request shorter and overtaken: then
// the number that overtook it does not count.
func (e *Estimate) condition(observations []Observation, servers int) lawCondition {
	most := mostFrequent(observations)
	byDistance, d := explained(cellsBy(most, distanceLaw.of, distanceLaw.time))
	byOvertaken, o := explained(cellsBy(most, overtakenBy.of, overtakenBy.time))
	switch {
	case d && byDistance > leastShare && (byDistance > byOvertaken || !o):
		e.Reason += fmt.Sprintf("; how far the head moves explains %.0f %% of the variance of service", 100*byDistance)
		return distanceLaw
	case o && byOvertaken > leastShare && servers == 1:
		e.Reason += fmt.Sprintf("; the number that overtook a request explains %.0f %% of the variance of service", 100*byOvertaken)
		return overtakenBy
	default:
		return noCondition
	}
}

// cell is the observations with about the same condition.
type cell struct {
	x     float64 // their mean condition
	times []float64
	bytes []float64
}

func (c *cell) mean() float64 { return stat.Mean(c.times, nil) }

// cellsBy sorts observations by a condition into cells of whole numbers, and
// joins neighbours until each has enough observations and there are not too
// many.
func cellsBy(observations []Observation, condition func(*Observation) float64, time func(*Observation) int64) []cell {
	whole := func(o *Observation) int { return int(math.Round(condition(o))) }
	sorted := make([]*Observation, len(observations))
	for i := range observations {
		sorted[i] = &observations[i]
	}
	slices.SortStableFunc(sorted, func(a, b *Observation) int { return whole(a) - whole(b) })
	enough := max(leastSamples, len(sorted)/mostRows)
	var cells []cell
	begin := 0
	for i := range sorted {
		last := i+1 == len(sorted)
		boundary := last || whole(sorted[i+1]) != whole(sorted[i])
		if boundary && (last || i+1-begin >= enough && len(sorted)-i-1 >= enough) {
			cells = append(cells, newCell(sorted[begin:i+1], condition, time))
			begin = i + 1
		}
	}
	return cells
}

func newCell(observations []*Observation, condition func(*Observation) float64, time func(*Observation) int64) cell {
	var c cell
	for _, o := range observations {
		c.x += condition(o) / float64(len(observations))
		c.times = append(c.times, float64(time(o))*1e-9)
		c.bytes = append(c.bytes, float64(o.Bytes))
	}
	return c
}

// estimateLaw estimates the law of one type.
func estimateLaw(kind string, observations []Observation, condition lawCondition) (core.ServiceLaw, []string) {
	var mine []Observation
	for i := range observations {
		if observations[i].Type == kind {
			mine = append(mine, observations[i])
		}
	}
	law := core.ServiceLaw{Type: kind, Given: condition.given}
	if len(mine) == 0 {
		return law, nil
	}
	cells := cellsBy(mine, condition.of, condition.time)
	perByte := slope(cells)
	least := 0
	if condition.given == core.InFlight {
		least = 1
	}
	if condition.given == core.InFlight {
		alike(cells, perByte)
	}
	var warnings []string
	for i, c := range cells {
		if i == 0 && c.x > 1.5 && condition.given != core.Distance {
			warnings = append(warnings, fmt.Sprintf("%s requests: fewer than %.0f %s were not observed; the law below is an extrapolation", kind, c.x, law.Given))
		}
		times := make([]float64, len(c.times))
		for i := range times {
			times[i] = max(0, c.times[i]-perByte*c.bytes[i])
		}
		x := max(least, int(math.Round(c.x)))
		if n := len(law.Rows); n > 0 && law.Rows[n-1].X >= x {
			x = law.Rows[n-1].X + 1
		}
		row := core.ServiceRow{X: x, Time: core.FromSamples(times), PerByte: perByte, Samples: int64(len(times))}
		if len(law.Rows) == 0 && x > 1 { // the law of the first cell holds below its mean too, from the least that a table begins with
			law.Rows = append(law.Rows, core.ServiceRow{X: 1, Time: row.Time, PerByte: perByte})
		}
		law.Rows = append(law.Rows, row)
	}
	if condition.given == core.InFlight {
		if row, ok := beyond(cells, perByte, law.Rows[len(law.Rows)-1]); ok {
			warnings = append(warnings, fmt.Sprintf("%s requests: more than %d in flight were not observed; the law beyond is a line through what was", kind, law.Rows[len(law.Rows)-1].X))
			law.Rows = append(law.Rows, row)
		}
	}
	if len(mine) < leastSamples {
		warnings = append(warnings, fmt.Sprintf("only %d %s requests: their service law is rough", len(mine), kind))
	}
	return law, warnings
}

// alike gives the times of all cells the same shape, less what their bytes cost: that
// of all requests, each in units of the median of its cell. While a device stands still
// requests pile up, so it is not their number that makes the slowest of those slow that met
// many, and the mean of these says little about the number; their median does.
func alike(cells []cell, perByte float64) {
	var shape []float64
	medians := make([]float64, len(cells))
	for i := range cells {
		c := &cells[i]
		for k := range c.times {
			c.times[k] = max(0, c.times[k]-perByte*c.bytes[k])
		}
		medians[i] = robust.Median(c.times)
		for _, t := range c.times {
			shape = append(shape, t/max(medians[i], 1e-9))
		}
	}
	slices.Sort(shape)
	for i := range cells {
		c := &cells[i]
		n := len(c.times)
		for k := range c.times { // n of its quantiles
			c.times[k] = medians[i]*shape[int((float64(k)+0.5)/float64(n)*float64(len(shape)))] + perByte*c.bytes[k]
		}
	}
}

// reach is how many times the number in flight that was observed a law is
// extended: further on its last row holds.
const reach = 16

// beyond extrapolates the law of a parallel device along the line of least
// squares through the means: a fixed delay and a bottleneck. It reports false if
// there is no line.
func beyond(cells []cell, perByte float64, last core.ServiceRow) (core.ServiceRow, bool) {
	if len(cells) < 2 {
		return last, false
	}
	var n, sx, sy, sxx, sxy float64
	for _, c := range cells {
		w := float64(len(c.times))
		y := c.mean() - perByte*stat.Mean(c.bytes, nil)
		n, sx, sy, sxx, sxy = n+w, sx+w*c.x, sy+w*y, sxx+w*c.x*c.x, sxy+w*c.x*y
	}
	b := max(0, (n*sxy-sx*sy)/(n*sxx-sx*sx))
	x := last.X * reach
	factor := 1 + b*float64(x-last.X)/last.Time.Expectation()
	if math.IsNaN(factor) || math.IsInf(factor, 0) {
		return last, false
	}
	return core.ServiceRow{X: x, Time: last.Time.Scaled(factor), PerByte: perByte}, true
}

// slope is the time that a byte adds, by least squares within equal conditions,
// so that large requests that meet an empty disk are not taken for fast ones.
// It is 0 when sizes hardly vary or size does not matter.
func slope(cells []cell) float64 {
	var n, xx, xy float64
	for _, c := range cells {
		n += float64(len(c.times))
		mx, my := stat.Mean(c.bytes, nil), c.mean()
		for i := range c.times {
			xx += (c.bytes[i] - mx) * (c.bytes[i] - mx)
			xy += (c.bytes[i] - mx) * (c.times[i] - my)
		}
	}
	const sector = 512.0
	if xx < n*sector*sector {
		return 0
	}
	return max(0, xy/xx)
}
