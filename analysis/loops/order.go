package loops

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Order is a complexity, or one term of a model.
type Order string

// Orders, lowest first.
const (
	NoOrder     Order = "" // the counts follow none of these
	Constant    Order = "1"
	Log         Order = "log n"
	LogSquare   Order = "log² n"
	Root        Order = "√n"
	LinearN     Order = "n"
	NLogLog     Order = "n log log n"
	NLogN       Order = "n log n"
	NLogSquare  Order = "n log² n"
	NRoot       Order = "n√n"
	Square      Order = "n²"
	SquareLog   Order = "n² log n"
	SquareRoot  Order = "n²√n"
	Cube        Order = "n³"
	FourthPow   Order = "n⁴"
	Exponential Order = "2ⁿ" // 2^(rate·n)
)

// term is a function of the size; its name is an order, or that of an order of
// integer logarithms or roots.
type term struct {
	name  Order
	value func(n float64) float64
}

func log2(n float64) float64     { return math.Log2(math.Max(n, 1)) }
func floorLog(n float64) float64 { return math.Floor(log2(n)) }
func ceilLog(n float64) float64  { return math.Ceil(log2(n)) }

// terms are those of all models but exponential ones. Loops that halve count
// integer logarithms, loops that end at i·i > n integer roots.
func terms() []term {
	return []term{
		{Constant, func(float64) float64 { return 1 }},
		{Log, log2}, {"⌊log₂ n⌋", floorLog}, {"⌈log₂ n⌉", ceilLog},
		{LogSquare, func(n float64) float64 { return log2(n) * log2(n) }},
		{"⌊log₂ n⌋²", func(n float64) float64 { return floorLog(n) * floorLog(n) }},
		{Root, math.Sqrt}, {"⌊√n⌋", func(n float64) float64 { return math.Floor(math.Sqrt(n)) }},
		{LinearN, func(n float64) float64 { return n }},
		{NLogLog, func(n float64) float64 { return n * log2(log2(n)) }},
		{NLogN, func(n float64) float64 { return n * log2(n) }},
		{"n·⌊log₂ n⌋", func(n float64) float64 { return n * floorLog(n) }},
		{"n·⌈log₂ n⌉", func(n float64) float64 { return n * ceilLog(n) }},
		{NLogSquare, func(n float64) float64 { return n * log2(n) * log2(n) }},
		{NRoot, func(n float64) float64 { return n * math.Sqrt(n) }},
		{"n·⌊√n⌋", func(n float64) float64 { return n * math.Floor(math.Sqrt(n)) }},
		{Square, func(n float64) float64 { return n * n }},
		{SquareLog, func(n float64) float64 { return n * n * log2(n) }},
		{"n²·⌊log₂ n⌋", func(n float64) float64 { return n * n * floorLog(n) }},
		{SquareRoot, func(n float64) float64 { return n * n * math.Sqrt(n) }},
		{"n²·⌊√n⌋", func(n float64) float64 { return n * n * math.Floor(math.Sqrt(n)) }},
		{Cube, func(n float64) float64 { return n * n * n }},
		{FourthPow, func(n float64) float64 { return n * n * n * n }},
	}
}

// shape is an order with the terms of its models, leading first. A polynomial
// has all lower powers (Zhang et al., §5.2), the others those that such loops
// come with.
type shape struct {
	order Order
	terms []Order
}

// whole reports whether the leading term is made of integer logarithms or roots.
func (s shape) whole() bool { return strings.ContainsAny(string(s.terms[0]), "⌊⌈") }

// rare are orders that few loops have: they are taken where no other is about as
// good. Over the sizes that are run, log log n is nearly a line in log n.
var rare = []Order{LogSquare, NLogLog, NLogSquare, SquareRoot, Exponential}

func shapes() []shape {
	return []shape{
		{Constant, []Order{Constant}},
		{Log, []Order{Log, Constant}}, {Log, []Order{"⌊log₂ n⌋", Constant}}, {Log, []Order{"⌈log₂ n⌉", Constant}},
		{LogSquare, []Order{LogSquare, Log, Constant}}, {LogSquare, []Order{"⌊log₂ n⌋²", "⌊log₂ n⌋", Constant}},
		{Root, []Order{Root, Constant}}, {Root, []Order{"⌊√n⌋", Constant}},
		{LinearN, []Order{LinearN, Constant}},
		{NLogLog, []Order{NLogLog, LinearN, Constant}},
		{NLogN, []Order{NLogN, LinearN, Constant}}, {NLogN, []Order{"n·⌊log₂ n⌋", LinearN, Constant}}, {NLogN, []Order{"n·⌈log₂ n⌉", LinearN, Constant}},
		{NLogSquare, []Order{NLogSquare, NLogN, Constant}},
		{NRoot, []Order{NRoot, LinearN, Constant}}, {NRoot, []Order{"n·⌊√n⌋", LinearN, Constant}},
		{Square, []Order{Square, LinearN, Constant}},
		{SquareLog, []Order{SquareLog, Square, Constant}}, {SquareLog, []Order{"n²·⌊log₂ n⌋", Square, Constant}},
		{SquareRoot, []Order{SquareRoot, Square, Constant}}, {SquareRoot, []Order{"n²·⌊√n⌋", Square, Constant}},
		{Cube, []Order{Cube, Square, LinearN, Constant}},
		{FourthPow, []Order{FourthPow, Cube, Square, LinearN, Constant}},
		{Exponential, []Order{Exponential, Constant}},
	}
}

// Orders returns all orders, lowest first.
func Orders() []Order {
	var out []Order
	for _, s := range shapes() {
		if !slices.Contains(out, s.order) {
			out = append(out, s.order)
		}
	}
	return out
}

// At returns the value of an order's function for a size. It panics if there is
// no such order.
func (o Order) At(n float64) float64 {
	if o == Exponential {
		return math.Exp2(n)
	}
	for _, t := range terms() {
		if t.name == o {
			return t.value(n)
		}
	}
	panic("loops: no order " + string(o))
}

// String returns the order, or that there is none.
func (o Order) String() string {
	if o == NoOrder {
		return "no order fits"
	}
	return string(o)
}

// UnmarshalText reads an order as a file has it: none, or one of ours.
func (o *Order) UnmarshalText(text []byte) error {
	read := Order(text)
	if read != NoOrder && !slices.Contains(Orders(), read) {
		return fmt.Errorf("%q: want one of %v", text, Orders()[1:])
	}
	*o = read
	return nil
}

// ParseOrder reads an order as people type it: n^3, n³, n log n, n^2 log n, sqrt n,
// n^1.5.
func ParseOrder(text string) (Order, error) {
	typed := strings.Join(strings.Fields(strings.NewReplacer("n^1.5", "n√n", "n^2.5", "n²√n", "sqrt(n)", "√n", "sqrt n", "√n", "2^n", "2ⁿ",
		"^2", "²", "^3", "³", "^4", "⁴", "*", " ", "·", " ").Replace(strings.TrimSpace(text))), " ")
	known := Orders()[1:]
	for _, o := range known {
		if strings.ReplaceAll(typed, " √", "√") == string(o) {
			return o, nil
		}
	}
	return "", fmt.Errorf("%q: want one of %v", text, known)
}
