package regress

import (
	"math"
	"testing"
)

// What programs derive from their inputs is found exactly as they compute it.
func TestWhatAProgramDerivesFromItsInputsIsFound(t *testing.T) {
	t.Parallel()
	var rows []map[string]float64
	for i := range 24 {
		items, batch := float64(37+i*i*53%900), float64(5+i*7%23)
		rows = append(rows, map[string]float64{"items": items, "batch": batch, "noise": float64(i * 7919 % 101)})
	}
	for name, c := range map[string]struct {
		of   func(items, batch float64) float64
		text string
	}{
		"threads":  {func(items, batch float64) float64 { return math.Ceil(items / batch) }, "⌈items/batch⌉"},
		"quarter":  {func(items, batch float64) float64 { return math.Ceil(items / batch / 4) }, "⌈items/batch/4⌉"},
		"capped":   {func(items, _ float64) float64 { return max(1, math.Floor(items/100)) }, "max(1, ⌊items/100⌋)"},
		"cells":    {func(items, batch float64) float64 { return items * batch }, "batch·items"},
		"bytes":    {func(items, _ float64) float64 { return 8*items + 24 }, "8·items +24"},
		"constant": {func(float64, float64) float64 { return 12 }, "12"},
	} {
		var values []float64
		for _, r := range rows {
			values = append(values, c.of(r["items"], r["batch"]))
		}
		r, ok := relate(rows, values, []string{"batch", "items", "noise"})
		if !ok || r.String() != c.text {
			t.Errorf("%s is %s (found: %v), want %s", name, r, ok, c.text)
		}
		if got, want := r.Value(map[string]float64{"items": 12345, "batch": 7}), c.of(12345, 7); math.Abs(got-want) > 1e-6*want {
			t.Errorf("%s of 12345 items in batches of 7 is %g, want %g", name, got, want)
		}
	}
	// Nothing computes chance.
	var chance []float64
	for i := range rows {
		chance = append(chance, float64((i*7919+13)*104729%1000))
	}
	if r, ok := relate(rows, chance, []string{"batch", "items"}); ok {
		t.Errorf("chance is %s", r)
	}
}
