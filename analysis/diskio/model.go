package diskio

import (
	"fmt"
	"math"
	"slices"

	"tierscope/core"
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
	Parallel bool     // the device serves several requests at once
	Reason   string   // by which test
	Warnings []string // sparse cells, ranges that the recording does not cover
}

// Model estimates a disk from what its requests met: the dispatch limit, the
// order of the scheduler, and a service law for every type.
//
// The test for a parallel device: if never more than one request was in flight,
// the device was fed one at a time. Otherwise a device that serves one at a
// time makes each request wait for all that are in it, so that service grows in
// proportion to the number in flight and throughput stays the same; if the
// throughput n/E[t | n] grows from n = 1 to the highest n observed by more than
// a quarter, the device is parallel. It returns an error if there are too few
// observations.
func Model(id string, observations []Observation) (Estimate, error) {
	if len(observations) < leastSamples {
		return Estimate{}, fmt.Errorf("disk %q: %d requests recorded; at least %d are needed for a service law", id, len(observations), leastSamples)
	}
	e := Estimate{Disk: core.Disk{ID: id, Depth: 1}}
	deepest := 0
	for i := range observations {
		deepest = max(deepest, observations[i].AtIssue)
	}
	gain, told := throughputGain(observations)
	switch {
	case deepest == 1:
		e.Reason = "never more than one request in the device: dispatch limit 1"
	case !told:
		e.Disk.Depth = deepest
		e.Reason = fmt.Sprintf("up to %d requests in the device, too few to tell one server from several", deepest)
	case gain <= 1.25:
		e.Disk.Depth = deepest
		e.Reason = fmt.Sprintf("up to %d requests in the device, but throughput grows only by the factor %.2f: one server with its own queue", deepest, gain)
	default:
		e.Parallel = true
		e.Disk.Depth = deepest
		e.Reason = fmt.Sprintf("throughput grows by the factor %.2f up to %d requests in the device: a parallel device", gain, deepest)
	}
	e.Disk.Order = order(observations)
	for _, kind := range []string{Read, Metadata, ReadAhead, Write, Flush} {
		law, warnings := estimateLaw(kind, observations, deepest > 1)
		if len(law.Rows) > 0 {
			e.Disk.Service = append(e.Disk.Service, law)
			e.Warnings = append(e.Warnings, warnings...)
		}
	}
	e.Disk.Origin = core.Origin{Note: fmt.Sprintf("estimated from %d requests; %s", len(observations), e.Reason)}
	return e, nil
}

// throughputGain compares n/E[t | n] at the highest number in flight that has
// enough observations with that at the lowest, for the most frequent type, so
// that the mix of types does not matter. It reports false if the numbers in
// flight differ too little.
func throughputGain(observations []Observation) (float64, bool) {
	byType := map[string][]Observation{}
	var most []Observation
	for _, o := range observations {
		byType[o.Type] = append(byType[o.Type], o)
		if len(byType[o.Type]) > len(most) {
			most = byType[o.Type]
		}
	}
	cells := cellsBy(most, func(o *Observation) float64 { return o.InFlight })
	first, last := cells[0], cells[len(cells)-1]
	if last.x < 1.5*first.x {
		return 1, false
	}
	return (last.x / last.mean()) / (first.x / first.mean()), true
}

// order recognises the scheduler: nobody overtaken is FIFO; otherwise an
// elevator issues in ascending order of sectors most of the time, where a
// random order does so in half of the cases.
func order(observations []Observation) core.DiskOrder {
	overtaken, ascending, pairs := 0, 0, 0
	for i := range observations {
		if observations[i].Overtaken > 0 {
			overtaken++
		}
		// only where there was a choice: the next one already waited
		if i > 0 && observations[i].Device == observations[i-1].Device && observations[i].Inserted > 0 && observations[i].Inserted < observations[i-1].Issued {
			pairs++
			if observations[i].Sector >= observations[i-1].Sector {
				ascending++
			}
		}
	}
	const some = 0.01 // of the requests: reordering among CPUs is not an order
	switch {
	case float64(overtaken) <= some*float64(len(observations)):
		return core.DiskFIFO
	case pairs > 0 && float64(ascending) > 0.6*float64(pairs):
		return core.DiskElevator
	default:
		return core.DiskRandom
	}
}

