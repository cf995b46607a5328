package chart

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// steepRatio is the ratio of the largest to the least value beyond which a
// linear axis hides the small ones: they share the lowest thirtieth of it.
const steepRatio = 30

// Steep reports which axes are read best when they are logarithmic: all values
// are positive, and the largest is more than steepRatio times the least. Shares
// are compared with the whole, and stay as they are.
func (f Lines) Steep() (x, y bool) {
	steep := func(a Axis, value func(Point) float64) bool {
		least, most := math.Inf(1), 0.0
		for _, s := range f.Series {
			for _, p := range s.Points {
				v := value(p)
				if math.IsNaN(v) || math.IsInf(v, 0) {
					continue
				}
				if v <= 0 {
					return false
				}
				least, most = min(least, v), max(most, v)
			}
		}
		return a.Unit != "1" && most > steepRatio*least
	}
	return steep(f.X, func(p Point) float64 { return p.X }), steep(f.Y, func(p Point) float64 { return p.Y })
}

// dashLength is that of the dashes of a line that lies on another, which shows
// between them.
const dashLength = vg.Length(5)

// sameLine is the distance, as a share of the range of all values, below which
// two lines are drawn as one.
const sameLine = 0.01

// under returns how many earlier lines the i-th lies on.
func (f Lines) under(i int) int {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, s := range f.Series {
		for _, p := range s.Points {
			if f.Y.drawable(p.Y) {
				lo, hi = min(lo, p.Y), max(hi, p.Y)
			}
		}
	}
	n := 0
	for _, s := range f.Series[:i] {
		if s.Role != Measured && f.coincide(s, f.Series[i], sameLine*(hi-lo)) {
			n++
		}
	}
	return n
}

// coincide reports whether two series have at least two places in common, and
// nowhere differ by more than a distance.
func (f Lines) coincide(a, b Series, distance float64) bool {
	at := map[float64]float64{}
	for _, p := range a.Points {
		if f.Y.drawable(p.Y) {
			at[p.X] = p.Y
		}
	}
	common := 0
	for _, p := range b.Points {
		y, ok := at[p.X]
		switch {
		case !ok || !f.Y.drawable(p.Y):
		case math.Abs(y-p.Y) > distance:
			return false
		default:
			common++
		}
	}
	return common >= 2
}
