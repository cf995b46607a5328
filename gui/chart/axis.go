package chart

import (
	"math"

	"gonum.org/v1/plot"

	"tierscope/core/quantity"
)

// scaled prepares an axis for values up to largest: it sets label, scale and
// ticks and returns the divisor to apply to the data.
func (a Axis) scaled(ax *plot.Axis, largest float64) float64 {
	s := quantity.For(a.Unit, largest)
	ax.Label.Text = a.Label
	if s.Unit != "" {
		ax.Label.Text += " [" + s.Unit + "]"
	}
	ax.Tick.Marker = decimalTicks{wanted: usualTicks}
	if a.Log {
		ax.Scale = plot.LogScale{}
		ax.Tick.Marker = logTicks{}
	}
	return s.Divisor
}

// rounding is the part of numbers up to which they differ by how they were computed only.
const rounding = 1e-9

// fix applies the wanted range, or pads the one the data gave.
func (a Axis) fix(ax *plot.Axis, divisor float64) {
	switch {
	case a.Min != 0 || a.Max != 0:
		ax.Min, ax.Max = a.Min/divisor, a.Max/divisor
	case a.Log:
		if !(ax.Min > 0) || math.IsInf(ax.Max, 0) {
			ax.Min, ax.Max = 0.1, 1
		}
		ax.Min, ax.Max = ax.Min/1.15, ax.Max*1.15
	default:
		if math.IsInf(ax.Min, 0) || math.IsInf(ax.Max, 0) {
			ax.Min, ax.Max = 0, 1
		}
		pad := 0.05 * (ax.Max - ax.Min)
		if pad <= rounding*math.Abs(ax.Max) {
			pad = math.Max(math.Abs(ax.Max)*0.1, 0.5)
		}
		// A quantity that cannot be negative keeps its zero.
		if ax.Min >= 0 && ax.Min-pad < 0 || ax.Min >= 0 && ax.Min < 0.4*ax.Max {
			ax.Min = 0
		} else {
			ax.Min -= pad
		}
		ax.Max += pad
	}
	if ax.Min == ax.Max {
		ax.Max = ax.Min + 1
	}
}

// decimalTicks are round numbers, written alike: about as many as wanted.
type decimalTicks struct {
	wanted int
	whole  bool // of what is counted: there is nothing between two whole numbers
}

// usualTicks is how many numbers an axis of usual length has.
const usualTicks = 6

// Ticks implements plot.Ticker.
func (d decimalTicks) Ticks(lo, hi float64) []plot.Tick {
	if !(hi > lo) || math.IsInf(hi-lo, 0) {
		return nil
	}
	step := d.step(lo, hi)
	decimals := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	var ticks []plot.Tick
	for i := math.Ceil(lo/step - 1e-9); i*step <= hi+1e-9*step; i++ {
		ticks = append(ticks, plot.Tick{Value: i * step, Label: quantity.Fixed(i*step, decimals)})
		if half := (i + 0.5) * step; half < hi && (!d.whole || half == math.Trunc(half)) {
			ticks = append(ticks, plot.Tick{Value: half})
		}
	}
	return ticks
}

// leastNumbers is how many numbers make a scale of an axis.
const leastNumbers = 2

// step is the distance between numbers: as many as wanted, and no fewer than leastNumbers if there are as many.
func (d decimalTicks) step(lo, hi float64) float64 {
	raw := (hi - lo) / float64(d.wanted)
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	steps := []float64{0.1, 0.2, 0.5, 1, 2, 5, 10}
	i := 3
	for steps[i]*power < raw && i < len(steps)-1 {
		i++
	}
	numbers := func() float64 { return math.Floor(hi/(steps[i]*power)+1e-9) - math.Ceil(lo/(steps[i]*power)-1e-9) + 1 }
	for i > 0 && numbers() < leastNumbers {
		i--
	}
	if d.whole {
		return math.Max(steps[i]*power, 1)
	}
	return steps[i] * power
}

// logTicks are 1, 2 and 5 of every decade, or only powers of ten where there
// are many; of less than a decade, where those are too few, decimalTicks.
type logTicks struct{}

// Ticks implements plot.Ticker.
func (logTicks) Ticks(lo, hi float64) []plot.Tick {
	if !(lo > 0) || !(hi > lo) || math.IsInf(hi, 0) {
		return nil
	}
	few := math.Log10(hi/lo) <= 3
	var ticks []plot.Tick
	numbers := 0
	for e := math.Floor(math.Log10(lo)); e <= math.Ceil(math.Log10(hi)); e++ {
		for m := 1.0; m <= 9; m++ {
			v := m * math.Pow(10, e)
			if v < lo || v > hi {
				continue
			}
			tick := plot.Tick{Value: v}
			if m == 1 || few && (m == 2 || m == 5) {
				tick.Label = quantity.Fixed(v, max(0, -int(e)))
				numbers++
			}
			ticks = append(ticks, tick)
		}
	}
	if numbers < leastNumbers {
		return decimalTicks{wanted: leastNumbers}.Ticks(lo, hi)
	}
	return ticks
}

// positive reports whether v can be drawn on the axis.
func (a Axis) drawable(v float64) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0) && (!a.Log || v > 0)
}