// cell is the observations with about the same condition.
type cell struct {
	x     float64 // their mean condition
	times []float64
	bytes []float64
}

func (c *cell) mean() float64 { return mean(c.times) }

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// cellsBy sorts observations by a condition into cells of whole numbers, and
// joins neighbours until each has enough observations and there are not too
// many.
func cellsBy(observations []Observation, condition func(*Observation) float64) []cell {
	whole := func(o *Observation) int { return int(math.Round(condition(o))) }
	sorted := make([]*Observation, len(observations))
	for i := range observations {
		sorted[i] = &observations[i]
	}
	slices.SortStableFunc(sorted, func(a, b *Observation) int { return whole(a) - whole(b) })
	enough := max(leastSamples, len(sorted)/(4*mostRows))
	var cells []cell
	begin := 0
	for i := range sorted {
		last := i+1 == len(sorted)
		boundary := last || whole(sorted[i+1]) != whole(sorted[i])
		if boundary && (last || i+1-begin >= enough && len(sorted)-i-1 >= enough) {
			cells = append(cells, newCell(sorted[begin:i+1], condition))
			begin = i + 1
		}
	}
	return cells
}

func newCell(observations []*Observation, condition func(*Observation) float64) cell {
	var c cell
	for _, o := range observations {
		c.x += condition(o) / float64(len(observations))
		c.times = append(c.times, float64(o.Service())*1e-9)
		c.bytes = append(c.bytes, float64(o.Bytes))
	}
	return c
}

// estimateLaw estimates the law of one type.
func estimateLaw(kind string, observations []Observation, inFlight bool) (core.ServiceLaw, []string) {
	var mine []Observation
	for i := range observations {
		if observations[i].Type == kind {
			mine = append(mine, observations[i])
		}
	}
	law := core.ServiceLaw{Type: kind, Given: core.Overtaken}
	condition := func(o *Observation) float64 { return float64(o.Overtaken) }
	if inFlight {
		law.Given = core.InFlight
		condition = func(o *Observation) float64 { return o.InFlight }
	}
	if len(mine) == 0 {
		return law, nil
	}
	perByte := slope(mine, condition)
	least := 0
	if inFlight {
		least = 1
	}
	var warnings []string
	for i, c := range cellsBy(mine, condition) {
		if i == 0 && c.x > 1.5 {
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
		if len(law.Rows) == 0 {
			x = min(x, 1) // the law of the first row holds below it too
		}
		law.Rows = append(law.Rows, core.ServiceRow{X: x, Time: core.FromSamples(times), PerByte: perByte, Samples: int64(len(times))})
	}
	if len(mine) < leastSamples {
		warnings = append(warnings, fmt.Sprintf("only %d %s requests: their service law is rough", len(mine), kind))
	}
	return law, warnings
}

// slope is the time that a byte adds, by least squares within equal conditions,
// so that large requests that meet an empty disk are not taken for fast ones.
// It is 0 when sizes hardly vary or size does not matter.
func slope(observations []Observation, condition func(*Observation) float64) float64 {
	var xx, xy float64
	for _, c := range cellsBy(observations, condition) {
		mx, my := mean(c.bytes), mean(c.times)
		for i := range c.times {
			xx += (c.bytes[i] - mx) * (c.bytes[i] - mx)
			xy += (c.bytes[i] - mx) * (c.times[i] - my)
		}
	}
	const sector = 512.0
	if xx < float64(len(observations))*sector*sector {
		return 0
	}
	return max(0, xy/xx)
}
