package settings

import (
	"cmp"
	"math"
	"slices"

	"tierscope/analysis/trace"
	"tierscope/core"
)

// claim says that a setting decides a quantity: where, and by which formula.
type claim struct {
	use
	strength strength
}

// strength is the evidence of a claim.
type strength int

const (
	unclear  strength = iota // the scan leads to the statement, where other things count too, or nothing known
	refuted                  // in the run the quantity would have had another number
	chance                   // nothing but the same number
	followed                 // the scan leads to the statement, and the number is inferred, or other things count too
	initial                  // it leads there, and the program's own number makes that of the quantity
	told                     // … the number that the run was given
)

// evidence is the strength of a claim that the setting makes n at u.
func (u use) evidence(n float64) strength {
	switch known := !math.IsNaN(u.value); {
	case !known, u.Loose && u.value != n:
		return unclear
	case u.Loose:
		return followed
	case !u.gives(u.value, n):
		return refuted
	case u.inferred:
		return followed
	case u.given:
		return told
	default:
		return initial
	}
}

// rateDigits is how far a rate may be off by rounding: the trace has the period in
// whole nanoseconds, and five digits of the rate are kept. Theory: half of the fifth
// digit is at most 5·10⁻⁵ of a number.
const rateDigits = 1e-4

// gives reports whether the setting makes n at u if it is x.
func (u use) gives(x, n float64) bool {
	if u.Kind == trace.UseRate || u.Kind == trace.UseSleep {
		return alike(u.Value.At(x), n)
	}
	return u.Value.Count(x) == n
}

// alike reports whether two rates or times are the same but for rounding.
func alike(a, b float64) bool { return math.Abs(a-b) <= rateDigits*b }

// strongest returns the strongest of the claims that u makes n, one of each setting: none if all of them are
// refuted or unclear.
func strongest(us []use, n float64) (top []claim) {
	for _, u := range us {
		switch c := (claim{u, u.evidence(n)}); {
		case u.Machine != "" || c.strength < chance:
		case len(top) == 0 || c.strength > top[0].strength:
			top = []claim{c}
		case c.strength == top[0].strength && !slices.ContainsFunc(top, func(o claim) bool { return o.setting == u.setting }):
			top = append(top, c)
		}
	}
	return top
}

// infer finds the values of settings that the run was not given and whose own number is
// not known: the one that makes most of the quantities that they lead to what they are.
func (s *solver) infer() {
	for _, x := range s.in.settings {
		if x.given || !math.IsNaN(x.value) {
			continue
		}
		leads := func(yield func(use, float64)) {
			for _, q := range s.quantities {
				for _, u := range s.in.at(q) {
					if u.setting == x && !u.Loose && q.use != trace.UseSleep { // a time is no count
						yield(u, q.Default)
					}
				}
			}
		}
		value, most := x.value, 0
		leads(func(u use, n float64) {
			v := math.Ceil((n-u.Value.Offset)/slope(u.Value) - 1e-9) // programs divide downwards
			made := 0
			leads(func(o use, n float64) {
				if o.gives(v, n) {
					made++
				}
			})
			if made > most {
				value, most = v, made
			}
		})
		x.value, x.inferred = value, most > 0
	}
}

// slope is what a formula multiplies by.
func slope(l core.Linear) float64 { return cmp.Or(l.Factor, 1) }
