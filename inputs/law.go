package inputs

import (
	"math"

	"tierscope/core"
)

// point is a number of the model in a run with another value of a setting, relative to that of the recorded run; at is the
// setting, relative to it too.
type point struct{ at, factor float64 }

// law is the factor of the number at a path where the setting is x in the recorded run, and the power of the setting that it follows:
//
//	f = r^p                  r = setting/x: nothing is left without it
//	f = a + (1 − a)·r^q      q = 1, −1, 2, 3: what has a part a, 0 ≤ a < 1, that does not follow it, such as the start of a program
//
// The one that is nearest to the points, by least squares of relative errors. Each has one number to fit, so two points contradict it.
func law(path string, x float64, points []point) (t core.Target, power float64) {
	nearest := math.Inf(1)
	consider := func(a, q float64) {
		off := 0.0
		for _, p := range points {
			off += math.Pow(math.Log(p.factor/(a+(1-a)*math.Pow(p.at, q))), 2)
		}
		if off < nearest-rounding {
			nearest, power = off, q
			t = core.Target{Path: path, Power: q, Multiplies: true, Factor: (1 - a) * math.Pow(x, -q), Offset: a}
		}
	}
	var logs, squares float64
	for _, p := range points {
		logs, squares = logs+math.Log(p.factor)*math.Log(p.at), squares+math.Pow(math.Log(p.at), 2)
	}
	for _, q := range []float64{1, -1, logs / squares, 2, 3} {
		if q == logs/squares {
			consider(0, q)
			continue
		}
		var part, weight float64
		for _, p := range points {
			r := math.Pow(p.at, q)
			part, weight = part+(p.factor-r)*(1-r)/(p.factor*p.factor), weight+math.Pow((1-r)/p.factor, 2)
		}
		if a := part / weight; a >= 0 && a < 1 {
			consider(a, q)
		}
	}
	return t, power
}

// oneWay reports whether a number follows a setting in one direction only, as all laws do: smaller, or larger, the farther the setting
// is from where it was. What changes by chance, as with the seed of random numbers, does so for one setting in four.
func oneWay(points []point) bool {
	if len(points) < 2 {
		return true
	}
	near, far := points[0], points[1]
	if math.Abs(math.Log(near.at)) > math.Abs(math.Log(far.at)) {
		near, far = far, near
	}
	power := func(p point) float64 { return math.Log(p.factor) / math.Log(p.at) }
	if power(near)*power(far) <= 0 {
		return false
	}
	bothSides := (near.at < 1) != (far.at < 1)
	return bothSides || math.Abs(math.Log(far.factor)) > math.Abs(math.Log(near.factor))-math.Log1p(sameTime)
}

// rounding is how near laws are that are as near as each other. Theory: squares of errors of rounding are below it.
const rounding = 1e-12

// A number that shrinks faster than in inverse proportion to a setting, or grows faster than a cube, has changed by chance.
// Convention: matrices take the third power of their edge.
const (
	leastPower = -1.5
	mostPower  = 3.5
)
