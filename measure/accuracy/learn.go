package accuracy

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"tierscope/analysis/runtimes"
	"tierscope/core/robust"
)

// Program is a program whose run times were predicted and measured over threads and cores:
// logarithms of predicted over measured times.
type Program struct {
	Name, Grade string    // Grade is that of the recording alone, "" if it is not known
	Checks      []float64 // in the configurations that package judge runs after an analysis
	Others      []float64
}

// Programs are those of a book that have both.
func (b *Book) Programs() []Program {
	var all []Program
	for i := range b.Results {
		if p := b.Results[i].program(); len(p.Checks) > 0 && len(p.Others) > 0 {
			all = append(all, p)
		}
	}
	return all
}

// program divides the rows of a result: the checks have half as many threads as were recorded,
// or two in place of one, or what was measured next to that.
func (r *Result) program() Program {
	p := Program{Name: strings.TrimPrefix(r.Subject, "unseen-")}
	if r.Grade != nil {
		p.Grade = *r.Grade
	}
	recorded, ok := threads(r.Analysed)
	if !ok {
		return p
	}
	half := math.Floor(recorded / 2)
	if half < 1 {
		half = recorded + 1
	}
	rows := slices.DeleteFunc(slices.Clone(r.Rows), func(row Row) bool {
		_, ok := threads(row.Configuration)
		return row.Quantity != "T" || row.Error == nil || row.EqualCPU == nil || row.Of != 0 || !ok
	})
	nearest := math.Inf(1)
	for _, row := range rows {
		n, _ := threads(row.Configuration)
		if d, least := math.Abs(n-half), math.Abs(nearest-half); d < least || d == least && n < nearest {
			nearest = n
		}
	}
	for _, row := range rows {
		e := math.Log1p(*row.Error)
		if n, _ := threads(row.Configuration); n == nearest {
			p.Checks = append(p.Checks, e)
		} else {
			p.Others = append(p.Others, e)
		}
	}
	return p
}

// threads returns the number of a configuration that is not one of cores.
func threads(configuration string) (float64, bool) {
	for part := range strings.SplitSeq(configuration, ", ") {
		name, value, _ := strings.Cut(part, " ")
		if name == "cores" || runtimes.IsProcessors(strings.ToLower(name)) {
			continue
		}
		n, err := strconv.ParseFloat(value, 64)
		return n, err == nil
	}
	return 0, false
}

// off is the root mean square of the checks.
func (p Program) off() float64 {
	sum := 0.0
	for _, e := range p.Checks {
		sum += e * e / float64(len(p.Checks))
	}
	return math.Sqrt(sum)
}

// Learned is what programs tell of the errors of others: intervals of 95 % have the half-width
// 1.96·√(Rest² + (PerCheck·root mean square of the checks)²), in logarithms.
type Learned struct{ Rest, PerCheck float64 }

// Half is the half-width for a program.
func (l Learned) Half(p Program) float64 { return normal95 * math.Hypot(l.Rest, l.PerCheck*p.off()) }

const (
	coverage = 0.95
	normal95 = 1.96 // of the standard normal law, 95 % are within ±1.96
)

// Learn makes intervals of all programs but one by conformal prediction: their half-widths are a
// multiple of √(floor² + mean square of the checks) (Papadopoulos et al. 2008), as large as contains
// 95 % of the errors, of which those of every program weigh the same. Of all floors, that
// counts with which the median program has the narrowest interval. unchecked: as if nothing had
// been checked, all programs have the same.
func Learn(of []Program, without string, unchecked bool) Learned {
	of = slices.DeleteFunc(slices.Clone(of), func(p Program) bool { return p.Name == without })
	if unchecked {
		return Learned{Rest: covering(of, func(Program) float64 { return 1 }) / normal95}
	}
	const finest, floors = 0.0025, 60
	var best Learned
	least := math.Inf(1)
	for step := 1; step <= floors; step++ {
		floor := finest * float64(step)
		scale := func(p Program) float64 { return math.Hypot(floor, p.off()) }
		multiple := covering(of, scale)
		var halves []float64
		for _, p := range of {
			halves = append(halves, multiple*scale(p))
		}
		if m := robust.Median(halves); m < least {
			best, least = Learned{multiple * floor / normal95, multiple / normal95}, m
		}
	}
	return best
}

// covering is the multiple of a scale that contains 95 % of the errors.
func covering(of []Program, scale func(Program) float64) float64 {
	var multiples, weights []float64
	for _, p := range of {
		for _, e := range p.Others {
			multiples, weights = append(multiples, math.Abs(e)/scale(p)), append(weights, 1/float64(len(p.Others)))
		}
	}
	stat.SortWeighted(multiples, weights)
	return stat.Quantile(coverage, stat.Empirical, multiples, weights)
}

// Servers are the root mean squares of the errors of response times below saturation, in
// logarithms, of servers under several loads.
func (b *Book) Servers() (all []float64) {
	const loads = 5 // fewer do not show it
	for _, r := range b.Results {
		sum, n := 0.0, 0.0
		below := false
		for _, row := range r.rows("R", &below) {
			if row.Error != nil && row.Of == 0 && row.Measured != nil {
				sum += math.Pow(math.Log1p(*row.Error), 2)
				n++
			}
		}
		if n >= loads && len(r.rows("T", nil)) == 0 {
			all = append(all, math.Sqrt(sum/n))
		}
	}
	return all
}
