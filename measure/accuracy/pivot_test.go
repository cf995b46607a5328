package accuracy

import "testing"

// A subject with one configuration is a line, with a column for each of its quantities; one with two has a line for each of them, with
// the measured value and the errors of what was predicted.
func TestAPivotHasAColumnForEveryQuantity(t *testing.T) {
	t.Parallel()
	at := func(quantity, configuration string, measured float64, off *float64) Row {
		return Row{Quantity: quantity, Unit: "s", Configuration: configuration, Measured: &Value{Mean: measured}, Error: off}
	}
	half := .5
	b := &Book{Results: []Result{
		{Title: "one", Area: "a", Rows: []Row{at("mean", "c", 1, nil), at("p95", "c", 3, nil)}},
		{Title: "other", Area: "a", Rows: []Row{at("p95", "c", 4, nil)}},
		{Title: "both", Area: "b", Rows: []Row{at("R", "idle", 2, &half), at("R", "busy", 5, &half)}},
	}}
	for area, want := range map[string]string{
		"a": "| subject | mean | p95 |\n|---|--:|--:|\n| one | 1.00 s | 3.00 s |\n| other | – | 4.00 s |\n",
		"b": "| subject | measured | R |\n|---|--:|--:|\n| idle | 2.00 s | +50.0 % |\n| busy | 5.00 s | +50.0 % |\n",
	} {
		if got := b.pivotTable(area); got != want {
			t.Errorf("area %s:\n%s\nwant\n%s", area, got, want)
		}
	}
}
