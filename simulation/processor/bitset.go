package processor

import "math/bits"

// bitset is a set of cores.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (b bitset) add(i int32)      { b[i>>6] |= 1 << (i & 63) }
func (b bitset) remove(i int32)   { b[i>>6] &^= 1 << (i & 63) }
func (b bitset) has(i int32) bool { return b[i>>6]>>(i&63)&1 != 0 }

// first returns the smallest member, or None.
func (b bitset) first() int32 {
	for w, x := range b {
		if x != 0 {
			return int32(w<<6 + bits.TrailingZeros64(x))
		}
	}
	return None
}
