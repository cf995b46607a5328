package demand

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// However near to each other values are, they are in order afterwards, to the last bit, and their weighted sum is what it was.
func TestIsotonicValuesAreInOrder(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		values, weights := make([]float64, 30), make([]float64, 30)
		sum := 0.0
		for i := range values {
			values[i], weights[i] = 0.4+1e-16*float64(random.IntN(4)), 0.001+random.Float64()
			sum += values[i] * weights[i]
		}
		Isotonic(values, weights)
		for i := range values {
			sum -= values[i] * weights[i]
		}
		if !slices.IsSorted(values) || sum > 1e-12 || sum < -1e-12 {
			t.Fatalf("values are %v, their sum is off by %g", values, sum)
		}
	}
}
