package regress

import (
	"fmt"
	"math"
	"slices"
)

// Relation computes a variable, or the number of threads, from others: round(factor·z
// + offset), at least Least, where z is A, A·B or A/B. It holds for every run that was
// seen. Programs compute what they derive from their inputs like this: ⌈items/batch⌉
// threads, n/4 writers, a chunk of total/threads.
type Relation struct {
	A, B           string
	Divided        bool // A/B instead of A·B
	Factor, Offset float64
	Rounding       Rounding
	Least          float64 // −Inf: none
}

// Rounding is how a relation becomes a whole number.
type Rounding string

// Roundings.
const (
	Exact    Rounding = ""
	RoundUp  Rounding = "⌈⌉"
	Down     Rounding = "⌊⌋"
	toWhole  Rounding = "round"
	exactly           = 1e-6 // relative difference up to which values are the same
	evidence          = 3    // distinct values that a relation must explain
)

func (r Relation) z(v map[string]float64) float64 {
	switch {
	case r.A == "":
		return 0
	case r.B == "":
		return v[r.A]
	case r.Divided:
		return v[r.A] / v[r.B]
	}
	return v[r.A] * v[r.B]
}

// Value returns what the relation says for given variables.
func (r Relation) Value(v map[string]float64) float64 {
	y := r.Factor*r.z(v) + r.Offset
	slack := exactly * math.Max(1, math.Abs(y)) // what rounding errors are worth
	switch r.Rounding {
	case RoundUp:
		y = math.Ceil(y - slack)
	case Down:
		y = math.Floor(y + slack)
	case toWhole:
		y = math.Round(y)
	case Exact:
	}
	return math.Max(y, r.Least)
}

// String writes the relation as a formula.
func (r Relation) String() string {
	s := r.A
	switch {
	case r.A == "":
		return fmt.Sprintf("%.6g", r.Offset)
	case r.B != "" && r.Divided:
		s += "/" + r.B
	case r.B != "":
		s += "·" + r.B
	}
	switch f := r.Factor; {
	case math.Abs(f-1) < exactly:
	case math.Abs(1/f-math.Round(1/f)) < exactly:
		s += fmt.Sprintf("/%.6g", math.Round(1/f))
	default:
		s = fmt.Sprintf("%.6g·%s", f, s)
	}
	if r.Offset != 0 {
		s += fmt.Sprintf(" %+.6g", r.Offset)
	}
	switch r.Rounding {
	case RoundUp:
		s = "⌈" + s + "⌉"
	case Down:
		s = "⌊" + s + "⌋"
	case toWhole:
		s = "round(" + s + ")"
	case Exact:
	}
	if !math.IsInf(r.Least, -1) {
		s = fmt.Sprintf("max(%.6g, %s)", r.Least, s)
	}
	return s
}

// relate finds a relation that computes every value from the variables of its row,
// simplest first; false if there is none.
func relate(rows []map[string]float64, values []float64, from []string) (Relation, bool) {
	none := math.Inf(-1)
	lo, hi := slices.Min(values), slices.Max(values)
	if hi-lo <= exactly*math.Max(math.Abs(lo), math.Abs(hi)) {
		return Relation{Offset: values[0], Least: none}, true
	}
	if distinct(values) < evidence {
		return Relation{}, false
	}
	var bases []Relation
	for _, a := range from {
		bases = append(bases, Relation{A: a})
	}
	for i, a := range from {
		for j, b := range from {
			if i != j {
				bases = append(bases, Relation{A: a, B: b, Divided: true})
			}
			if i <= j {
				bases = append(bases, Relation{A: a, B: b})
			}
		}
	}
	for _, least := range []float64{none, lo} {
		for _, base := range bases {
			for _, rounding := range []Rounding{Exact, RoundUp, Down, toWhole} {
				base.Least, base.Rounding = least, rounding
				if r, ok := base.solved(rows, values); ok {
					return r, true
				}
			}
		}
	}
	return Relation{}, false
}

// solved finds factor and offset. Rows at the least value tell neither.
func (r Relation) solved(rows []map[string]float64, values []float64) (Relation, bool) {
	var z, y []float64
	for i, row := range rows {
		v := r.z(row)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return r, false
		}
		if values[i] > r.Least {
			z, y = append(z, v), append(y, values[i])
		}
	}
	if distinct(y) < evidence-1 {
		return r, false
	}
	if r.Rounding != Exact {
		r.Factor = r.whole(z, y)
		return r, r.Factor != 0 && r.holds(rows, values)
	}
	var szz, szy, sz, sy float64
	for i := range z {
		szz, szy, sz, sy = szz+z[i]*z[i], szy+z[i]*y[i], sz+z[i], sy+y[i]
	}
	if r.Factor = szy / szz; szz > 0 && r.holds(rows, values) {
		return r, true
	}
	n := float64(len(z))
	if d := n*szz - sz*sz; d > 0 {
		r.Factor = (n*szy - sz*sy) / d
		r.Offset = (sy - r.Factor*sz) / n
	}
	return r, r.Factor != 0 && r.holds(rows, values)
}

// whole returns the roundest factor, a whole number or the inverse of one, with which
// all y are z rounded; 0 if there is none.
func (r Relation) whole(z, y []float64) float64 {
	least, most := map[Rounding][2]float64{RoundUp: {-1, 0}, Down: {0, 1}, toWhole: {-0.5, 0.5}}[r.Rounding], math.Inf(1)
	from := 0.0
	for i := range z {
		if z[i] <= 0 || y[i] < 0 {
			return 0
		}
		from, most = math.Max(from, (y[i]+least[0])/z[i]), math.Min(most, (y[i]+least[1])/z[i])
	}
	from, most = from*(1-exactly), most*(1+exactly)
	if !(from > 0 && from <= most) {
		return 0
	}
	if n := roundest(from, most); n > 0 {
		return n
	}
	if n := roundest(1/most, 1/from); n > 0 {
		return 1 / n
	}
	return 0
}

// roundest returns the whole number between two, both included, that is a multiple of
// the highest power of 10, or of 2; 0 if there is none.
func roundest(from, to float64) float64 {
	for _, base := range []float64{10, 2} {
		for unit := math.Pow(base, 30); unit >= 1; unit /= base {
			if n := math.Ceil(from/unit) * unit; n <= to && (base != 10 || unit > 1) {
				return n
			}
		}
	}
	return 0
}

func (r Relation) holds(rows []map[string]float64, values []float64) bool {
	largest := math.Max(math.Abs(slices.Min(values)), math.Abs(slices.Max(values)))
	for i, row := range rows {
		size := math.Abs(values[i])
		if size == 0 {
			size = largest
		}
		if got := r.Value(row); !(math.Abs(got-values[i]) <= exactly*size) {
			return false
		}
	}
	return true
}
