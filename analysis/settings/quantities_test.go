package settings

import (
	"math"
	"testing"
)

// A semaphore of 2³¹−1 permits, as programs make for "as many as you like", is a
// model like any other; nothing in a model may be larger.
func TestACapacityMayBeAsLargeAsItIs(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 1 << 20, math.MaxInt32} {
		p := sizeParameter("queues/q/capacity", "channel main:1", n, "")
		if p.Default != float64(n) || p.Default > p.Max || p.SupportedMax > p.Max || p.Max > math.MaxInt32 {
			t.Errorf("a capacity of %d is a parameter of default %g, tried to %g, at most %g", n, p.Default, p.SupportedMax, p.Max)
		}
	}
}
