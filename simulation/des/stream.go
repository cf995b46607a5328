package des

import (
	"math"
	"math/bits"
)

// Stream is a source of random numbers: xoshiro256++ (Blackman & Vigna 2021),
// period 2²⁵⁶−1. A Stream belongs to one goroutine; the zero value is invalid.
type Stream struct{ s0, s1, s2, s3 uint64 }

// NewStream derives the stream of one source of randomness from the seed of
// the experiment, the replication and the identity of the source. Different
// arguments give independent streams.
func NewStream(seed, replication, identity uint64) Stream {
	x := Mix(seed) ^ Mix(replication+0x632be59bd9b4e019) ^ bits.RotateLeft64(Mix(identity+0x9e6c63d0676a9a99), 32)
	next := func() uint64 { // splitmix64, as the authors of xoshiro advise
		x += 0x9e3779b97f4a7c15
		return Mix(x)
	}
	return Stream{next(), next(), next(), next() | 1} // never all zero
}

// Mix is a bijective hash of 64 bits (the finalizer of splitmix64, variant 13
// of Stafford).
func Mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Uint64 returns 64 random bits.
func (s *Stream) Uint64() (r uint64) {
	r, *s = s.next()
	return r
}

// next returns 64 random bits and the state that follows.
func (s Stream) next() (uint64, Stream) {
	r := bits.RotateLeft64(s.s0+s.s3, 23) + s.s0
	s2, s3 := s.s2^s.s0, s.s3^s.s1
	return r, Stream{s.s0 ^ s3, s.s1 ^ s2, s2 ^ s.s1<<17, bits.RotateLeft64(s3, 45)}
}

// Float64 returns a uniform variate in [0, 1).
func (s *Stream) Float64() float64 { return float64(int64(s.Uint64()>>11)) * 0x1p-53 }

// Uint32n returns a uniform integer in [0, n), with a bias below n/2⁶⁴
// (Lemire 2019). It panics unless n > 0.
func (s *Stream) Uint32n(n uint32) uint32 {
	if n == 0 {
		panic("des: Uint32n(0)")
	}
	hi, _ := bits.Mul64(s.Uint64(), uint64(n))
	return uint32(hi)
}

// roundExactly is the time in nanoseconds from which the rounding to the
// nearest nanosecond has a relative bias below 10⁻⁷.
const roundExactly = 1000

// safeTime is a time in nanoseconds that every Time can hold.
const safeTime = 1e18

// Whole returns what Round makes of a number of nanoseconds if that takes no
// randomness, else 0.
func Whole(ns float64) Time {
	if ns >= roundExactly && ns < safeTime {
		return Time(ns + 0.5)
	}
	return 0
}

// Round turns a number of nanoseconds into Time without bias: below a
// microsecond stochastically (x = 0.4 is 1 with probability 0.4), above to the
// nearest. Negative numbers become 0, those beyond 292 years Never.
func (s *Stream) Round(ns float64) Time {
	switch {
	case ns >= roundExactly:
		if ns >= math.MaxInt64 {
			return Never
		}
		return Time(ns + 0.5)
	case ns > 0:
		whole := Time(ns)
		if fraction := ns - float64(whole); fraction > 0 && s.Float64() < fraction {
			whole++
		}
		return whole
	default:
		return 0
	}
}
