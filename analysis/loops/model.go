package loops

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
)

const (
	closeTo    = 2     // times the least error of all orders is as good
	negligible = 0.001 // relative error that nobody cares about
	// unclear is the relative error, of the counts that a model was fitted to or of
	// those beyond, from which on there is no order.
	unclear = 0.05
	// exact is the relative error up to which integer logarithms and roots are believed:
	// what has them has nothing else that grows.
	exact = 0.01
)

// Model is a count as a function of the problem size.
type Model struct {
	Order  Order     `json:"order"` // "": no order fits
	Terms  []Order   `json:"terms"` // leading first
	Factor []float64 `json:"coefficients"`
	Rate   float64   `json:"rate,omitempty"` // of an exponential, doublings per unit of n
	Error  float64   `json:"error"`          // mean relative error over the sizes that it was fitted to
	// Beyond is the largest relative error at larger sizes, which had no part in the
	// fit; 0 without Confirmed.
	Beyond    float64 `json:"error_beyond"`
	Confirmed bool    `json:"confirmed"` // larger sizes agree
}

// At returns the count for a size: NaN where no order fits.
func (m Model) At(n float64) float64 {
	if m.Order == NoOrder {
		return math.NaN()
	}
	var sum float64
	for i, t := range m.Terms {
		if t == Exponential {
			sum += m.Factor[i] * math.Exp2(m.Rate*n)
			continue
		}
		sum += m.Factor[i] * t.At(n)
	}
	return sum
}

// String returns the model as a formula.
func (m Model) String() string {
	if m.Order == NoOrder {
		return m.Order.String()
	}
	var parts []string
	for i, t := range m.Terms {
		c := m.Factor[i]
		if math.Abs(c) < 1e-6 {
			continue
		}
		name := string(t)
		if t == Exponential {
			name = fmt.Sprintf("2^(%.4g·n)", m.Rate)
		}
		switch text := fmt.Sprintf("%.4g", math.Abs(c)); {
		case t == Constant:
			parts = append(parts, text)
		case text == "1":
			parts = append(parts, name)
		default:
			parts = append(parts, text+"·"+name)
		}
		k := len(parts) - 1
		if c < 0 {
			parts[k] = "−" + parts[k]
		}
	}
	if len(parts) == 0 {
		return "0"
	}
	return strings.ReplaceAll(strings.Join(parts, " + "), "+ −", "− ")
}

// Fit returns the model of the lowest order that is about as good as the best, or
// one without an order if none misses the counts by less than 5 %. It panics
// unless there is a count for each size.
func Fit(sizes []int, counts []float64) Model { return FitBeyond(sizes, counts) }

// FitBeyond is Fit with larger sizes, to which nothing is fitted. The first of them
// tells orders apart that fit about as well; a model is confirmed if it misses none of
// them by more than 5 %, or, where they are more than 4 times the largest size fitted, by
// more than 10 %.
func FitBeyond(sizes []int, counts []float64, beyond ...Point) Model {
	models := candidates(sizes, counts)
	missed := func(m Model) float64 {
		if len(beyond) > 0 {
			return math.Max(m.Error, beyond[0].missed(m))
		}
		return m.Error
	}
	least := math.Inf(1)
	for i := range models {
		least = math.Min(least, missed(models[i]))
	}
	largest := float64(slices.Max(sizes))
	for _, limit := range []float64{closeTo*least + negligible, unclear} {
		for _, seldom := range []bool{false, true} {
			for _, m := range models {
				if e := missed(m); slices.Contains(rare, m.Order) == seldom && e <= limit && e <= unclear && m.confirm(beyond, largest) {
					return m
				}
			}
		}
	}
	return Model{Error: least}
}

const (
	farBeyond = 4.0 // times the largest size that was fitted, up to which a model may miss by unclear
	laxer     = 2.0 // times as much it may miss beyond
)

// confirm compares the model with larger sizes.
func (m *Model) confirm(beyond []Point, largest float64) bool {
	for _, p := range beyond {
		e, limit := p.missed(*m), unclear
		if float64(p.Size) > farBeyond*largest {
			limit *= laxer
		}
		if e > limit {
			return false
		}
		m.Beyond = math.Max(m.Beyond, e)
	}
	m.Confirmed = len(beyond) > 0
	return true
}

// Point is the count of one size.
type Point struct {
	Size  int
	Count float64
}

