package variate

import (
	"math/bits"

	"tierscope/simulation/des"
)

// Urn draws what was observed so many times without putting it back, so that n
// draws are what the n observations were, in another order. When it is empty it is
// filled again. What was observed last comes last: of the transitions out of the
// fragments of a walk, drawn so, every walk is complete, because the last exits
// lead to its end (van Aardenne-Ehrenfest & de Bruijn 1951, the BEST theorem), and
// it does not matter which of several walkers takes a transition (Diaconis & Fulton
// 1991). Without the rule a loop that was left once in 1000 rounds would be left
// after 500 on average.
type Urn struct {
	counts []int64
	left   []int64
	total  int64 // of left, without the last
	last   int32 // drawn when nothing else is left; none: −1
	full   int64
}

// NewUrn returns an urn of so many of each index, which are not negative, and some
// of which are positive; last is an index, one of which comes last, or −1.
func NewUrn(counts []int64, last int32) *Urn {
	u := &Urn{counts: counts, left: make([]int64, len(counts)), last: last}
	for _, n := range counts {
		u.full += n
	}
	if u.full == 0 || last >= 0 && counts[last] == 0 {
		panic("variate: an urn without what is to be drawn")
	}
	u.fill()
	return u
}

func (u *Urn) fill() {
	copy(u.left, u.counts)
	u.total = u.full
	if u.last >= 0 {
		u.left[u.last]--
		u.total--
	}
}

// Draw returns an index.
func (u *Urn) Draw(r *des.Stream) int32 {
	if u.total == 0 {
		u.fill()
		if u.last >= 0 {
			return u.last
		}
	}
	at, _ := bits.Mul64(r.Uint64(), uint64(u.total))
	n := int64(at)
	for i, k := range u.left {
		if n < k {
			u.left[i]--
			u.total--
			return int32(i)
		}
		n -= k
	}
	panic("variate: an urn has lost something")
}
