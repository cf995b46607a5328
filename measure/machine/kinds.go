package machine

import "math/rand/v2"

// kind is a kind of work: prepare returns a loop of n operations.
type kind struct {
	name    string
	prepare func() func(n int) uint64
}

// Sizes of what is walked through: far beyond the first cache and within the second of every machine of the last ten years, and
// beyond the last cache of most.
const (
	inCache  = 192 << 10
	inMemory = 128 << 20
	copied   = 8 << 20
)

var kinds = []kind{
	{"integer", func() func(int) uint64 { // a chain: each operation needs the one before
		return func(n int) uint64 {
			x := uint64(88172645463325252)
			for range n {
				x ^= x << 13
				x ^= x >> 7
				x ^= x << 17
			}
			return x
		}
	}},
	{"floating-point", func() func(int) uint64 { // four chains side by side
		return func(n int) uint64 {
			a, b, c, d := 1.0, 1.1, 1.2, 1.3
			for range n / 4 {
				a = a*.999999 + 1e-6
				b = b*.999998 + 1e-6
				c = c*.999997 + 1e-6
				d = d*.999996 + 1e-6
			}
			return uint64(a + b + c + d)
		}
	}},
	{"branches", func() func(int) uint64 { // that go either way at random
		bits := make([]byte, 1<<16)
		random := rand.New(rand.NewPCG(1, 2))
		for i := range bits {
			bits[i] = byte(random.Uint32())
		}
		return func(n int) uint64 {
			x, y := uint64(1), uint64(1)
			for i := range n {
				if bits[i&(len(bits)-1)]&1 == 0 {
					x += y ^ uint64(i)
				} else {
					y = y*3 + x
				}
			}
			return x + y
		}
	}},
	{"cache", func() func(int) uint64 { return chase(inCache) }},
	{"memory", func() func(int) uint64 { return chase(inMemory) }},
	{"copying", func() func(int) uint64 { // an operation is 64 bytes
		from, to := make([]byte, copied), make([]byte, copied)
		for i := range from {
			from[i] = byte(i)
		}
		const line = 64
		return func(n int) uint64 {
			for bytes := n * line; bytes > 0; bytes -= copied {
				copy(to, from[:min(bytes, copied)])
			}
			return uint64(to[0])
		}
	}},
}

// chase returns a loop of loads that each say where the next is: a random ring through so many bytes, a place in each line of 64
// (Sattolo 1986: one ring through all places).
func chase(bytes int) func(n int) uint64 {
	const line = 64 / 4 // of int32
	places := bytes / 64
	order := make([]int32, places)
	for i := range order {
		order[i] = int32(i)
	}
	random := rand.New(rand.NewPCG(3, 4))
	for i := places - 1; i > 0; i-- {
		j := random.IntN(i)
		order[i], order[j] = order[j], order[i]
	}
	ring := make([]int32, places*line)
	for i, next := range order {
		ring[i*line] = next * line
	}
	at := int32(0)
	return func(n int) uint64 {
		for range n {
			at = ring[at]
		}
		return uint64(at)
	}
}
