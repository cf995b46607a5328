package loops

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Order is a complexity.
type Order string

// Orders, lowest first.
const (
	Constant   Order = "1"
	Log        Order = "log n"
	LinearN    Order = "n"
	NLogN      Order = "n log n"
	Square     Order = "n²"
	SquareLog  Order = "n² log n"
	Cube       Order = "n³"
	FourthPow  Order = "n⁴"
	noOrder    Order = ""
	closeTo          = 2     // times the least error of all orders is as good
	negligible       = 0.001 // relative error that nobody cares about
)

// basis is an order with the next lower power that may come with it.
type basis struct {
	order, lower Order
	value        func(n float64) float64
}

func orders() []basis {
	log := func(n float64) float64 { return math.Log2(math.Max(n, 1)) }
	return []basis{
		{Constant, noOrder, func(float64) float64 { return 1 }},
		{Log, Constant, log},
		{LinearN, Constant, func(n float64) float64 { return n }},
		{NLogN, LinearN, func(n float64) float64 { return n * log(n) }},
		{Square, LinearN, func(n float64) float64 { return n * n }},
		{SquareLog, Square, func(n float64) float64 { return n * n * log(n) }},
		{Cube, Square, func(n float64) float64 { return n * n * n }},
		{FourthPow, Cube, func(n float64) float64 { return n * n * n * n }},
	}
}

// Model is a count as a function of the problem size.
type Model struct {
	Order  Order     `json:"order"`
	Terms  []Order   `json:"terms"` // leading first
	Factor []float64 `json:"coefficients"`
	Error  float64   `json:"error"` // mean relative error over the sizes
}

// At returns the count for a size.
func (m Model) At(n float64) float64 {
	var sum float64
	for i, t := range m.Terms {
		for _, b := range orders() {
			if b.order == t {
				sum += m.Factor[i] * b.value(n)
			}
		}
	}
	return sum
}

// String returns the model as a formula.
func (m Model) String() string {
	var parts []string
	for i, t := range m.Terms {
		c := m.Factor[i]
		if math.Abs(c) < 1e-6 {
			continue
		}
		switch text := fmt.Sprintf("%.4g", math.Abs(c)); {
		case t == Constant:
			parts = append(parts, text)
		case text == "1":
			parts = append(parts, string(t))
		default:
			parts = append(parts, text+"·"+string(t))
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

// Fit returns the model of the lowest order that is about as good as the best.
// It panics unless there is a count for each size.
func Fit(sizes []int, counts []float64) Model {
	if len(sizes) != len(counts) {
		panic("loops: counts are not those of the sizes")
	}
	var candidates []Model
	least := math.Inf(1)
	all := orders()
	for _, b := range all {
		terms := []basis{b}
		for _, lower := range all {
			if lower.order == b.lower && lower.order != Constant {
				terms = append(terms, lower)
			}
		}
		if b.order != Constant {
			terms = append(terms, all[0])
		}
		m, ok := solve(terms, sizes, counts)
		if !ok || b.order != Constant && m.Factor[0] <= 0 {
			continue
		}
		candidates = append(candidates, m)
		least = math.Min(least, m.Error)
	}
	for _, m := range candidates {
		if m.Error <= closeTo*least+negligible {
			return m
		}
	}
	return candidates[0]
}

// solve fits the terms by least squares of the relative errors. Counts below 1
// count as 1.
func solve(terms []basis, sizes []int, counts []float64) (Model, bool) {
	m := Model{Order: terms[0].order}
	a := mat.NewDense(len(sizes), len(terms), nil)
	b := mat.NewVecDense(len(sizes), nil)
	for i, n := range sizes {
		w := 1 / math.Max(counts[i], 1)
		for j, t := range terms {
			a.Set(i, j, w*t.value(float64(n)))
		}
		b.SetVec(i, w*counts[i])
	}
	var x mat.VecDense
	if err := x.SolveVec(a, b); err != nil {
		return m, false
	}
	for j, t := range terms {
		m.Terms, m.Factor = append(m.Terms, t.order), append(m.Factor, x.AtVec(j))
	}
	for i, n := range sizes {
		m.Error += math.Abs(m.At(float64(n))-counts[i]) / math.Max(counts[i], 1) / float64(len(sizes))
	}
	return m, true
}

// Orders returns all orders, lowest first.
func Orders() []Order {
	var out []Order
	for _, b := range orders() {
		out = append(out, b.order)
	}
	return out
}

// At returns the value of an order's function for a size. It panics if there is
// no such order.
func (o Order) At(n float64) float64 {
	for _, b := range orders() {
		if b.order == o {
			return b.value(n)
		}
	}
	panic("loops: no order " + string(o))
}

// unclear is the relative error from which on the order of a count is a guess.
const unclear = 0.05

// Highest returns the highest order of the loops' models: the complexity of the
// program. Loops whose counts follow no order are left out.
func (r *Result) Highest() Order {
	all := Orders()
	highest := 0
	for _, l := range r.Loops {
		if l.Model.Error <= unclear {
			highest = max(highest, slices.Index(all, l.Model.Order))
		}
	}
	return all[highest]
}

// ParseOrder reads an order as people type it: n^3, n³, n log n, n^2 log n.
func ParseOrder(text string) (Order, error) {
	typed := strings.NewReplacer("^2", "²", "^3", "³", "^4", "⁴", "*", " ", "·", " ").Replace(strings.TrimSpace(text))
	for _, o := range Orders()[1:] {
		if strings.Join(strings.Fields(typed), " ") == string(o) {
			return o, nil
		}
	}
	return "", fmt.Errorf("%q: want one of %v", text, Orders()[1:])
}
