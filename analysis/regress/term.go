package regress

import "slices"

// Term is one element of the pool of independent variables: A, A·B, A·B·C, and
// the same divided by the number of threads n; or 1 by one of these.
type Term struct {
	A         string `json:"a"`
	B         string `json:"b,omitempty"`
	C         string `json:"c,omitempty"`
	PerThread bool   `json:"per_thread,omitempty"` // divided by n
	Inverse   bool   `json:"inverse,omitempty"`    // 1 by all that
}

// Value returns the term's value for a run.
func (t Term) Value(variables map[string]float64, threads float64) float64 {
	v := variables[t.A]
	if t.B != "" {
		v *= variables[t.B]
	}
	if t.C != "" {
		v *= variables[t.C]
	}
	if t.PerThread {
		v /= threads
	}
	if t.Inverse {
		return 1 / v
	}
	return v
}

// String returns the term as a formula.
func (t Term) String() string {
	s := t.A
	if t.B != "" {
		s += "·" + t.B
	}
	if t.C != "" {
		s += "·" + t.C
	}
	if t.PerThread {
		s += "/n"
	}
	if t.Inverse {
		return "1/(" + s + ")"
	}
	return s
}

// factors are the variables of the term.
func (t Term) factors() []string {
	return slices.DeleteFunc([]string{t.A, t.B, t.C}, func(name string) bool { return name == "" })
}

// terms returns the pool in the order in which it is tried (Wu et al. 2010,
// §4.1): {I, I/n}, {II}, {II/n}, and, if they are allowed, {III}, {III/n}.
func terms(variables []string, thirdOrder bool) [][]Term {
	pool := make([][]Term, 5)
	for i, a := range variables {
		pool[0] = append(pool[0], Term{A: a}, Term{A: a, PerThread: true})
		for j, b := range variables[i:] {
			pool[1] = append(pool[1], Term{A: a, B: b})
			pool[2] = append(pool[2], Term{A: a, B: b, PerThread: true})
			for _, c := range variables[i+j:] {
				pool[3] = append(pool[3], Term{A: a, B: b, C: c})
				pool[4] = append(pool[4], Term{A: a, B: b, C: c, PerThread: true})
			}
		}
	}
	if !thirdOrder {
		pool = pool[:3]
	}
	return pool
}
