package core

import "math/bits"

// toGrid returns the number of the nearest of the numbers that have so many significant binary digits,
//
//	0, 1, 2, … 2ᵈ − 1, 2ᵈ, 2ᵈ + 2, 2ᵈ + 4, … 2ᵈ⁺¹, 2ᵈ⁺¹ + 4, …
//
// counted from 0.
func toGrid(n int64, digits int) int {
	shift := max(bits.Len64(uint64(n))-digits, 0)
	if shift > 0 {
		n += 1 << (shift - 1) // to the nearest
		shift = max(bits.Len64(uint64(n))-digits, 0)
	}
	return shift<<(digits-1) + int(n>>shift)
}

// fromGrid returns the number with that number.
func fromGrid(level, digits int) int64 {
	shift := max(level>>(digits-1)-1, 0)
	return int64(level-shift<<(digits-1)) << shift
}
