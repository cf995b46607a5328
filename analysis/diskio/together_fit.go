package diskio

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"tierscope/core"
	"tierscope/core/robust"
)

// gathered is a device that serves one request after the other and tells all of them
// complete when none is left: a delivery of n requests lasts way + n·s from the issue of its
// first one, s the service of each; longer by a time to wake up if the device had had
// nothing to do for long.
//
// The longer a service is the more requests come meanwhile, so that among deliveries of
// one size the time does not grow with n as it does for given requests. But those that came
// before the first service could be over have not come because of it: their number is the
// instrumental variable of the fit (Angrist & Krueger 2001).
//
// What serves the device, a process of the host, sleeps the more deeply the longer it has nothing to
// do, so the way may take longer in a load with pauses. The service does not: with pauses the
// number of requests varies, which tells the service; without, where threads are in step, the
// way of loads without pauses is what is left.
type gathered struct {
	deliveries   []delivery
	kinds        []string       // types of requests, the most frequent first
	service      []float64      // of each of them with bytes as usual, s
	bytes        []float64      // usual size of each
	rare         map[string]int // requests of other types
	perByte      float64
	after        int64     // of idleness the device must wake up, ns
	wake         float64   // s
	way          float64   // to the device and back, s, in a load without pauses if there is one
	paced        float64   // more in a load with pauses, s
	back         float64   // of that on the way back
	coefficients []float64 // of vector
	stalls       float64   // by which factor moments in which the device stood still make times longer
}

// standstill is how many times what is expected a delivery lasts at least in which the
// device stood still: those do not tell how the time depends on the number of requests.
const standstill = 5

// gather fits way and s to how long deliveries last. It reports false if the number of
// requests that had gathered did not vary enough.
func gather(devices [][]Observation, apart int64) (gathered, bool) {
	g := gathered{rare: map[string]int{}}
	byType, sizes := map[string]int{}, map[string][]float64{}
	for _, o := range devices {
		for i := range o {
			byType[o[i].Type]++
			sizes[o[i].Type] = append(sizes[o[i].Type], float64(o[i].Bytes))
		}
		g.deliveries = append(g.deliveries, deliveries(o, apart)...)
	}
	for _, kind := range types {
		if n := byType[kind]; n >= leastSamples {
			g.kinds = append(g.kinds, kind)
		} else {
			g.rare[kind] = n
		}
	}
	slices.SortStableFunc(g.kinds, func(a, b string) int { return byType[b] - byType[a] })
	for _, kind := range g.kinds {
		g.bytes = append(g.bytes, robust.Median(sizes[kind]))
	}
	if len(g.kinds) == 0 || len(g.deliveries) < leastSamples {
		return g, false
	}
	best, of := math.Inf(1), g
	for _, part := range []int64{1, 2, 4, 8, 16} { // quarters of a typical request's time
		with := of
		with.after = part * apart / 2
		if unexplained, ok := with.fit(apart); ok && unexplained < best {
			best, g = unexplained, with
		}
	}
	if math.IsInf(best, 1) {
		return g, false
	}
	g.back = min(g.way, wayBack(devices, apart))
	return g, true
}

// types of requests.
var types = []string{Read, Metadata, ReadAhead, Write, Flush}

// What the time of a delivery consists of: the way, what it takes more in a load with pauses,
// waking up, bytes beside the usual ones, the number of each type.
const (
	onTheWay = iota
	withPauses
	toWake
	moreBytes
	ofType
)

// vector is what a delivery of requests consists of.
func (g *gathered) vector(d *delivery, requests []*Observation) []float64 {
	x := make([]float64, ofType+len(g.kinds))
	x[onTheWay] = 1
	if d.opens.Paced {
		x[withPauses] = 1
	}
	if d.idle > g.after {
		x[toWake] = 1
	}
	for _, r := range requests {
		k := max(0, slices.Index(g.kinds, r.Type))
		x[ofType+k]++
		x[moreBytes] += float64(r.Bytes) - g.bytes[k]
	}
	return x
}

