package chart

import (
	"image/color"
	"math"

	"tierscope/core/quantity"
)

// colours maps the values of a heat-map to colours: residuals and differences
// diverge from the paper, other quantities go from pale to warm between the least
// and the largest that there is, by their ratio where they span more than a
// logarithmic axis needs.
func (f HeatMap) colours(t Theme) func(float64) color.NRGBA {
	if f.Value.Label == "" {
		full := f.full()
		return func(v float64) color.NRGBA { return t.Diverging(v / full) }
	}
	if f.Difference {
		full := max(f.largest(), math.SmallestNonzeroFloat64)
		return func(v float64) color.NRGBA { return t.Diverging(v / full) }
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range f.values() {
		lo, hi = min(lo, v), max(hi, v)
	}
	scale := func(v float64) float64 { return v }
	if lo > 0 && hi > steepRatio*lo {
		scale = math.Log
	}
	return func(v float64) color.NRGBA {
		if !(hi > lo) {
			return t.Heat(0)
		}
		return t.Heat((scale(v) - scale(lo)) / (scale(hi) - scale(lo)))
	}
}

// values are those of all cells that have a finite one.
func (f HeatMap) values() []float64 {
	var out []float64
	for _, row := range f.Cells {
		for _, c := range row {
			if !math.IsNaN(c.Value) && !math.IsInf(c.Value, 0) {
				out = append(out, c.Value)
			}
		}
	}
	return out
}

// largest is the largest magnitude of a value.
func (f HeatMap) largest() float64 {
	most := 0.0
	for _, v := range f.values() {
		most = max(most, math.Abs(v))
	}
	return most
}

// says is what stands at the pointer.
func (f HeatMap) says(v float64) string {
	if f.Value.Label == "" {
		return "ε " + quantity.Change(v)
	}
	return f.Value.Label + " " + f.number(v)
}

// number writes a value with its unit, a difference with its sign.
func (f HeatMap) number(v float64) string {
	if f.Value.Label == "" {
		return quantity.Change(v)
	}
	return f.sign(v) + quantity.Format(v, f.Value.Unit)
}

// short writes a value for its cell, in the unit of the title, and no finer
// than two digits beyond those of the largest.
func (f HeatMap) short(v float64, s quantity.Scale) string {
	if f.Value.Label != "" {
		v /= s.Divisor
		return f.sign(v) + quantity.Fixed(v, min(quantity.Decimals(v, 3), quantity.Decimals(f.largest()/s.Divisor, 3)+2))
	}
	text := quantity.Fixed(100*v, 0)
	if v >= 0.005 {
		text = "+" + text
	}
	return text
}

func (f HeatMap) sign(v float64) string {
	if f.Difference && v > 0 {
		return "+"
	}
	return ""
}