// missed is the relative error of a model; a count below 1 counts as 1.
func (c Point) missed(m Model) float64 {
	return math.Abs(m.At(float64(c.Size))-c.Count) / math.Max(c.Count, 1)
}

// candidates fits all orders. Those whose leading factor is not positive are none.
func candidates(sizes []int, counts []float64) []Model {
	if len(sizes) != len(counts) {
		panic("loops: counts are not those of the sizes")
	}
	var out []Model
	for _, s := range shapes() {
		fit := solve
		if s.order == Exponential {
			fit = solveExponential
		}
		if m, ok := fit(s, sizes, counts); ok && (s.order == Constant || m.Factor[0] > 0) && !(s.whole() && m.Error > exact) {
			out = append(out, m)
		}
	}
	return out
}

// solve fits the terms by least squares of the relative errors. Counts below 1
// count as 1. An order needs more sizes than it has terms.
func solve(s shape, sizes []int, counts []float64) (Model, bool) {
	if len(sizes) <= len(s.terms) {
		return Model{}, false
	}
	return fitted(Model{Order: s.order, Terms: s.terms}, sizes, counts)
}

func fitted(m Model, sizes []int, counts []float64) (Model, bool) {
	one := m
	a := mat.NewDense(len(sizes), len(m.Terms), nil)
	b := mat.NewVecDense(len(sizes), nil)
	for j := range m.Terms {
		one.Terms, one.Factor = m.Terms[j:j+1], []float64{1}
		for i, n := range sizes {
			v := one.At(float64(n))
			if math.IsInf(v, 0) {
				return m, false
			}
			a.Set(i, j, v/math.Max(counts[i], 1))
		}
	}
	for i := range sizes {
		b.SetVec(i, counts[i]/math.Max(counts[i], 1))
	}
	var x mat.VecDense
	if err := x.SolveVec(a, b); err != nil {
		return m, false
	}
	m.Factor = slices.Clone(x.RawVector().Data)
	for i, n := range sizes {
		m.Error += Point{n, counts[i]}.missed(m) / float64(len(sizes))
	}
	// Each term takes a count away from those that could contradict.
	m.Error *= math.Sqrt(float64(len(sizes)) / float64(len(sizes)-len(m.Terms)))
	return m, true
}

const (
	leastGrowth = 3.0    // doublings over the sizes, below which an exponential is a polynomial
	mostBits    = 1000.0 // doublings that a number can hold
	rateSteps   = 400
)

// solveExponential finds the rate among logarithmic steps, and between the best of
// them by golden sections.
func solveExponential(s shape, sizes []int, counts []float64) (Model, bool) {
	lo, hi := slices.Min(sizes), slices.Max(sizes)
	if lo == hi {
		return Model{}, false
	}
	least, most := leastGrowth/float64(hi-lo), mostBits/float64(hi)
	if least >= most {
		return Model{}, false
	}
	at := func(rate float64) (Model, bool) {
		return fitted(Model{Order: s.order, Terms: s.terms, Rate: rate}, sizes, counts)
	}
	var best Model
	found := false
	step := math.Pow(most/least, 1.0/rateSteps)
	for k := range rateSteps {
		if m, ok := at(least * math.Pow(step, float64(k))); ok && (!found || m.Error < best.Error) {
			best, found = m, true
		}
	}
	if !found {
		return best, false
	}
	const golden, rounds = 0.6180339887498949, 60
	a, b := best.Rate/step, best.Rate*step
	for range rounds {
		c, d := b-golden*(b-a), a+golden*(b-a)
		x, okx := at(c)
		y, oky := at(d)
		if !okx || !oky {
			break
		}
		if x.Error < y.Error {
			b = d
		} else {
			a = c
		}
		for _, m := range []Model{x, y} {
			if m.Error < best.Error {
				best = m
			}
		}
	}
	best.Error *= math.Sqrt(float64(len(sizes)-2) / math.Max(1, float64(len(sizes)-3))) // the rate is fitted, too
	return best, len(sizes) > len(s.terms)+1
}

// Highest returns the highest order of the loops' models: the complexity of the
// program. Loops whose counts follow no order are left out.
func (r *Result) Highest() Order {
	all := Orders()
	highest := 0
	for _, l := range r.Loops {
		highest = max(highest, slices.Index(all, l.Model.Order))
	}
	return all[highest]
}
