package loops

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Variable is one of several problem sizes, such as the rows and columns of a matrix.
type Variable struct {
	Name  string `json:"name"` // {NAME} stands for it
	Sizes []int  `json:"sizes"`
}

// Many is a count as a function of several sizes: Σ factor·Π term(size).
type Many struct {
	Order  string    `json:"order"` // the leading product, such as "n·m²"; "": no order fits
	Terms  [][]Order `json:"terms"` // of each product, by variable
	Factor []float64 `json:"coefficients"`
	Error  float64   `json:"error"`
	// Beyond is the relative error where all sizes are twice the largest, which had no
	// part in the fit; 0 without Confirmed.
	Beyond    float64 `json:"error_beyond"`
	Confirmed bool    `json:"confirmed"`
	names     []string
}

// At returns the count for sizes in the order of the variables: NaN where no order fits.
func (m Many) At(sizes []float64) float64 {
	if m.Order == "" {
		return math.NaN()
	}
	sum := 0.0
	for k, terms := range m.Terms {
		sum += m.Factor[k] * product(terms, sizes)
	}
	return sum
}

func product(terms []Order, sizes []float64) float64 {
	v := 1.0
	for i, t := range terms {
		v *= t.At(sizes[i])
	}
	return v
}

// String is the formula.
func (m Many) String() string {
	if m.Order == "" {
		return NoOrder.String()
	}
	var parts []string
	for k, terms := range m.Terms {
		parts = append(parts, fmt.Sprintf("%.4g·%s", m.Factor[k], m.name(terms)))
	}
	return strings.ReplaceAll(strings.Join(parts, " + "), "+ -", "− ")
}

// name writes a product in the names of the variables.
func (m Many) name(terms []Order) string {
	var out []string
	for i, t := range terms {
		if t != Constant {
			out = append(out, strings.ReplaceAll(string(t), "n", m.names[i]))
		}
	}
	if len(out) == 0 {
		return "1"
	}
	return strings.Join(out, "·")
}

// ManyLoop is a loop in one chain of call sites, counted over several variables.
type ManyLoop struct {
	Function   string  `json:"function"`
	File       string  `json:"file"`
	Line       int     `json:"line"`
	Chain      string  `json:"chain"`
	Iterations []int64 `json:"iterations"` // in the order of the points
	Model      Many    `json:"model"`
}

// ManyResult is the loops of a program over several variables.
type ManyResult struct {
	Variables []Variable `json:"variables"`
	Points    [][]int    `json:"points"`
	Loops     []ManyLoop `json:"loops"`
	Warnings  []string   `json:"warnings,omitempty"`
}

const mostPoints = 64

// CountMany counts the loops of a program at all combinations of the sizes of several
// variables. Plan.Sizes is not looked at.
func CountMany(ctx context.Context, p Plan, variables []Variable) (*ManyResult, error) {
	largest := sizes{}
	for _, v := range variables {
		largest[v.Name] = slices.Max(append(slices.Clone(v.Sizes), 0))
	}
	p.Sizes, p.tries = nil, []sizes{largest}
	c, end, err := p.counter(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	r := &ManyResult{Variables: variables, Warnings: c.warnings()}
	points := [][]int{nil}
	for _, v := range variables {
		if len(v.Sizes) < leastSizes {
			return nil, fmt.Errorf("loops: %d sizes of %s: at least %d are needed", len(v.Sizes), v.Name, leastSizes)
		}
		var next [][]int
		for _, head := range points {
			for _, n := range v.Sizes {
				next = append(next, append(slices.Clone(head), n))
			}
		}
		points = next
	}
	if len(points) > mostPoints {
		return nil, fmt.Errorf("loops: %d combinations of sizes: at most %d are run", len(points), mostPoints)
	}
	t := table{result: &Result{}, index: map[string]int{}}
	for _, point := range points {
		counts, err := c.count(ctx, r.at(point))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("loops: at %v: %w", point, err)
		}
		t.add(c, counts)
		r.Points = append(r.Points, point)
	}
	var far []int
	for _, v := range variables {
		far = append(far, 2*slices.Max(v.Sizes))
	}
	confirmed := true
	if counts, err := c.count(ctx, r.at(far)); err == nil {
		t.add(c, counts)
	} else {
		confirmed = false
		r.Warnings = append(r.Warnings, fmt.Sprintf("the program did not run at %v: no order is confirmed", far))
	}
	for i, l := range t.result.Loops {
		many := ManyLoop{Function: l.Function, File: l.File, Line: l.Line, Chain: l.Chain}
		var counts []float64
		for k := range points {
			many.Iterations = append(many.Iterations, t.runs[k][i][1])
			counts = append(counts, float64(t.runs[k][i][1]))
		}
		many.Model = fitMany(variables, points, counts)
		if confirmed && many.Model.Order != "" {
			beyond := float64(t.runs[len(points)][i][1])
			if many.Model.Beyond = math.Abs(many.Model.At(floats(far))-beyond) / math.Max(1, beyond); many.Model.Beyond > unclear {
				many.Model = Many{Error: many.Model.Error, Beyond: many.Model.Beyond}
			} else {
				many.Model.Confirmed = true
			}
		}
		r.Loops = append(r.Loops, many)
	}
	if len(r.Loops) == 0 {
		return nil, errors.New("loops: no loop was entered")
	}
	return r, nil
}

