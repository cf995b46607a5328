package predictability

import (
	"fmt"
	"math"

	"tierscope/analysis/loops"
)

// Cost is a quantity as a function of the problem size n: constant + factor·f(n),
// where f is the complexity.
type Cost struct {
	Order    loops.Order `json:"order"`
	Constant float64     `json:"constant"`
	Factor   float64     `json:"factor"`
	Error    float64     `json:"error"` // mean relative error over the points it was fitted to
}

// At returns the quantity for a size; it is constant where no order is known.
func (c Cost) At(n float64) float64 {
	if c.Order == loops.NoOrder {
		return c.Constant
	}
	return c.Constant + c.Factor*c.Order.At(n)
}

// Size returns the size at which the quantity has a value; +Inf if it never has.
func (c Cost) Size(value float64) float64 {
	high := 1.0
	for c.At(high) < value {
		if high *= 2; high > largestSize {
			return math.Inf(1)
		}
	}
	low := high / 2
	for range bisections {
		if m := (low + high) / 2; c.At(m) < value {
			low = m
		} else {
			high = m
		}
	}
	return high
}

const (
	largestSize = 1e15
	bisections  = 60
)

// String returns the formula.
func (c Cost) String() string {
	return fmt.Sprintf("%.3g + %.3g·%s", c.Constant, c.Factor, c.Order)
}

// fitCost fits constant and factor by least squares of the relative errors. A
// negative constant is none: a program without work takes no negative time. It
// returns false if sizes do not tell the factor.
func fitCost(order loops.Order, sizes, values []float64) (Cost, bool) {
	var sw, sx, sy, sxx, sxy float64
	for i, n := range sizes {
		w, x := 1/(values[i]*values[i]), order.At(n)
		sw, sx, sy, sxx, sxy = sw+w, sx+w*x, sy+w*values[i], sxx+w*x*x, sxy+w*x*values[i]
	}
	c := Cost{Order: order}
	determinant := sw*sxx - sx*sx
	if order == loops.Constant || !(determinant > 1e-12*sw*sxx) {
		return c, false
	}
	c.Factor = (sw*sxy - sx*sy) / determinant
	if c.Constant = (sy - c.Factor*sx) / sw; c.Constant < 0 {
		c.Constant, c.Factor = 0, sxy/sxx
	}
	for i, n := range sizes {
		c.Error += math.Abs(c.At(n)/values[i]-1) / float64(len(sizes))
	}
	return c, c.Factor > 0
}

// costOrders are told apart by clocks and bytes at sizes that differ by less than a
// factor of 2: whole powers, and n log n.
var costOrders = []loops.Order{loops.Log, loops.LinearN, loops.NLogN, loops.Square, loops.SquareLog, loops.Cube, loops.FourthPow}

const (
	goodOrder  = 0.05  // mean relative error of CPU times that a lower order may have
	goodLive   = 0.005 // of live data, which full collections tell to the byte
	asGoodAs   = 2     // times the least error of all orders is as good
	leastSizes = 3
)

// fitLowest fits the lowest order that is about as good as the best: its mean
// relative error may be larger by half of what is good.
func fitLowest(sizes, values []float64, good float64) (Cost, bool) {
	var all []Cost
	least := math.Inf(1)
	for _, o := range costOrders {
		if c, ok := fitCost(o, sizes, values); ok {
			all = append(all, c)
			least = math.Min(least, c.Error)
		}
	}
	for _, c := range all {
		if c.Error <= math.Max(asGoodAs*least, math.Min(good, least+good/2)) {
			return c, true
		}
	}
	return Cost{}, false
}
