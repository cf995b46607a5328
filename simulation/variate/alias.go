package variate

import (
	"math/bits"

	"tierscope/simulation/des"
)

// Alias draws an index with given probabilities in constant time: the alias
// method of Walker (1977), tables by Vose (1991). The zero value always draws 0
// and uses no randomness.
type Alias struct{ cells []cell }

// cell is one column of the table: index itself below threshold, else other.
type cell struct {
	threshold uint32 // of 2³²
	other     int32
}

// NewAlias returns a table for weights, which need not sum to 1. It panics
// unless some weight is positive and none is negative.
func NewAlias(weights []float64) Alias {
	n, sum := len(weights), 0.0
	for _, w := range weights {
		if w < 0 {
			panic("variate: negative weight")
		}
		sum += w
	}
	if !(sum > 0) {
		panic("variate: no positive weight")
	}
	if n == 1 {
		return Alias{}
	}
	scaled := make([]float64, n)
	var small, large []int
	for i, w := range weights {
		scaled[i] = w / sum * float64(n)
		if scaled[i] < 1 {
			small = append(small, i)
		} else {
			large = append(large, i)
		}
	}
	cells := make([]cell, n)
	for i := range cells {
		cells[i] = cell{1<<32 - 1, int32(i)}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		cells[s] = cell{uint32(scaled[s] * (1<<32 - 1)), int32(l)}
		scaled[l] -= 1 - scaled[s]
		if scaled[l] < 1 {
			large = large[:len(large)-1]
			small = append(small, l)
		}
	}
	// What rounding left in one of the lists fills its own column, except that
	// a weight of 0 must never be drawn.
	for _, i := range small {
		if weights[i] == 0 {
			cells[i] = cell{0, int32(heaviest(weights))}
		}
	}
	return Alias{cells}
}

func heaviest(weights []float64) int {
	best := 0
	for i, w := range weights {
		if w > weights[best] {
			best = i
		}
	}
	return best
}

// Draw returns an index.
func (a *Alias) Draw(s *des.Stream) int32 {
	if len(a.cells) == 0 {
		return 0
	}
	column, fraction := bits.Mul64(s.Uint64(), uint64(len(a.cells)))
	c := &a.cells[column]
	if uint32(fraction>>32) < c.threshold {
		return int32(column)
	}
	return c.other
}
