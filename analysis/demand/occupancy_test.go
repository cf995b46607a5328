package demand

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// What is added to an occupancy is in its sum, and what fills it too, as far as there is room:
// no core is busier than always, and where more was recorded than there is room, it stays.
func TestWhatFillsCoresIsNeverMoreThanTheyHaveLeft(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		const width, bins, n = 1000, 40, 2
		o := occupancy{width: width}
		var known float64
		for range rapid.IntRange(0, 20).Draw(t, "computations") {
			from := rapid.Int64Range(0, bins*width-1).Draw(t, "from")
			to := rapid.Int64Range(from+1, bins*width).Draw(t, "to")
			o.add(from, to, to-from)
			known += float64(to - from)
		}
		before := append([]float64(nil), o.busy...)
		var room float64
		for i := range bins {
			x := 0.0
			if i < len(before) {
				x = before[i]
			}
			room += max(0, n-x) * width
		}
		amount := rapid.Float64Range(0, 2*n*bins*width).Draw(t, "nobody's")
		o.fill(n, amount, bins*width-1)
		if got, want := o.sums()(bins*width), known+min(amount, room); math.Abs(got-want) > 1e-6*(1+want) {
			t.Fatalf("%g ns in all, want %g: %g were there, %g came, there was room for %g", got, want, known, amount, room)
		}
		for i, x := range o.busy {
			was := 0.0
			if i < len(before) {
				was = before[i]
			}
			if x > max(n, was)+1e-9 || x < was-1e-9 {
				t.Fatalf("of %d cores %g are busy where %g were", n, x, was)
			}
		}
	})
}
