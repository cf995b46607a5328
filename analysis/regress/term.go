package regress

// Term is one element of the pool of independent variables: A, A·B, and the
// same divided by the number of threads n.
type Term struct {
	A         string `json:"a"`
	B         string `json:"b,omitempty"`
	PerThread bool   `json:"per_thread,omitempty"` // divided by n
}

// Value returns the term's value for a run.
func (t Term) Value(variables map[string]float64, threads float64) float64 {
	v := variables[t.A]
	if t.B != "" {
		v *= variables[t.B]
	}
	if t.PerThread {
		v /= threads
	}
	return v
}

// String returns the term as a formula.
func (t Term) String() string {
	s := t.A
	if t.B != "" {
		s += "·" + t.B
	}
	if t.PerThread {
		s += "/n"
	}
	return s
}

// terms returns the pool in the order in which it is tried (Wu et al. 2010,
// §4.1): {I, I/n}, {II}, {II/n}.
func terms(variables []string) [3][]Term {
	var pool [3][]Term
	for i, a := range variables {
		pool[0] = append(pool[0], Term{A: a}, Term{A: a, PerThread: true})
		for _, b := range variables[i:] {
			pool[1] = append(pool[1], Term{A: a, B: b})
			pool[2] = append(pool[2], Term{A: a, B: b, PerThread: true})
		}
	}
	return pool
}