// fit fits the way, the service of each type and what a byte costs, none below 0. It reports
// false if the deliveries do not tell them: if those that came at once hardly tell how many
// came. It returns the squares, relative to what is expected, that the fit leaves.
func (g *gathered) fit(apart int64) (unexplained float64, ok bool) {
	rows, early := make([][]float64, len(g.deliveries)), make([][]float64, len(g.deliveries))
	var all, atOnce []float64
	const sector = 512.0
	differ, paced := 0, 0
	for i := range g.deliveries {
		d := &g.deliveries[i]
		first := slices.DeleteFunc(slices.Clone(d.requests), func(r *Observation) bool { return r.Issued > d.opens.Issued+apart })
		rows[i], early[i] = g.vector(d, d.requests), g.vector(d, first)
		all, atOnce = append(all, float64(len(d.requests))), append(atOnce, float64(len(first)))
		if math.Abs(early[i][moreBytes]) >= sector {
			differ++
		}
		if d.opens.Paced {
			paced++
		}
	}
	r := stat.Correlation(all, atOnce, nil)
	if !(r*r > leastShare) {
		return 0, false
	}
	excluded := make([]bool, ofType+len(g.kinds))
	excluded[moreBytes] = float64(differ) < leastShare*float64(len(rows))
	excluded[withPauses] = paced == len(rows) // then it is the way
	var coefficients []float64
	for {
		coefficients = nil
		for range fitRounds {
			if coefficients = g.weighted(rows, early, excluded, coefficients); coefficients == nil {
				return 0, false
			}
		}
		j := slices.IndexFunc(coefficients, func(c float64) bool { return c < 0 })
		for k, usual := range g.bytes {
			if !excluded[moreBytes] && coefficients[ofType+k] < coefficients[moreBytes]*usual { // less than nothing for no byte
				j = moreBytes
			}
		}
		if j < 0 {
			break
		}
		excluded[j] = true
	}
	g.coefficients = coefficients
	g.way, g.paced, g.wake = coefficients[onTheWay], coefficients[withPauses], coefficients[toWake]
	g.perByte, g.service = coefficients[moreBytes], coefficients[ofType:]
	sum, expected := 0.0, 0.0
	for i, x := range rows {
		y, of := g.deliveries[i].lasts(), floats.Dot(x, coefficients)
		if y <= standstill*of {
			unexplained += (y/of - 1) * (y/of - 1)
		}
		sum, expected = sum+y, expected+of
	}
	g.stalls = sum / expected
	return unexplained, expected > 0
}

// fitRounds is how often the fit is repeated with what the last one expects.
const fitRounds = 5

// weighted is a round of the fit: instrumental variables in units of what the last round, nil
// at first, expects of them. Excluded coefficients are 0.
func (g *gathered) weighted(rows, early [][]float64, excluded []bool, last []float64) []float64 {
	n := len(excluded)
	a, b := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil)
	scale := make([]float64, n) // seconds and bytes differ by orders of magnitude
	for i, x := range rows {
		y, weight := g.deliveries[i].lasts(), 1.0
		if last != nil {
			expected := floats.Dot(early[i], last)
			if expected <= 0 || y > standstill*floats.Dot(x, last) {
				continue
			}
			weight = 1 / (expected * expected)
		}
		for j, z := range early[i] {
			scale[j] += weight * z * z
			b.SetVec(j, b.AtVec(j)+weight*z*y)
			for k := range n {
				a.Set(j, k, a.At(j, k)+weight*z*x[k])
			}
		}
	}
	for j := range n {
		scale[j] = math.Sqrt(scale[j])
		excluded[j] = excluded[j] || scale[j] == 0
	}
	for j := range n {
		for k := range n {
			switch {
			case !excluded[j] && !excluded[k]:
				a.Set(j, k, a.At(j, k)/(scale[j]*scale[k]))
			case j == k:
				a.Set(j, k, 1)
			default:
				a.Set(j, k, 0)
			}
		}
		if b.SetVec(j, b.AtVec(j)/scale[j]); excluded[j] {
			b.SetVec(j, 0)
		}
	}
	var solution mat.VecDense
	if solution.SolveVec(a, b) != nil {
		return nil
	}
	found := make([]float64, n)
	for j := range found {
		if !excluded[j] {
			found[j] = solution.AtVec(j) / scale[j]
		}
	}
	return found
}

// disk adds the device to a model: one server, in the order of arrival.
func (g *gathered) disk(d *core.Disk) (warnings []string) {
	d.Depth, d.Order, d.Delivery = 1, core.DiskFIFO, core.DeliverIdle
	d.Setup, d.Latency = g.stalls*(g.way-g.back), g.stalls*g.back
	if g.wake > 0 {
		d.Sleep = core.Sleep{After: 1e-9 * float64(g.after), Wake: g.stalls * g.wake}
	}
	shape := g.shape()
	unit := core.FromSamples(shape).Scaled(g.stalls / stat.Mean(shape, nil))
	for k, kind := range g.kinds {
		d.Service = append(d.Service, core.ServiceLaw{Type: kind, Rows: []core.ServiceRow{{
			Time: unit.Scaled(max(0, g.service[k]-g.perByte*g.bytes[k])), PerByte: g.stalls * g.perByte, Samples: int64(len(shape))}}})
	}
	for _, kind := range types {
		if n := g.rare[kind]; n > 0 {
			law := d.Service[0]
			law.Type = kind
			d.Service = append(d.Service, law)
			warnings = append(warnings, fmt.Sprintf("only %d %s requests: the service law of %s is taken for them", n, kind, g.kinds[0]))
		}
	}
	return warnings
}

// shape is that of the times of service: of what deliveries last, in units of what is expected.
// Single services may vary more, the recording shows only sums of them.
func (g *gathered) shape() []float64 {
	var shares []float64
	for i := range g.deliveries {
		d := &g.deliveries[i]
		expected := floats.Dot(g.vector(d, d.requests), g.coefficients)
		if expected > 0 { // few small requests may fall below a line through all sizes
			shares = append(shares, d.lasts()/expected)
		}
	}
	return shares
}
