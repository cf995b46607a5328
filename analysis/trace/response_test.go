package trace

import "testing"

// "Predictions are compared with the median of measurements": one run that was disturbed, or lucky, does not decide
// what a request takes.
func TestTheResponseOfPlainRunsIsThatInTheMiddle(t *testing.T) {
	t.Parallel()
	got := MedianResponse([]ResponseTime{{Median: 5e-4, Mean: 9e-4}, {Median: 3e-4, Mean: 6e-4}, {Median: 6e-4, Mean: 7e-4}})
	if want := (ResponseTime{Median: 5e-4, Mean: 7e-4}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