// at are the sizes of a point by name.
func (r *ManyResult) at(point []int) sizes {
	out := sizes{}
	for i, v := range r.Variables {
		out[v.Name] = point[i]
	}
	return out
}

func floats(point []int) (out []float64) {
	for _, n := range point {
		out = append(out, float64(n))
	}
	return out
}

// fitMany finds for each variable how the count follows it while the others are at their
// largest, and fits the products of what was found.
func fitMany(variables []Variable, points [][]int, counts []float64) Many {
	m := Many{}
	products := [][]Order{nil}
	for i, v := range variables {
		m.names = append(m.names, v.Name)
		var at []int
		var of []float64
		for k, point := range points {
			others := true
			for j, w := range variables {
				others = others && (j == i || point[j] == slices.Max(w.Sizes))
			}
			if others {
				at, of = append(at, point[i]), append(of, counts[k])
			}
		}
		one := Fit(at, of)
		if one.Order == NoOrder || one.Order == Exponential {
			return Many{Error: one.Error}
		}
		terms := one.Terms
		if !slices.Contains(terms, Constant) {
			terms = append(slices.Clone(terms), Constant)
		}
		var next [][]Order
		for _, head := range products {
			for _, t := range terms {
				next = append(next, append(slices.Clone(head), t))
			}
		}
		products = next
	}
	m.Terms = products
	for {
		if !m.solve(points, counts) {
			return Many{Error: math.Inf(1)}
		}
		weakest, share := -1, negligible
		for k := range m.Terms {
			most := 0.0 // of the counts that the product is anywhere
			for i, point := range points {
				most = math.Max(most, math.Abs(m.Factor[k]*product(m.Terms[k], floats(point)))/math.Max(1, counts[i]))
			}
			if most < share {
				weakest, share = k, most
			}
		}
		if weakest < 0 || len(m.Terms) == 1 {
			break
		}
		m.Terms = slices.Delete(slices.Clone(m.Terms), weakest, weakest+1)
	}
	var far []float64
	for _, v := range variables {
		far = append(far, 1000*float64(slices.Max(v.Sizes)))
	}
	slices.SortStableFunc(m.Terms, func(a, b []Order) int {
		if product(a, far) > product(b, far) {
			return -1
		}
		return 1
	})
	if !m.solve(points, counts) {
		return Many{Error: math.Inf(1)}
	}
	if m.Order = m.name(m.Terms[0]); m.Error > unclear {
		return Many{Error: m.Error}
	}
	return m
}

// solve fits the factors by least squares of the relative errors.
func (m *Many) solve(points [][]int, counts []float64) bool {
	if len(points) <= len(m.Terms) {
		return false
	}
	a, b := mat.NewDense(len(points), len(m.Terms), nil), mat.NewVecDense(len(points), nil)
	scale := make([]float64, len(m.Terms))
	for k := range m.Terms {
		for _, point := range points {
			scale[k] = math.Max(scale[k], math.Abs(product(m.Terms[k], floats(point))))
		}
	}
	for i, point := range points {
		w := 1 / math.Max(1, counts[i])
		for k, terms := range m.Terms {
			a.Set(i, k, w*product(terms, floats(point))/math.Max(scale[k], 1))
		}
		b.SetVec(i, w*counts[i])
	}
	var x mat.VecDense
	if err := x.SolveVec(a, b); err != nil {
		return false
	}
	m.Factor, m.Error = nil, 0
	for k := range m.Terms {
		m.Factor = append(m.Factor, x.AtVec(k)/math.Max(scale[k], 1))
	}
	order := m.Order
	m.Order = "fitted"
	for i, point := range points {
		m.Error += math.Abs(m.At(floats(point))-counts[i]) / math.Max(1, counts[i]) / float64(len(points))
	}
	m.Order = order
	return true
}
