package demand

import (
	"math"
	"slices"

	"tierscope/analysis/trail"
)

// warmupFit finds the speeds. Executions that lie in one part are summed up.
type warmupFit struct {
	*warmup
	total, covered float64   // ns of CPU: of all computations, and of those that are repeated
	all            []float64 // of all, by part
	kinds          []repeated
	across         []spread // executions that lie in several parts
}

// repeated is a computation that is executed several times.
type repeated struct {
	n       float64
	within  []float64 // cost of the executions that lie in each part,
	squares []float64 // the sum of their squares,
	count   []float64 // and their number
	mean    float64   // w: what one does, in ns at full speed
}

// spread is an execution in several parts.
type spread struct {
	kind   int
	cost   float64
	first  int
	shares []float64 // from part first on
}

func newWarmupFit(w *warmup, all []execution) *warmupFit {
	f := &warmupFit{warmup: w}
	w.speed = slices.Repeat([]float64{1}, len(w.edges)-1)
	f.all = make([]float64, len(w.speed))
	times, first := map[[2]*trail.Node]int{}, map[[2]*trail.Node]*execution{}
	for i, e := range all {
		if times[e.kind]++; times[e.kind] == 1 || e.from < first[e.kind].from {
			first[e.kind] = &all[i]
		}
		f.total += e.cost
		w.parts(e.from, e.to, func(i int, share float64) { f.all[i] += e.cost * share })
	}
	number := map[[2]*trail.Node]int{}
	for _, e := range all {
		if times[e.kind] < warmupRepeats || e.from < first[e.kind].to { // the first loads classes, for which those beside it wait
			continue
		}
		f.covered += e.cost
		k, seen := number[e.kind]
		if !seen {
			k = len(f.kinds)
			number[e.kind] = k
			n := len(w.speed)
			f.kinds = append(f.kinds, repeated{within: make([]float64, n), squares: make([]float64, n), count: make([]float64, n)})
		}
		f.add(k, &e)
	}
	return f
}

// add adds an execution of kind k.
func (f *warmupFit) add(k int, e *execution) {
	x := spread{kind: k, cost: e.cost}
	f.parts(e.from, e.to, func(i int, share float64) {
		if len(x.shares) == 0 {
			x.first = i
		}
		for len(x.shares) < i-x.first {
			x.shares = append(x.shares, 0)
		}
		x.shares = append(x.shares, share)
	})
	r := &f.kinds[k]
	r.n++
	if len(x.shares) > 1 {
		f.across = append(f.across, x)
		return
	}
	r.within[x.first] += e.cost
	r.squares[x.first] += e.cost * e.cost
	r.count[x.first]++
}

// speed is the mean speed of the run while x was executed.
func (x *spread) speed(speeds []float64) (v float64) {
	for j, share := range x.shares {
		v += share * speeds[x.first+j]
	}
	return v
}

// solve finds the speeds and the means by turns.
func (f *warmupFit) solve() {
	work, cost := make([]float64, len(f.speed)), make([]float64, len(f.speed))
	for range warmupRounds {
		f.means()
		clear(work)
		clear(cost)
		for k := range f.kinds {
			for i, c := range f.kinds[k].within {
				work[i] += f.kinds[k].mean * f.kinds[k].count[i]
				cost[i] += c
			}
		}
		for j := range f.across {
			x := &f.across[j]
			v := x.speed(f.speed)
			for i, share := range x.shares {
				work[x.first+i] += f.kinds[x.kind].mean * share * f.speed[x.first+i] / v
				cost[x.first+i] += x.cost * share
			}
		}
		if f.update(work, cost) < warmupExact {
			return
		}
	}
}

// means sets what every kind of computation does on average.
func (f *warmupFit) means() {
	for k := range f.kinds {
		r := &f.kinds[k]
		r.mean = 0
		for i, c := range r.within {
			r.mean += c * f.speed[i] / r.n
		}
	}
	for j := range f.across {
		x := &f.across[j]
		r := &f.kinds[x.kind]
		r.mean += x.cost * x.speed(f.speed) / r.n
	}
}

// update sets the speeds, of which the last is 1, and returns the largest change.
// Where there is little evidence the speed is that of the next part.
func (f *warmupFit) update(work, cost []float64) (change float64) {
	var speeds, weights []float64
	tells := func(i int) bool { return cost[i] > warmupEvidence*f.all[i] }
	for i, c := range cost {
		if tells(i) {
			speeds, weights = append(speeds, work[i]/c), append(weights, c)
		}
	}
	Isotonic(speeds, weights)
	full := lastMean(speeds, weights, warmupFull*f.covered)
	next, n := 1.0, len(speeds)
	for i := len(cost) - 1; i >= 0; i-- {
		if tells(i) {
			n--
			next = min(max(speeds[n]/full, slowest), 1)
		}
		change = max(change, math.Abs(next-f.speed[i]))
		f.speed[i] = next
	}
	return change
}

// lastMean is the weighted mean of the last values that have at least such a weight.
func lastMean(values, weights []float64, least float64) float64 {
	var sum, weight float64
	for i := len(values) - 1; i >= 0 && (weight == 0 || weight < least); i-- {
		sum, weight = sum+values[i]*weights[i], weight+weights[i]
	}
	return sum / weight
}

// significant reports whether what was executed slowly took longer than chance
// has it: than the spread of the costs of what was executed at full speed.
func (f *warmupFit) significant() bool {
	slow, fast := make([]moments, len(f.kinds)), make([]moments, len(f.kinds))
	of := func(k int, speed float64) *moments {
		if speed < warmupSlow {
			return &slow[k]
		}
		return &fast[k]
	}
	for k := range f.kinds {
		r := &f.kinds[k]
		for i, v := range f.speed {
			of(k, v).add(r.count[i], r.within[i], r.squares[i])
		}
	}
	for i := range f.across {
		x := &f.across[i]
		of(x.kind, x.speed(f.speed)).add(1, x.cost, x.cost*x.cost)
	}
	var excess, variance float64
	for k := range f.kinds {
		s, c := &slow[k], &fast[k]
		if c.n < 2 || s.n == 0 {
			continue
		}
		mean := c.sum / c.n
		excess += s.sum - s.n*mean
		variance += max(0, c.squares-c.n*mean*mean) / (c.n - 1) * s.n * (1 + s.n/c.n)
	}
	return excess > 0 && excess > warmupDeviations*math.Sqrt(variance)
}

// moments are the number of some costs, their sum, and that of their squares.
type moments struct{ n, sum, squares float64 }

func (m *moments) add(n, sum, squares float64) {
	m.n, m.sum, m.squares = m.n+n, m.sum+sum, m.squares+squares
}
